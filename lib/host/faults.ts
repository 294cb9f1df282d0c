import type { OnFault } from '../runtime/events.ts';
import { TemporarilyUnavailable } from '../protocol/errors.ts';
import { withTimeout } from '../runtime/timeout.ts';

/** Seconds that the platform or a policy may take for one answer. A store keeps a time of its own. */
const patience = 10;

/**
 * The platform and the store as the rest of the house sees them: whatever they throw is a fault, never a verdict, and so
 * is an answer that does not come. Specification: Errors, the 503 row.
 *
 * @param seconds - how long an answer may take; `Infinity` where it is not ours to say
 */
export function faultWrapper(
  onFault: OnFault,
  seconds: number = patience,
): <A extends unknown[], R>(what: string, call: (...args: A) => R | Promise<R>) => (...args: A) => Promise<R> {
  return (what, call) =>
    async (...args) => {
      try {
        const answer = call(...args);
        if (seconds === Infinity || !isThenable(answer)) return await answer;
        return await withTimeout(answer, seconds * 1000, () => new Error(`no answer after ${seconds} seconds`));
      } catch (cause) {
        throw reportFault(onFault, what, cause);
      }
    };
}

function isThenable(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'then' in answer;
}

/** Reports a fault and returns the error that the caller gets. */
export function reportFault(onFault: OnFault, what: string, cause: unknown): TemporarilyUnavailable {
  onFault(`${what} failed`, cause);
  if (cause instanceof TemporarilyUnavailable) return cause;
  return new TemporarilyUnavailable('the service cannot tell right now; try again in a moment', { cause });
}
