import { scopeCatalogue, type Scope } from '../protocol/scopes.ts';
import { english } from './english.ts';

type Area = (typeof scopeCatalogue)[number]['area'];

/** Names of the texts of the scope catalogue. */
export type ScopeTextKey = `scope.${Scope}` | `area.${Area}`;

/** The name of a text, as the English catalogue has it. */
export type TextKey = keyof typeof english | ScopeTextKey;

/** The texts of the scope catalogue in one language. */
export type ScopeTexts = Readonly<Record<ScopeTextKey, string>>;

/** Every text of our pages in one language: ICU messages. */
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

/** All texts in English, those of the scope catalogue included. */
export const englishTexts: Texts = { ...scopeTexts(), ...english };
