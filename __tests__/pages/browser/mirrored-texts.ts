import { features } from '../../../lib/features/features.ts';
import { fixedTexts } from '../../../lib/i18n/texts.ts';

const letters = 'ابتثجحخدذرزسشصضطظعغفقكلمنه';

/**
 * The texts of a test language that is written from right to left: each English letter is an Arabic one, and every placeholder stays.
 * What a page does not mirror stands out in it.
 */
export function mirroredTexts(): Record<string, string> {
  return Object.fromEntries(Object.entries(fixedTexts(features).en).map(([key, text]) => [key, mirrored(text)]));
}

/** Letters outside of braces. */
function mirrored(text: string): string {
  let depth = 0;
  return Array.from(text, (character) => {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    const place = character.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0);
    return depth === 0 && place >= 0 && place < letters.length ? letters[place] : character;
  }).join('');
}
