import { scopeCatalogue, type Scope } from '../protocol/scopes.ts';
import { english } from './english.ts';

type Area = (typeof scopeCatalogue)[number]['area'];

type ScopeTextKey = `scope.${Scope}` | `area.${Area}`;

/** The key of a text. */
export type TextKey = keyof typeof english | ScopeTextKey;

/** The texts of the catalogue of scopes. */
export type ScopeTexts = Readonly<Record<ScopeTextKey, string>>;

/** Every text of the pages in one language, as ICU messages. */
export type Texts = Readonly<Record<TextKey, string>>;

function scopeTexts(): ScopeTexts {
  const texts: Partial<Record<ScopeTextKey, string>> = {};
  for (const { scope, area, text } of scopeCatalogue) {
    texts[`scope.${scope}`] = text;
    texts[`area.${area}`] = area;
  }
  if (!isComplete(texts)) throw new Error('a scope has no text');
  return texts;
}

function isComplete(texts: Partial<ScopeTexts>): texts is ScopeTexts {
  return scopeCatalogue.every(
    ({ scope, area }) => texts[`scope.${scope}`] !== undefined && texts[`area.${area}`] !== undefined,
  );
}

export const englishTexts: Texts = { ...scopeTexts(), ...english };
