import { icon, type IconName } from './icons.ts';
import { html, type Html } from './markup.ts';

interface MenuChoice {
  readonly href: string;
  readonly icon: IconName;
  readonly name: Html;
  readonly hint: Html;
}

/** A button that opens a few choices, each a page; it needs no script. */
export function menu(name: Html, choices: readonly MenuChoice[]): Html {
  return html`<details class="menu"><summary class="button primary">${name}</summary><div>${choices.map(
    (choice) =>
      html`<a class="row" href="${choice.href}">${icon(choice.icon)}<span><b>${choice.name}</b> <span class="soft">${choice.hint}</span></span></a>\n`,
  )}</div></details>`;
}
