import type { Scope, ScopeAccess, ScopeRow, StandardScope } from '../../protocol/scopes.ts';
import { html, type Html } from './html.ts';
import type { Translator } from './translator.ts';

/** The most powerful permissions come first. */
const order: readonly ScopeAccess[] = ['write', 'read', 'identity'];

/** Members cannot deselect it: without it there is no connection. */
export const fixedScope: StandardScope = 'openid';

/** Checked checkboxes, grouped by kind of access and by area. */
export function scopeChoice(t: Translator, scopes: readonly Scope[], previouslyAllowed: ReadonlySet<string>): Html[] {
  return order.flatMap((access) => {
    const rows = rowsOf(t, scopes).filter((row) => row.access === access);
    if (rows.length === 0) return [];
    const groups = byArea(rows).map(
      ([area, listed]) => html`
${access !== 'identity' && html`<h3>${t.text(`area.${area}`)}</h3>`}
${listed.map(({ scope }) => checkbox(t, scope, previouslyAllowed.has(scope)))}`,
    );
    return html`
<fieldset class="scopes ${access}">
<legend><h2>${t.text(`access.${access}`)}</h2></legend>
${groups}
</fieldset>`;
  });
}

function checkbox(t: Translator, scope: Scope, wasAllowed: boolean): Html {
  const text = html`${t.scope(scope)}${wasAllowed && html` <span class="badge good">${t.text('consent.before')}</span>`}`;
  if (scope === fixedScope) {
    const always = html` <span class="badge">${t.text('consent.always')}</span>`;
    return html`<div class="tick"><span class="mark" aria-hidden="true">✓</span><span>${text}${always}</span></div>`;
  }
  return html`<label class="tick"><input type="checkbox" name="scope" value="${scope}" checked><span>${text}</span></label>`;
}

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
