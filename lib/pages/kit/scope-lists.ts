import type { Scope, ScopeAccess, ScopeRow, StandardScope } from '../../protocol/scopes.ts';
import { html, type Html } from './html.ts';
import type { Translator } from './translator.ts';

/** The most powerful permissions come first. */
const order: readonly ScopeAccess[] = ['write', 'read', 'identity'];

/** Members cannot deselect it: without it there is no connection. */
export const fixedScope: StandardScope = 'openid';

export function scopeList(t: Translator, scopes: readonly Scope[]): Html {
  const rows = order.flatMap((access) => rowsOf(t, scopes).filter((row) => row.access === access));
  return html`<ul>${rows.map(({ scope }) => html`<li>${t.scope(scope)}</li>`)}</ul>`;
}

function rowsOf({ catalogue }: Translator, scopes: readonly Scope[]): ScopeRow[] {
  return catalogue.rows.filter(({ scope }) => scopes.includes(scope));
}

export function byArea(rows: readonly ScopeRow[]): [area: string, rows: ScopeRow[]][] {
  return [...Map.groupBy(rows, ({ area }) => area)];
}
