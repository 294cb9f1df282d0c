import { icon, type IconName } from './icons.ts';
import { html, type Html } from './markup.ts';

/** One line about who is behind an app: what it begins with is what has been checked, or what has not. */
export function trustLine(content: Html, isChecked: boolean): Html {
  const name: IconName = isChecked ? 'shield' : 'warn';
  return html`<p class="trust">${icon(name, isChecked ? 'good' : 'warn')}<span>${content}</span></p>`;
}

/** Above an app: the way back to its list. */
export function backLink(href: string, text: Html): Html {
  return html`<a class="back" href="${href}">${icon('back')}${text}</a>`;
}

interface AppHeader {
  readonly tile: Html;
  /** The heading. */
  readonly name: Html;
  readonly trust?: Html | false | undefined;
  readonly status?: Html | false | undefined;
}

/** An app at the top of its page. */
export function appHeader({ tile, name, trust, status }: AppHeader): Html {
  return html`<div class="app">${tile}<div>${name}${trust}</div>${status}</div>`;
}
