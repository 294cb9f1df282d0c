import { html, type Html } from './markup.ts';

const classes = { more: 'more', number: 'num', moreNumber: 'num more' } as const;

interface Column {
  readonly heading: Html;
  /** What begins with `more` is left out on a phone; a number ends at the same place in each row. */
  readonly kind?: keyof typeof classes | undefined;
}

interface AppCell {
  readonly tile: Html;
  readonly href: string;
  readonly name: Html;
  /** Where it comes from, or what kind it is. */
  readonly hint: Html;
}

/** The cell that names an app, and leads to its page. */
export function appCell({ tile, href, name, hint }: AppCell): Html {
  return html`<div class="app">${tile}<div><a href="${href}">${name}</a> <span class="soft">${hint}</span></div></div>`;
}

function classOf(kind: keyof typeof classes | undefined): Html | false {
  return kind !== undefined && html` class="${classes[kind]}"`;
}

/** Rows to compare. The first column has what names the row. */
export function table(caption: Html, columns: readonly Column[], rows: readonly (readonly Html[])[]): Html {
  return html`<table><caption class="hide">${caption}</caption>
<thead><tr>${columns.map(({ heading, kind }) => html`<th scope="col"${classOf(kind)}>${heading}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => html`<td${classOf(columns[i]?.kind)}>${cell}</td>`)}</tr>\n`)}</tbody></table>`;
}
