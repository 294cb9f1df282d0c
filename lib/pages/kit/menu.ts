import { html, type Html } from './markup.ts';

/** A button that opens a few choices; it needs no script. */
export function menu(name: Html, content: Html): Html {
  return html`<details class="menu"><summary class="button">${name}</summary><div>${content}</div></details>`;
}
