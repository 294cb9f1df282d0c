import { html, type Html } from './markup.ts';

/** Why what was posted changes nothing: read first, with the focus. */
export function problem(text: Html, id?: string): Html {
  return html`<div class="problems" role="alert" tabindex="-1" autofocus${id !== undefined && html` id="${id}"`}>${text}</div>`;
}
