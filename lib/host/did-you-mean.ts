import { nearest } from '../kernel/misspelt.ts';
import { brief } from './check-returns.ts';

/** The end of a message about an unknown name: the one that was probably meant. */
export function didYouMean(wrong: string, known: readonly string[]): string {
  const meant = nearest(wrong, known);
  return meant === undefined ? '' : `; did you mean ${brief(meant)}?`;
}
