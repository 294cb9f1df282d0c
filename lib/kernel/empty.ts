/** Whether a value says nothing: `null`, a text without characters that are seen, a list without items. PHP writes `[]` for `{}`. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** The members that say something, and those that must. RFC 7591 section 2; RFC 7592 section 2.2. */
export function withoutEmpty<T extends object>(members: T, required: readonly string[] = []): Partial<T> {
  const kept: Partial<T> = { ...members };
  for (const name in kept) if (isEmpty(kept[name]) && !required.includes(name)) delete kept[name];
  return kept;
}
