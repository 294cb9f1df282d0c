import type { TextKey } from '../../i18n/texts.ts';
import type { TextValues } from '../../i18n/translations.ts';
import { html } from './html.ts';
import type { PageBuilder } from './pages.ts';

interface Message {
  readonly title: TextKey;
  readonly texts: readonly TextKey[];
  /** For the placeholders of all these texts. */
  readonly values?: TextValues | undefined;
  readonly status: number;
  /** What the visitor can do next. */
  readonly action?: { readonly text: TextKey; readonly href: string } | undefined;
}

export function messagePage({ title, texts, values, status, action }: Message): PageBuilder {
  return (t) => ({
    title: t.text(title, values),
    heading: t.html(title, values),
    status,
    body: html`${texts.map((text) => html`<p>${t.html(text, values)}</p>`)}
${action && html`<p class="actions"><a class="button" href="${action.href}">${t.text(action.text)}</a></p>`}`,
  });
}
