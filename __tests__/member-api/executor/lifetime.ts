import type { Lifetime } from '../../../lib/member/executor/execute.ts';

/** The lifetime of an operation that ends when the signal aborts. */
export function until(signal: AbortSignal): Lifetime {
  return { signal, throwIfAborted: () => signal.throwIfAborted() };
}

/** Never ends. */
export const withoutEnd: Lifetime = until(new AbortController().signal);
