import { html, type Html } from './markup.ts';

/** Why what was posted changes nothing: read first, with the focus. */
export function problem(text: Html, id?: string): Html {
  return html`<div class="problems" role="alert" tabindex="-1" autofocus${id !== undefined && html` id="${id}"`}>${text}</div>`;
}

/** The same for several fields, each with a link to it. */
export function problems(heading: Html, fields: readonly { readonly id: string; readonly text: Html }[]): Html {
  return html`<div class="problems" role="alert" tabindex="-1" autofocus><h2>${heading}</h2>
<ul>${fields.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></div>`;
}
