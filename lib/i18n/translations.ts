import { IntlMessageFormat } from 'intl-messageformat';
import { directionOf, negotiate, withoutControls } from './language.ts';
import { englishTexts, type TextKey, type Texts } from './texts.ts';
import { traditionalChinese } from './traditional-chinese.ts';

/** What stands in the braces of a text. */
export type Values<M = never> = Readonly<Record<string, string | number | M>>;

/** A piece of a text: our own words, or a value that somebody else wrote, whose direction is its own. */
export type Part = string | Foreign;

/** A value that somebody else wrote. */
export interface Foreign {
  readonly foreign: string;
}

/** Our texts in one language. */
export interface Translations {
  /** A language tag. BCP 47. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** A text without markup; values are kept apart by direction marks. */
  text(key: TextKey, values?: Values): string;
  /** A text in pieces, for markup around values; a value of the caller's own type `M` is passed through. */
  parts<M extends object>(key: TextKey, values?: Values<M>): readonly (Part | M)[];
  /** A day, from seconds since the epoch. */
  date(seconds: number): string;
}

/** Texts by language tag: to add a language, or to replace single texts of one that there is. ICU messages. */
export type TextOverrides = Readonly<Record<string, Partial<Texts>>>;

/** Finds the words for the first wish that can be met; English for none. */
export type TranslationsFinder = (wishes: readonly string[]) => Translations;

const own: Readonly<Record<string, Texts>> = { en: englishTexts, 'zh-Hant': traditionalChinese };

/** Our languages with an embedder's own texts. What a new language lacks is in English. */
export function translationsFinder(overrides: TextOverrides): TranslationsFinder {
  const languages = [...new Set([...Object.keys(own), ...Object.keys(overrides)])];
  const words = new Map(
    languages.map((tag) => [tag, createTranslations(tag, { ...englishTexts, ...own[tag], ...overrides[tag] })]),
  );
  const english = createTranslations('en', { ...englishTexts, ...overrides['en'] });
  return (wishes) => words.get(negotiate(languages, wishes) ?? 'en') ?? english;
}

/** An ICU message, parsed. Angle brackets are text. */
export function parseMessage(message: string, language: string): IntlMessageFormat {
  return new IntlMessageFormat(message, language, undefined, { ignoreTag: true });
}

function createTranslations(language: string, texts: Texts): Translations {
  const parsed = new Map<TextKey, IntlMessageFormat>();
  const messageOf = (key: TextKey): IntlMessageFormat => {
    let message = parsed.get(key);
    if (!message) parsed.set(key, (message = parseMessage(texts[key], language)));
    return message;
  };
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const parts = <M extends object>(key: TextKey, values: Values<M> = {}): readonly (Part | M)[] => {
    const wrapped = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? { foreign: value } : value]),
    );
    return messageOf(key)
      .formatToParts<Foreign | M>(wrapped)
      .map(({ value }) => value);
  };
  return {
    language,
    direction: directionOf(language),
    parts,
    text: (key, values) =>
      parts<never>(key, values)
        .map((part) => (typeof part === 'string' ? part : `\u2068${withoutControls(part.foreign)}\u2069`))
        .join(''),
    date: (seconds) => day.format(seconds * 1000),
  };
}
