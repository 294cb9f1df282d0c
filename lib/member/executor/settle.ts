import { isMap, isPromise, isSet } from 'node:util/types';

/** Whether what the host has returned has to be waited for. */
export function isThenable<T>(result: T | PromiseLike<T>): result is PromiseLike<T> {
  return typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function';
}

/** Waits for what a host has returned. Does not reject, provided that `failed` does not throw. */
export async function settle(
  given: unknown,
  then: (value: unknown) => unknown,
  failed: (error: unknown) => unknown,
): Promise<unknown> {
  try {
    return then(await given);
  } catch (error) {
    return failed(error);
  }
}

/** How many objects are searched below one value: an entity of a host can have its whole database behind it. */
const maxObjects = 1000;

/** Leaves a value of a host alone, which may be a promise that rejects, or hold some in lists, sets, maps and own properties. */
export function ignore(value: unknown): void {
  ignoreWithin(value, new Set());
}

function ignoreWithin(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  const within = (inner: unknown): void => ignoreWithin(inner, seen);
  if (isPromise(value)) return void settle(value, within, () => undefined);
  seen.add(value);
  if (Array.isArray(value)) return value.forEach(within);
  if (seen.size > maxObjects) return;
  try {
    if (isSet(value) || isMap(value)) [...value.values()].forEach(within);
    // Getters are not called.
    Object.values(Object.getOwnPropertyDescriptors(value)).forEach((property) => within(property.value));
  } catch {
    // A proxy of the host that throws cannot be searched.
  }
}

/** Waits for our own promises in results; ends with the first failure, while the others go on. */
export function gather<T extends object>(results: T): Promise<T | Error> {
  return new Promise((resolve) => {
    let left = 0;
    const keep = (key: string, value: unknown): void => {
      Reflect.set(results, key, value);
      left -= 1;
      if (left === 0) resolve(results);
    };
    for (const [key, value] of Object.entries(results)) {
      if (!(value instanceof Promise)) continue;
      left += 1;
      void value.then((settled: unknown) => (settled instanceof Error ? resolve(settled) : keep(key, settled)));
    }
  });
}
