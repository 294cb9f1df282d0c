import { factList } from './facts.ts';
import { html, type Html, type HtmlValue } from './markup.ts';

interface Receipt {
  readonly text: Html;
  readonly facts: readonly (readonly [name: Html, value: HtmlValue])[];
  /** Forms and links. */
  readonly actions: Html;
  readonly note?: Html | false | undefined;
}

/** What was just done, with what it means and the ways on. A `roundTile` stands above the heading of its page. */
export function receipt({ text, facts, actions, note }: Receipt): Html {
  return html`<p>${text}</p>
${factList(facts)}
${actions}
${note && html`<p class="soft">${note}</p>`}`;
}
