import { html, type Html } from './markup.ts';

interface DecideButton {
  readonly value: string;
  readonly text: Html;
  /** The first one, which costs nothing. */
  readonly isPrimary?: boolean | undefined;
  /** Its text needs a line of its own. */
  readonly isLong?: boolean | undefined;
}

/** The buttons of a decision, which stay in view at the bottom edge; at most three. They are named `decision`. */
export function decideBar(buttons: readonly DecideButton[]): Html {
  return html`<div class="actions stay">
${buttons.map(({ value, text, isPrimary, isLong }) => {
  const names = [isPrimary === true && 'primary', isLong === true && 'full'].filter((each) => each !== false);
  return html`<button${names.length > 0 && html` class="${names.join(' ')}"`} type="submit" name="decision" value="${value}"><span>${text}</span></button>\n`;
})}</div>`;
}

/** The text of a button that counts what is ticked; `viewOnly` stands in its place while nothing that changes data is. */
export function countedText(viewOnly: Html | false, text: Html, of: Html): Html {
  return html`${viewOnly && html`<span class="none">${viewOnly}</span>`}<span class="some">${text}<span class="n" aria-hidden="true">${of}</span></span>`;
}
