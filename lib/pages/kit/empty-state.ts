import { icon, type IconName } from './icons.ts';
import { html, type Html } from './markup.ts';

interface EmptyState {
  readonly icon: IconName;
  readonly text: Html;
  /** What to do now. */
  readonly action?: { readonly text: Html; readonly href: string } | undefined;
}

/** In place of a list that has nothing. */
export function emptyState({ icon: name, text, action }: EmptyState): Html {
  return html`<div class="empty"><span class="tile round">${icon(name)}</span><p>${text}</p>${action && html`<a class="button" href="${action.href}">${action.text}</a>`}</div>`;
}
