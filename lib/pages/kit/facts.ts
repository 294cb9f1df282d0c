import { html, type Html, type HtmlValue } from './markup.ts';

/** A pair of a list of facts; it stays on one line where there is room. */
export function fact(name: Html, value: HtmlValue): Html {
  return html`<div><dt>${name}</dt> <dd>${value}</dd></div>`;
}

/** Names with their values; without one, nothing. */
export function factList(rows: readonly (readonly [name: Html, value: HtmlValue])[]): Html | false {
  return rows.length > 0 && html`<dl class="facts">${rows.map(([name, value]) => fact(name, value))}</dl>`;
}
