import { icon } from './icons.ts';
import { html, type Html } from './markup.ts';

interface RowParts {
  readonly tile: Html;
  readonly name: Html;
  readonly hint?: Html | false | undefined;
  readonly status?: Html | false | undefined;
}

function cells({ tile, name, hint, status }: RowParts): Html {
  return html`${tile}<span><b>${name}</b>${hint && html` <span class="soft">${hint}</span>`}</span>${status}`;
}

/** A row that leads to a page, clickable as a whole. */
export function rowLink(href: string, parts: RowParts): Html {
  return html`<a class="row" href="${href}">${cells(parts)}${icon('next')}</a>`;
}

/** The same where there is no such page, with a button or nothing at its end. */
export function plainRow(parts: RowParts, end?: Html | false): Html {
  return html`<div class="row">${cells(parts)}${end}</div>`;
}

/** Rows with a line between them; `also` is a class for stylesheets of hosts. */
export function rowList(rows: readonly Html[], also?: 'apps'): Html | false {
  return (
    rows.length > 0 &&
    html`<ul class="lines${also !== undefined && ` ${also}`}">${rows.map((row) => html`<li>${row}</li>\n`)}</ul>`
  );
}
