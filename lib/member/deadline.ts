import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { TemporarilyUnavailable } from '../errors.ts';
import type { OnFault } from '../faults.ts';

/** How long a request may take. */
export interface Deadline {
  /** Aborted when the time is up or the caller has gone. */
  readonly signal: AbortSignal;
  /** The outcome of a call, unless the time is up or the caller goes first. */
  within<T>(what: string, call: Promise<T>): Promise<T>;
  /** The same for all that a request does; calls that `within` cut off may still be told to the caller. */
  around<T>(run: T | Promise<T>): Promise<T>;
  /** Ends it. */
  settle(): void;
}

/** Starts the time of one request; what it then still waits for is a fault. */
export function startDeadline(response: ServerResponse, seconds: number, onFault: OnFault): Deadline {
  const controller = new AbortController();
  const { promise: cut, reject } = Promise.withResolvers<never>();
  cut.catch(() => {});
  const waiting = new Set<string>();
  const end = (reason: TemporarilyUnavailable): void => {
    reject(reason);
    controller.abort(reason);
  };
  const timer = setTimeout(() => {
    const reason = new TemporarilyUnavailable(`this took longer than ${seconds} seconds; try again in a moment`);
    const what = waiting.size > 0 ? [...waiting].join(', ') : 'a resolver';
    onFault(`${what} took longer than ${seconds} seconds`, reason);
    end(reason);
  }, seconds * 1000);
  const gone = (): void => end(new TemporarilyUnavailable('the caller has gone'));
  response.once('close', gone);
  return {
    signal: controller.signal,
    within: async (what, call) => {
      waiting.add(what);
      try {
        return await Promise.race([call, cut]);
      } finally {
        waiting.delete(what);
      }
    },
    around: async (run) => {
      const late = cut.catch(async (reason: unknown) => {
        // Time for what was cut off to become an answer.
        await setImmediate();
        throw reason;
      });
      late.catch(() => {});
      return Promise.race([run, late]);
    },
    settle: () => {
      clearTimeout(timer);
      response.off('close', gone);
    },
  };
}
