import { type ScopeCatalogue, scopeCatalogue, type ScopeRow, type StandardScope } from '../core/scopes/scopes.ts';
import { featureTexts } from '../features/texts.ts';
import coreTexts from './en.json' with { type: 'json' };

type StandardScopeKey = `scope.${StandardScope}` | `area.${(typeof scopeCatalogue)[number]['area']}`;

type ScopeKey = `scope.${string}` | `area.${string}`;

/**
 * What the host adds that needs no scope: `sees.Viewer.house`, `sees.tool.timetable`, `sees.https://school.example/plan`; and what
 * Activity says of a call of a tool: `did.create_course`.
 */
type HostKey = `sees.${string}` | `did.${string}`;

/** The keys of `en.json` here and in the features. Scopes have their texts in the scope catalogue. */
type FixedKey = keyof typeof coreTexts | keyof typeof featureTexts;

/** The key of a text. The host's scopes and their areas also have keys: `scope.lessons:write`, `area.Lessons`. */
export type TextKey = FixedKey | ScopeKey | HostKey;

/** The texts of the specification's scopes. */
type ScopeTexts = Readonly<Record<StandardScopeKey, string>>;

/** The texts that a campus has in one language: those of its own scopes, and of no others. */
export type CampusTexts = Readonly<Record<FixedKey, string>> & Readonly<Record<ScopeKey, string>>;

/** Some texts in one language, to add or to replace. */
export type SomeTexts = Partial<Readonly<Record<FixedKey, string>> & ScopeTexts> &
  Readonly<Record<ScopeKey | HostKey, string>>;

/** Every text of the pages in one language, as ICU messages. */
export type Texts = CampusTexts & ScopeTexts;

/** In English: the texts that do not depend on the scopes. */
export const fixedTexts: Readonly<Record<string, string>> & Readonly<Record<FixedKey, string>> = {
  ...coreTexts,
  ...featureTexts,
};

export function isScopeKey(key: string): key is ScopeKey {
  return /^(?:scope|area)\./.test(key);
}

/** What is seen has a name with a dot, a colon or a slash. */
export function isHostKey(key: string): key is HostKey {
  return /^(?:sees\..*[.:/]|did\..)/.test(key);
}

/** English. The host's own scopes have the texts of their rows, in whatever language those are. */
export function englishTexts(catalogue: ScopeCatalogue): CampusTexts {
  const texts = inEnglish.get(catalogue) ?? { ...fixedTexts, ...scopeTexts(catalogue.rows) };
  inEnglish.set(catalogue, texts);
  return texts;
}

const inEnglish = new WeakMap<ScopeCatalogue, CampusTexts>();

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
export function forOthers({ row }: ScopeCatalogue, key: ScopeKey): TextKey {
  const variant = `people.${key}`;
  const standard = scopeCatalogue.find(({ scope }) => key === `scope.${scope}`);
  const isReplaced = standard !== undefined && row(standard.scope)?.text !== standard.text;
  return isFixedKey(variant) && !isReplaced ? variant : key;
}

export function isFixedKey(key: string): key is FixedKey {
  return Object.hasOwn(fixedTexts, key);
}

/** Without translations of texts that the host has replaced: they would say something else than its own. */
export function stillTrue(catalogue: ScopeCatalogue, translations: Texts): SomeTexts {
  const keys = new Set<string>(replacedScopes(catalogue).map((scope) => `scope.${scope}`));
  return Object.fromEntries(Object.entries(translations).filter(([key]) => !keys.has(key)));
}
