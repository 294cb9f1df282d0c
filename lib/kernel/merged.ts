/** All members of these; later ones win. */
export function mergedOf<T>(parts: readonly (Readonly<Record<string, T>> | undefined)[]): Readonly<Record<string, T>> {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part ?? {})));
}

/** The first with all members of the others; later ones win. */
export function withAll<T extends object>(first: T, others: readonly (T | undefined)[]): T {
  return others.reduce<T>((all, each) => ({ ...all, ...each }), first);
}
