import type { ServerResponse } from 'node:http';

/** How long a call goes on: until it is answered, its time is up, or nobody waits for it any more. */
export interface CallTimeLimit {
  /** Aborted when the time is up or the caller has gone; its reason says which. */
  readonly signal: AbortSignal;
  /** What the work answers, unless the call ends first. */
  within<T>(work: Promise<T>): Promise<T>;
}

/** Why a call was cut off. */
export class ToolTimeout extends Error {
  override readonly name = 'ToolTimeout';
}

/** Why nobody is to be told how a call ended. */
export class CallerDisconnected extends Error {
  override readonly name = 'CallerDisconnected';
}

/** Starts the time of the one call of a request; it ends with the response. */
export function startCallTimeLimit(response: ServerResponse, tool: string, seconds: number): CallTimeLimit {
  const controller = new AbortController();
  const { signal } = controller;
  const late = (): void => controller.abort(new ToolTimeout(`tool ${tool} took longer than ${seconds} seconds`));
  const timer = setTimeout(late, seconds * 1000);
  const ended = (): void => {
    clearTimeout(timer);
    if (!response.writableFinished) controller.abort(new CallerDisconnected('the caller has gone'));
  };
  if (response.closed) ended();
  else response.once('close', ended);
  return { signal, within: (work) => Promise.race([work, aborted(signal)]) };
}

function aborted(signal: AbortSignal): Promise<never> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}
