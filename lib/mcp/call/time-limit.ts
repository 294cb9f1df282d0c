import type { ServerResponse } from 'node:http';
import { Timeout } from '../../runtime/timeout.ts';

/** How long a call may run: until its response is sent, its time is up, or the caller disconnects. */
export interface CallTimeLimit {
  /** Aborted when the time is up or the caller disconnects; its reason says which. Made when it is first read. */
  readonly signal: AbortSignal;
  /** The outcome of the work, unless the call ends first. */
  within<T>(work: Promise<T>): Promise<T>;
}

export class ToolTimeout extends Error {
  override readonly name = 'ToolTimeout';
}

export class CallerDisconnected extends Error {
  override readonly name = 'CallerDisconnected';
}

/** Starts the time of the one call of a request; it ends with the response. */
export function startCallTimeLimit(response: ServerResponse, tool: string, seconds: number): CallTimeLimit {
  const timeout = new Timeout(
    seconds * 1000,
    () => new ToolTimeout(`tool ${tool} took longer than ${seconds} seconds`),
  );
  const closed = (): void => {
    if (response.writableFinished) timeout.clear();
    else timeout.end(new CallerDisconnected('the caller disconnected'));
  };
  if (response.closed) closed();
  else response.once('close', closed);
  return timeout;
}
