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
