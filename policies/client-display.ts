/** The longest `client_name`, in characters. */
export const maxNameLength = 200;

const maxAddressLength = 2000;

/** Control characters, half characters, and marks that turn the direction of the text around them. */
const unfitForDisplay = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * What is wrong with a name that people are to read, as words that follow `client_name`, or `undefined`. RFC 7591
 * section 2.
 */
export function checkName(name: string): string | undefined {
  if (name.length > maxNameLength) return `is longer than ${maxNameLength} characters`;
  return unfitForDisplay.test(name) ? 'has a control character' : undefined;
}

/** Whether a page may link to this address: `https:` or `http:`, with a host and without a user name. RFC 7591 section 5. */
export function isWebAddress(address: string): boolean {
  const url = address.length > maxAddressLength ? null : URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
