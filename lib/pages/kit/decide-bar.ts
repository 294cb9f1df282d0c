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

/** What a button says of what is ticked. The style shows one of them. */
interface TickedTexts {
  /** While something that changes data is ticked, and where nothing else says it. */
  readonly some: Html;
  /** While something is ticked that only views. @default `some` */
  readonly view?: Html | false | undefined;
  /** While nothing is ticked. @default as with the others */
  readonly none?: Html | false | undefined;
  /** After `some`: how many are ticked, of how many. @default it does not count */
  readonly of?: Html | false | undefined;
}

/** Says what a decision gives, as what is ticked changes: without a script. */
export function tickedText({ some, view, none, of }: TickedTexts): Html {
  return html`${view && html`<span class="only-view">${view}</span>`}${none && html`<span class="only-none">${none}</span>`}<span class="some">${some}${of && html`<span class="n" aria-hidden="true">${of}</span>`}</span>`;
}
