import type { Scope, ScopeCatalogue } from '../../core/scopes/scopes.ts';
import { withoutControls } from '../../i18n/language.ts';
import { forOthers, type TextKey } from '../../i18n/texts.ts';
import type { TimeFormat } from '../../i18n/dates.ts';
import type { TextLanguage, TextValues, Translations, PlainTexts } from '../../i18n/translations.ts';

/**
 * Markup, which `html` makes and uses as it is. `new Html(text)` takes a string as markup, for example what a template engine returns: all plain text in
 * it must have been escaped.
 */
export class Html {
  /** The markup as a string. */
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value for `html`: text is escaped, `Html` is not, lists are joined, `undefined` and `false` are omitted. */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | undefined | false;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Creates markup: a tag for template literals that escapes every text, including text in quoted attributes. For `pages.template` and
 * `pages.consentPage`.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.map((text, i) => (i === 0 ? '' : render(values[i - 1])) + text).join(''));
}

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

export interface Translator extends PlainTexts {
  /** Values are isolated: see `isolated`. */
  html(key: TextKey, values?: TextValues<Html>): Html;
  scope(scope: Scope): Html;
  /** The text of a scope or an area for someone who reads what other people allow. */
  forOthers(key: `scope.${Scope}` | `area.${string}`): Html;
  /** The scopes that it has texts for. */
  readonly catalogue: ScopeCatalogue;
  /** The whole date of a time in seconds since the epoch, in the time zone of the school. */
  date(seconds: number): Html;
  /** yesterday, today, tomorrow, otherwise a short date, with its year unless that is within twelve months. */
  nearDate(seconds: number): Html;
  /** The same as text. */
  nearDay(seconds: number): string;
  /** The whole date with the time of day. */
  moment(seconds: number): Html;
  /** The near date with the time of day: today, 1:28 PM. */
  nearMoment(seconds: number): Html;
  /** The time of day alone. */
  clock(seconds: number): Html;
}

export function translatorFor(translations: Translations, catalogue: ScopeCatalogue, timeZone = 'UTC'): Translator {
  const { language, direction, text, has, parts, date, moment, clock, nearDate, nearMoment, otherLanguage } =
    translations;
  const markup: Translator['html'] = (key, values) => {
    const other = otherLanguage(key);
    const own = (part: Html): Html => (other ? inLanguage({ language, direction }, part) : part);
    const content = html`${parts(key, values).map((part) => (typeof part === 'string' ? part : part instanceof Html ? own(part) : isolated(part.isolated)))}`;
    return other ? inLanguage(other, content) : content;
  };
  const time = (format: TimeFormat, seconds: number): Html =>
    html`<time datetime="${new Date(seconds * 1000).toISOString()}">${format(seconds, timeZone)}</time>`;
  return {
    language,
    direction,
    catalogue,
    text,
    has,
    html: markup,
    scope: (scope) => markup(`scope.${scope}`),
    forOthers: (key) => markup(forOthers(has, catalogue, key)),
    date: (seconds) => time(date, seconds),
    nearDate: (seconds) => time(nearDate, seconds),
    nearDay: (seconds) => nearDate(seconds, timeZone),
    moment: (seconds) => time(moment, seconds),
    nearMoment: (seconds) => time(nearMoment, seconds),
    clock: (seconds) => time(clock, seconds),
  };
}

function inLanguage({ language, direction }: TextLanguage, content: Html): Html {
  return html`<span lang="${language}" dir="${direction}">${content}</span>`;
}

/** Untrusted text in a `<bdi>`: its direction does not affect the text around it. */
export function isolated(text: string): Html {
  return html`<bdi>${withoutControls(text)}</bdi>`;
}

/** Beside the name of a client that chose it itself. */
export function claimedMark(t: Translator): Html {
  return html` <span class="badge warn">${t.html('consent.claimed')}</span>`;
}

const maxCharacters = 80;

/** Truncates a name that would push the rest of the page out of view. */
export function shortName(name: string): string {
  // A single grapheme can consist of any number of code points, so the code units are bounded first.
  const visible = withoutControls(name);
  if (visible.length <= maxCharacters) return visible;
  const start = visible.slice(0, maxCharacters * 10);
  const characters = Array.from(new Intl.Segmenter().segment(start), ({ segment }) => segment);
  const truncated = characters.slice(0, maxCharacters).join('');
  return truncated === visible ? truncated : `${truncated}…`;
}
