import { isPromise } from 'node:util/types';

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

/** Leaves a value of a host alone, which may be or have promises that reject. */
export function ignore(value: unknown): void {
  if (Array.isArray(value)) value.forEach(ignore);
  else if (isPromise(value)) void settle(value, ignore, () => undefined);
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
