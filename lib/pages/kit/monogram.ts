import { html, type Html } from './html.ts';

const initial = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/**
 * A picture for a name: the image at an address that the policy of the page permits, or else the first letter. It says nothing
 * that the text beside it does not say.
 */
export function monogram(name: string, image?: string): Html {
  if (image !== undefined) return html`<img class="mark" src="${image}" alt="">`;
  // One code point: a letter can be followed by any number of combining marks.
  const letter = initial.exec(name)?.[0] ?? '';
  return html`<span class="mark" aria-hidden="true">${letter.toUpperCase().slice(0, 2)}</span>`;
}
