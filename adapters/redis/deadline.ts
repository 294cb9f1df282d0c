import { withTimeout } from '../../lib/runtime/timeout.ts';
import type { RedisClient } from './client.ts';

/** The time limit of one call of the store. */
export class Deadline {
  readonly #end: number;

  constructor(milliseconds: number) {
    this.#end = performance.now() + milliseconds;
  }

  /** Milliseconds that are left; 0 once it has passed. */
  get left(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /** The promise's outcome, or a rejection once the time is up. */
  within<T>(promise: Promise<T>): Promise<T> {
    return withTimeout(promise, this.left, () => new Error('Redis did not respond in time'));
  }
}

/**
 * Waits for a connection, once for any number of calls. Without a connection, nothing is passed to the client: it would
 * queue the command and send it long after the caller has received an error.
 */
export class Gate {
  readonly #client: RedisClient;
  #opening: Promise<void> | undefined;

  constructor(client: RedisClient) {
    this.#client = client;
  }

  /** Whether the client has a connection. */
  get isOpen(): boolean {
    return this.#client.status === 'ready';
  }

  /** Resolves when the client has a connection; rejects when the client was closed. */
  async open(): Promise<void> {
    if (this.isOpen) return;
    if (this.#client.status === 'end') throw new Error('the Redis client was closed');
    this.#opening ??= this.#wait().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  #wait(): Promise<void> {
    const client = this.#client;
    // A client made with `lazyConnect` connects at its first command.
    if (client.status === 'wait') client.call('PING').catch(() => {});
    return new Promise((resolve, reject) => {
      const ready = (): void => {
        client.removeListener('end', ended);
        resolve();
      };
      const ended = (): void => {
        client.removeListener('ready', ready);
        reject(new Error('the Redis client was closed'));
      };
      client.once('ready', ready);
      client.once('end', ended);
    });
  }
}
