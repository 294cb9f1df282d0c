import { scopeCatalogue, type Scope, type ScopeAccess } from '../../protocol/scopes.ts';
import { html, type Html } from './html.ts';
import type { Translator } from './translator.ts';

type Row = (typeof scopeCatalogue)[number];

/** What can do harm comes first. */
const order: readonly ScopeAccess[] = ['write', 'read', 'identity'];

/** What the person cannot take away: without it nothing is connected. */
export const fixedScope: Scope = 'openid';

/** Scopes to tick, all ticked: changing, looking and identity apart, and by area. */
export function scopeChoice(say: Translator, scopes: readonly Scope[], before: ReadonlySet<string>): Html[] {
  return order.flatMap((access) => {
    const rows = rowsOf(scopes).filter((row) => row.access === access);
    if (rows.length === 0) return [];
    const lists = byArea(rows).map(
      ([area, listed]) => html`
${access !== 'identity' && html`<h3>${say.text(`area.${area}`)}</h3>`}
${listed.map(({ scope }) => tick(say, scope, before.has(scope)))}`,
    );
    return html`
<fieldset class="scopes ${access}">
<legend><h2>${say.text(`access.${access}`)}</h2></legend>
${lists}
</fieldset>`;
  });
}

function tick(say: Translator, scope: Scope, known: boolean): Html {
  const text = html`${say.scope(scope)}${known && html` <span class="badge good">${say.text('consent.before')}</span>`}`;
  if (scope === fixedScope) {
    const always = html` <span class="badge">${say.text('consent.always')}</span>`;
    return html`<div class="tick"><span class="mark" aria-hidden="true">✓</span><span>${text}${always}</span></div>`;
  }
  return html`<label class="tick"><input type="checkbox" name="scope" value="${scope}" checked><span>${text}</span></label>`;
}

/** What an application may do, to read. */
export function scopeList(say: Translator, scopes: readonly Scope[]): Html {
  const rows = order.flatMap((access) => rowsOf(scopes).filter((row) => row.access === access));
  return html`<ul>${rows.map(({ scope }) => html`<li>${say.scope(scope)}</li>`)}</ul>`;
}

/** The catalogue's rows of these scopes, in its order. */
export function rowsOf(scopes: readonly Scope[]): Row[] {
  return scopeCatalogue.filter(({ scope }) => scopes.includes(scope));
}

/** Rows under the heading of their area. */
export function byArea(rows: readonly Row[]): [Row['area'], Row[]][] {
  return [...Map.groupBy(rows, ({ area }) => area)];
}
