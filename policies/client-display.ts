/** The longest `client_name`, in characters. */
export const maxNameLength = 200;

/** Control characters, lone surrogates, and marks that change the direction of the surrounding text. */
const unfitForDisplay = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * What is wrong with a name that is shown to people, as words that follow `client_name`, or `undefined`. RFC 7591
 * section 2.
 */
export function checkName(name: string): string | undefined {
  if (name.length > maxNameLength) return `is longer than ${maxNameLength} characters`;
  return unfitForDisplay.test(name) ? 'has a control character' : undefined;
}
