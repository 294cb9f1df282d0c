import { IntlMessageFormat } from 'intl-messageformat';
import { type Dates, datesIn } from './dates.ts';
import { directionOf, negotiateLanguage, withoutControls } from './language.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import { isToldAlone } from '../host/standard-claims.ts';
import {
  englishTexts,
  type FixedKey,
  type FixedTexts,
  isOwnText,
  isHostKey,
  type SomeTexts,
  stillTrue,
  type TextKey,
} from './texts.ts';

/** By the names of a text's placeholders. `M` is markup that is passed through. */
export type TextValues<M = never> = Readonly<Record<string, string | number | M>>;

/** An untrusted value that must not affect the text around it. */
interface IsolatedValue {
  readonly isolated: string;
}

/** For the `lang` and `dir` of a part of a page. */
export interface TextLanguage {
  /** Empty if it is not known. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl' | 'auto';
}

/** Texts without markup. */
export interface PlainTexts {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Plain text; Unicode isolates surround the values. */
  readonly text: (key: TextKey, values?: TextValues) => string;
  /** Whether there is such a text. */
  readonly has: (key: string) => key is FixedKey;
}

export interface Translations extends PlainTexts, Dates {
  /** For markup around the values; a value of type `M` is passed through. */
  readonly parts: <M extends object>(key: TextKey, values?: TextValues<M>) => readonly (string | IsolatedValue | M)[];
  /** The language of a text that is not in the language of the others. */
  readonly otherLanguage: (key: TextKey) => TextLanguage | undefined;
}

/** ICU messages by language tag: adds languages, or replaces individual texts of existing languages. */
export type TextOverrides = Readonly<Record<string, SomeTexts>>;

/** What the host says of what it adds and does, in English or else in another language. */
function hostTexts(overrides: TextOverrides): SomeTexts {
  const texts = [...Object.values(overrides), overrides['en'] ?? {}].flatMap((each) => Object.entries(each));
  return Object.fromEntries(texts.filter(([key]) => isHostKey(key)));
}

function isClaim(name: string): boolean {
  return /[:/]/.test(name) || isToldAlone(name);
}

/** The names of what the host says something of. Those of claims have a namespace, or are standard. */
export function hostNames(
  overrides: TextOverrides,
): Readonly<Record<'claims' | 'fields' | 'calls', readonly string[]>> {
  const keys = Object.keys(hostTexts(overrides));
  const after = (start: string): string[] =>
    keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
  const seen = after('sees.');
  return { claims: seen.filter(isClaim), fields: seen.filter((name) => !isClaim(name)), calls: after('did.') };
}

interface TranslationsFinder {
  readonly languages: readonly string[];
  /** The best match. English stands in for missing languages and texts. */
  readonly find: (preferred: readonly string[]) => Translations;
}

/** For the built-in languages and the embedder's. */
export function translationsFinder(
  fixed: FixedTexts,
  overrides: TextOverrides,
  catalogue: ScopeCatalogue,
): TranslationsFinder {
  const has = (key: string): key is FixedKey => Object.hasOwn(fixed.en, key);
  const standard = { ...englishTexts(fixed, catalogue), ...hostTexts(overrides) };
  const builtIn: TextOverrides = { en: standard, 'zh-Hant': stillTrue(catalogue, fixed['zh-Hant']) };
  const languages = [...new Set([...Object.keys(builtIn), ...Object.keys(overrides)])];
  const isOwn = isOwnText(catalogue);
  const english = createTranslations('en', has, { ...standard, ...overrides['en'] });
  const fallback: Fallback = {
    translations: createTranslations('en', has, standard),
    // The host's own texts are in whatever language its people read.
    languageOf: (key) =>
      isOwn(key) || isHostKey(key) ? { language: '', direction: 'auto' } : { language: 'en', direction: 'ltr' },
  };
  const translations = new Map(
    languages.map((tag) => [tag, createTranslations(tag, has, { ...builtIn[tag], ...overrides[tag] }, fallback)]),
  );
  return {
    languages,
    find: (preferred) => translations.get(negotiateLanguage(languages, preferred) ?? 'en') ?? english,
  };
}

/** Angle brackets are plain text, not markup. */
function parseMessage(message: string, language: string): IntlMessageFormat {
  return new IntlMessageFormat(message, language, undefined, { ignoreTag: true });
}

/** The text of a message without placeholders, on one line. */
export function plainText(message: string): string {
  return String(parseMessage(message, 'en').format()).replaceAll(/\s+/g, ' ');
}

/** For the texts that a language lacks. */
interface Fallback {
  readonly translations: Translations;
  readonly languageOf: (key: TextKey) => TextLanguage;
}

function createTranslations(
  language: string,
  has: (key: string) => key is FixedKey,
  texts: SomeTexts,
  fallback?: Fallback,
): Translations {
  const isEnglish = /^en\b/i.test(language);
  const parsed = new Map<TextKey, IntlMessageFormat>();
  const messageOf = (key: TextKey): IntlMessageFormat => {
    let message = parsed.get(key);
    if (!message) parsed.set(key, (message = parseMessage(texts[key] ?? key, language)));
    return message;
  };
  const parts: Translations['parts'] = <M extends object>(key: TextKey, values: TextValues<M> = {}) => {
    if (fallback && texts[key] === undefined) return fallback.translations.parts(key, values);
    const isolatedValues = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? { isolated: value } : value]),
    );
    return messageOf(key)
      .formatToParts<IsolatedValue | M>(isolatedValues)
      .map(({ value }) => value);
  };
  return {
    language,
    direction: directionOf(language),
    has,
    parts,
    otherLanguage: (key) => (isEnglish || texts[key] !== undefined ? undefined : fallback?.languageOf(key)),
    text: (key, values) =>
      parts<never>(key, values)
        .map((part) => (typeof part === 'string' ? part : `\u2068${withoutControls(part.isolated)}\u2069`))
        .join(''),
    ...datesIn(language),
  };
}

interface Element {
  readonly type: number;
  readonly value?: unknown;
  readonly options?: Readonly<Record<string, { readonly value: readonly Element[] }>>;
}

/** Element types without a value: literal text, and `#`. */
const literalTypes = new Set([0, 7]);

/** The names of an ICU message's placeholders. @throws SyntaxError if the message is invalid */
export function placeholdersOf(message: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (elements: readonly Element[]): void => {
    for (const { type, value, options } of elements) {
      if (!literalTypes.has(type)) names.add(String(value));
      for (const option of Object.values(options ?? {})) visit(option.value);
    }
  };
  visit(parseMessage(message, 'en').getAst());
  return names;
}
