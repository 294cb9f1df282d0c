import { type ScopeCatalogue, scopeCatalogue, type ScopeRow, type StandardScope } from '../core/scopes/scopes.ts';
import { isToldAlone } from '../host/standard-claims.ts';
import type { FeatureTexts } from '../kernel/feature-texts.ts';
import { added } from '../kernel/added.ts';
import coreTexts from './en.json' with { type: 'json' };
import coreInChinese from './zh-Hant.json' with { type: 'json' };

/** The keys of the texts of the specification's scopes and their areas. */
export type StandardScopeKey = `scope.${StandardScope}` | `area.${(typeof scopeCatalogue)[number]['area']}`;

/** The keys of the texts of scopes and their areas. */
export type ScopeKey = `scope.${string}` | `area.${string}`;

/**
 * What the host adds that needs no scope: `sees.Viewer.house`, `sees.tool.timetable`, `sees.https://school.example/plan`; and what
 * Activity says of a call of a tool: `did.create_course`.
 */
export type HostKey = `sees.${string}` | `did.${string}`;

/** The keys of `en.json` here and in the features. Scopes have their texts in the scope catalogue. */
export type FixedKey = keyof typeof coreTexts | keyof FeatureTexts;

/** The key of a text. Your own scopes and their areas also have keys: `scope.lessons:write`, `area.Lessons`. */
export type TextKey = FixedKey | ScopeKey | HostKey;

/** The texts that a campus has in one language: those of its own scopes, and of no others. */
export type CampusTexts = Readonly<Record<FixedKey, string>> & Readonly<Record<ScopeKey, string>>;

/** Some texts in one language, to add or to replace. */
export type SomeTexts = Readonly<Partial<Record<FixedKey | StandardScopeKey, string>>> &
  Readonly<Record<ScopeKey | HostKey, string>>;

/** Every text of the pages in one language, as ICU messages. */
export type Texts = CampusTexts & Readonly<Record<StandardScopeKey, string>>;

/** Texts by key. */
type TextFile = Readonly<Record<string, string>>;

/** A feature with texts of its own, in each built-in language. */
export interface WordedFeature {
  readonly texts?: { readonly en: TextFile; readonly 'zh-Hant': TextFile };
}

/** The texts in English, which has all of them. */
export type EnglishTexts = TextFile & Readonly<Record<FixedKey, string>>;

/** The texts that do not depend on the scopes: those of the core and of features, in each built-in language. */
export interface FixedTexts {
  readonly en: EnglishTexts;
  /** With those of the specification's scopes, which are in the scope catalogue in English. */
  readonly 'zh-Hant': Texts;
}

export function fixedTexts(features: readonly WordedFeature[]): FixedTexts {
  const inLanguage = <T extends TextFile>(core: T, language: keyof FixedTexts): T & FeatureTexts & TextFile => {
    const own = added<FeatureTexts & TextFile>(features.map(({ texts }) => texts?.[language]));
    return { ...core, ...own };
  };
  return { en: inLanguage(coreTexts, 'en'), 'zh-Hant': inLanguage(coreInChinese, 'zh-Hant') };
}

export function isScopeKey(key: string): key is ScopeKey {
  return /^(?:scope|area)\./.test(key);
}

/** What is seen has a name with a dot, a colon or a slash, or is a standard claim. */
export function isHostKey(key: string): key is HostKey {
  return /^(?:sees\..*[.:/]|did\..)/.test(key) || (key.startsWith('sees.') && isToldAlone(key.slice('sees.'.length)));
}

/** English. The host's own scopes have the texts of their rows, in whatever language those are. */
export function englishTexts({ en }: FixedTexts, catalogue: ScopeCatalogue): CampusTexts {
  return { ...en, ...scopeTexts(catalogue.rows) };
}

/** Whether a text of `englishTexts` is the host's own. */
export function isOwnText({ rows }: ScopeCatalogue): (key: TextKey) => boolean {
  const [own, standard] = [rows, scopeCatalogue].map((each) => new Map(Object.entries(scopeTexts(each))));
  return (key) => own?.get(key) !== standard?.get(key);
}

function scopeTexts(rows: readonly ScopeRow[]): Record<ScopeKey, string> {
  const texts: Record<ScopeKey, string> = {};
  for (const { scope, area, text } of rows) {
    texts[`scope.${scope}`] = literal(text);
    texts[`area.${area}`] = literal(area);
  }
  return texts;
}

/** As an ICU message. Texts of scopes have no braces. */
function literal(text: string): string {
  return text.replaceAll("'", "''");
}

/** The scopes of the specification whose text the host has replaced. */
export function replacedScopes({ row }: ScopeCatalogue): StandardScope[] {
  return scopeCatalogue.filter(({ scope, text }) => row(scope)?.text !== text).map(({ scope }) => scope);
}

/** The key of the text that names other people, if the one of a scope or an area says `your`; unless the host replaced it. */
export function forOthers(has: (key: string) => key is FixedKey, { row }: ScopeCatalogue, key: ScopeKey): TextKey {
  const variant = `people.${key}`;
  const standard = scopeCatalogue.find(({ scope }) => key === `scope.${scope}`);
  const isReplaced = standard !== undefined && row(standard.scope)?.text !== standard.text;
  return has(variant) && !isReplaced ? variant : key;
}

/** Without translations of texts that the host has replaced: they would say something else than its own. */
export function stillTrue(catalogue: ScopeCatalogue, translations: Texts): SomeTexts {
  const keys = new Set<string>(replacedScopes(catalogue).map((scope) => `scope.${scope}`));
  return Object.fromEntries(Object.entries(translations).filter(([key]) => !keys.has(key)));
}
