import type { ServerResponse } from 'node:http';
import { TemporarilyUnavailable } from '../../protocol/errors.ts';
import type { OnFault } from '../../contracts/fault.ts';

/** How long a request may take. */
export interface Deadline {
  /** Aborted when the time is up, the caller has gone, or the request has been answered. */
  readonly signal: AbortSignal;
  /** The outcome of a call, unless the time is up or the caller goes first. */
  within<T>(what: string, call: Promise<T>): Promise<T>;
  /** The same for all that a request does; calls that `within` cut off may still be told to the caller. */
  around<T>(run: Promise<T>): Promise<T>;
  /** Ends it: what still runs is told to stop. */
  settle(): void;
}

/** Starts the time of one request; what it then still waits for is a fault. */
export function startDeadline(response: ServerResponse, seconds: number, onFault: OnFault): Deadline {
  const controller = new AbortController();
  const waiting = new Map<(reason: TemporarilyUnavailable) => void, string>();
  const end = (reason: TemporarilyUnavailable): void => {
    for (const stop of waiting.keys()) stop(reason);
    controller.abort(reason);
  };
  const timer = setTimeout(() => {
    const reason = new TemporarilyUnavailable(`this took longer than ${seconds} seconds; try again in a moment`);
    const calls = [...waiting.values()].filter((what) => what !== '');
    onFault(`${calls.join(', ') || 'a resolver'} took longer than ${seconds} seconds`, reason);
    end(reason);
  }, seconds * 1000);
  const gone = (): void => end(new TemporarilyUnavailable('the caller has gone'));
  if (response.closed) gone();
  else response.once('close', gone);

  const stoppable = <T>(what: string, run: Promise<T>, stopped: (reject: () => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      const stop = (reason: TemporarilyUnavailable): void => stopped(() => reject(reason));
      waiting.set(stop, what);
      run.then(resolve, reject).finally(() => waiting.delete(stop));
    });
  return {
    signal: controller.signal,
    within: (what, call) => stoppable(what, call, (reject) => reject()),
    // What was cut off inside has the time to become an answer.
    around: (run) => stoppable('', run, (reject) => void setImmediate(reject)),
    settle: () => {
      clearTimeout(timer);
      response.off('close', gone);
      controller.abort(new TemporarilyUnavailable('the request has been answered'));
    },
  };
}
