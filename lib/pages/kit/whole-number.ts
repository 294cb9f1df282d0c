/** A number that an address of ours carries from one page to the next; `undefined` for anything else. */
export function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
