import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { TemporarilyUnavailable } from '../../kernel/errors.ts';
import type { OnFault } from '../../observe/events.ts';
import { Timeout } from '../../kernel/timeout.ts';

/** Made once for all requests: an error with its stack costs more than most resolvers. */
const complete = Object.freeze(new TemporarilyUnavailable('the request is complete'));

/**
 * The time of one request, from its construction on, until its response is ready or its caller disconnects. When it is up, the
 * calls that still run are reported as a fault.
 */
export class Deadline extends Timeout {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, seconds: number, onFault: OnFault) {
    super(seconds * 1000, (waiting) => {
      const reason = new TemporarilyUnavailable(`this took longer than ${seconds} seconds; try again in a moment`);
      onFault(`${waiting.join(', ') || 'a resolver'} took longer than ${seconds} seconds`, reason);
      return reason;
    });
    this.#response = response;
    if (response.closed) this.#closed();
    else response.on('close', this.#closed);
  }

  /** The outcome of the whole request; a result that contains the errors of aborted calls may still be sent. */
  async around<T>(run: Promise<T>): Promise<T> {
    try {
      return await this.within(run);
    } catch (reason) {
      if (!this.signal.aborted) throw reason;
      // Aborted calls reject first, so that their errors can become part of a result.
      return await Promise.race([run, setImmediate().then(() => Promise.reject(reason))]);
    }
  }

  /** Aborts the calls that still run. */
  settle(): void {
    this.#response.off('close', this.#closed);
    this.end(complete);
  }

  readonly #closed = (): void => this.end(new TemporarilyUnavailable('the caller disconnected'));
}
