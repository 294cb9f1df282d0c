import { html } from './html.ts';
import type { Page } from './layout.ts';

/** Somewhere to go on from a message. */
export interface WayOut {
  readonly text: string;
  readonly href: string;
}

/** A page that says what happened and what to do. */
export function messagePage(
  title: string,
  texts: readonly string[],
  status: number,
  waysOut: readonly WayOut[] = [],
): Page {
  return {
    title,
    status,
    body: html`${texts.map((text) => html`<p>${sentence(text)}</p>`)}
${waysOut.length > 0 && html`<p class="actions">${waysOut.map((way) => html`<a class="button" href="${way.href}">${way.text}</a>`)}</p>`}`,
  };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
