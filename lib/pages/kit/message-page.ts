import { html, type Html } from './html.ts';
import type { PageIn } from './pages.ts';
import type { Translator } from './translator.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { Values } from '../../i18n/translations.ts';

/** What happened, and where to go on. */
export interface Message {
  readonly title: TextKey;
  readonly texts: readonly TextKey[];
  /** What stands in the braces of any of the texts. */
  readonly values?: Values | undefined;
  readonly status: number;
  readonly wayOut?: { readonly text: TextKey; readonly href: string } | undefined;
}

/** A page that says what happened and what to do. */
export function messagePage({ title, texts, values, status, wayOut }: Message): PageIn {
  return (say) => ({
    title: say.text(title, values),
    heading: say.html(title, values),
    status,
    body: html`${texts.map((text) => html`<p>${say.html(text, values)}</p>`)}
${wayOut && html`<p class="actions"><a class="button" href="${wayOut.href}">${say.text(wayOut.text)}</a></p>`}`,
  });
}

/** For whoever reads English: what a developer has to know. */
export function technical(say: Translator, text: string): Html {
  return html`<p class="soft">${say.text('error.details')}<br><span lang="en" dir="ltr">${text}</span></p>`;
}
