import type { OnFault } from './events.ts';
import { TemporarilyUnavailable } from '../kernel/errors.ts';
import { withTimeout } from '../kernel/timeout.ts';

/** Seconds that one call of the platform or a policy may take. A store has its own deadline. */
const callTime = 10;

/**
 * Wraps functions of the host: what they throw is a fault, never a verdict, and so is a call that takes too long.
 * Specification: Errors, the 503 row.
 */
export function faultWrapper(
  onFault: OnFault,
  seconds: number = callTime,
): <A extends unknown[], R>(what: string, call: (...args: A) => R | Promise<R>) => (...args: A) => Promise<R> {
  return (what, call) =>
    async (...args) => {
      try {
        const result = call(...args);
        if (!isThenable(result)) return await result;
        return await withTimeout(result, seconds * 1000, () => new Error(`no response after ${seconds} seconds`));
      } catch (cause) {
        throw reportFault(onFault, what, cause);
      }
    };
}

/** Whether what the host has returned has to be waited for. */
export function isThenable<T>(result: T | PromiseLike<T>): result is PromiseLike<T> {
  return typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function';
}

/** Reports a fault and returns the error that the caller gets. */
export function reportFault(onFault: OnFault, what: string, cause: unknown): TemporarilyUnavailable {
  onFault(`${what} failed`, cause);
  if (cause instanceof TemporarilyUnavailable) return cause;
  return new TemporarilyUnavailable('the service is temporarily unavailable; try again in a moment', { cause });
}
