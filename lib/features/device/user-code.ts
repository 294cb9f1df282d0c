/** RFC 8628 section 6.1: without vowels and digits a code does not spell a word, and no two letters look alike. 20 to the power of 8 are 35 bits. */
export const userCode = { charset: 'base-20', mask: '****-****' } as const;

/** A code as the engine compares it: it forgives case and separators, and here also letters of other widths, which Chinese keyboards type. */
export function plainUserCode(entered: string): string {
  return entered.normalize('NFKC').replaceAll(/[^A-Za-z]/g, '');
}
