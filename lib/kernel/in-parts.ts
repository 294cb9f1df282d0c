import { setImmediate } from 'node:timers/promises';

/** Entries of which nothing is looked up take a few milliseconds. */
const partSize = 100;

/** Long lists, some entries at a time: other requests go on between two parts. */
export async function* inParts<T>(all: readonly T[], size = partSize): AsyncGenerator<readonly T[], void> {
  for (let from = 0; from < all.length; from += size) {
    if (from > 0) await setImmediate();
    yield all.slice(from, from + size);
  }
}

/** Sorts as `toSorted` does, in parts. */
export async function sortedInParts<T>(all: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  let runs: T[][] = [];
  for await (const part of inParts(all)) runs.push(part.toSorted(compare));
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(await mergedRuns(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedRuns<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const merged: T[] = [];
  const rest = b.values();
  let next = rest.next();
  for await (const part of inParts(a)) {
    for (const entry of part) {
      for (; next.done !== true && compare(entry, next.value) > 0; next = rest.next()) merged.push(next.value);
      merged.push(entry);
    }
  }
  for (; next.done !== true; next = rest.next()) merged.push(next.value);
  return merged;
}
