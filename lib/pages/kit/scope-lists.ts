import type { Scope, ScopeAccess, ScopeRow, StandardScope } from '../../protocol/scopes.ts';
import { html, type Html } from './html.ts';
import type { Translator } from './translator.ts';

/** Members cannot deselect it: without it there is no connection. */
export const fixedScope: StandardScope = 'openid';

/** The most powerful permissions come first. */
const order: readonly ScopeAccess[] = ['write', 'read', 'identity'];

/** For operators: what people allow. */
export function scopeList(t: Translator, scopes: readonly Scope[]): Html {
  const rows = t.catalogue.rows.filter(({ scope }) => scopes.includes(scope));
  const ordered = order.flatMap((access) => rows.filter((row) => row.access === access));
  return html`<ul>${ordered.map(({ scope }) => html`<li>${t.ofPeople(`scope.${scope}`)}</li>`)}</ul>`;
}

export function byArea(rows: readonly ScopeRow[]): [area: string, rows: ScopeRow[]][] {
  return [...Map.groupBy(rows, ({ area }) => area)];
}
