import type { Scope } from '../../protocol/scopes.ts';
import { withoutControls } from '../../i18n/language.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { Values, Translations } from '../../i18n/translations.ts';
import { html, Html } from './html.ts';

/** Our texts in the visitor's language, as pages use them. */
export interface Translator {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Plain text, for titles and attributes. */
  text(key: TextKey, values?: Values): string;
  /** Markup: each value that somebody else wrote is in a `<bdi>`, so that it turns nothing around it. */
  html(key: TextKey, values?: Values<Html>): Html;
  /** What a scope lets an application do. */
  scope(scope: Scope): string;
  /** A day, from seconds since the epoch. */
  date(seconds: number): Html;
}

/** How pages speak with these words. */
export function translatorFor(words: Translations): Translator {
  return {
    language: words.language,
    direction: words.direction,
    text: (key, values) => words.text(key, values),
    html: (key, values) =>
      html`${words.parts(key, values).map((part) => (typeof part === 'string' || part instanceof Html ? part : foreign(part.foreign)))}`,
    scope: (scope) => words.text(`scope.${scope}`),
    date: (seconds) =>
      html`<time datetime="${new Date(seconds * 1000).toISOString().slice(0, 10)}">${words.date(seconds)}</time>`,
  };
}

/** What somebody else wrote, in its own direction. */
export function foreign(text: string): Html {
  return html`<bdi>${withoutControls(text)}</bdi>`;
}

const longest = 80;

/** A name, cut where it would push everything else off the page. */
export function shortName(name: string): string {
  // Bounded twice: one character may be made of very many.
  const start = withoutControls(name).slice(0, longest * 10);
  const characters = Array.from(new Intl.Segmenter().segment(start), ({ segment }) => segment);
  const kept = characters.slice(0, longest).join('');
  return kept === withoutControls(name) ? kept : `${kept}…`;
}
