import type { StoreObserver } from '../../lib/records/store-observer.ts';

/** Milliseconds between a probe that failed and the next one, and between two reports that a server is full. */
const pause = 1000;

/** The share of the time left that is reserved for the way back of the reply and for errors of the clocks. */
const wayBack = 0.05;

interface ServerOptions {
  /** The server, for messages. */
  readonly name: string;
  /** How many commands may wait for a reply. */
  readonly maxPending: number;
  /** Milliseconds of an ordinary call. */
  readonly deadline: number;
  /** Sends a command that does nothing. Resolves with a reply, or rejects with one: then the server responds. */
  readonly probe: () => Promise<unknown>;
  /** Whether the server itself replied with this error. */
  readonly isReply: (error: unknown) => boolean;
  /** Learns when calls are refused, and when they are made again. */
  readonly report: StoreObserver;
}

interface Refusal {
  /** What all calls reject with meanwhile. */
  readonly error: Error;
  readonly since: number;
  calls: number;
}

/**
 * The circuit and the clock of a server. A command cannot be taken out of a client's queue, so each call that is made in
 * vain would stay in memory until the server responds, and be carried out then.
 *
 * The circuit opens when a call has waited for the whole deadline: calls are refused without a command, and one probe waits
 * for a reply, which closes the circuit. On one connection replies come in the order of the commands, so a probe that is under way is
 * answered as soon as the server responds.
 */
export class Server {
  readonly #options: ServerOptions;
  #pending = 0;
  #refusal: Refusal | undefined;
  #respondedAt = 0;
  #isProbing = false;
  #nextProbe = 0;
  #full: { readonly error: Error; readonly since: number } | undefined;
  /** Milliseconds by which the server's clock is ahead of ours. Until it is known, everything counts as late. */
  #ahead = -Infinity;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  get isCircuitOpen(): boolean {
    return this.#refusal !== undefined;
  }

  /** Counts a command that is about to be sent, until `leave`. @throws Error if calls are refused, or too many wait already */
  enter(): void {
    const refusal = this.#refusal;
    if (refusal) {
      refusal.calls += 1;
      if (!this.#isProbing && performance.now() >= this.#nextProbe) void this.#probe();
      throw refusal.error;
    }
    if (this.#pending >= this.#options.maxPending) throw this.#fullError();
    this.#pending += 1;
  }

  leave(): void {
    this.#pending -= 1;
  }

  /** The error of a call that has waited since then for its time, which was the whole deadline or less. */
  late(since: number, isWhole: boolean): Error {
    // A call that began before the server responded last says nothing about it now.
    if (!this.#refusal && isWhole && since >= this.#respondedAt) this.#refuse();
    return this.#refusal?.error ?? new Error(`${this.#options.name} did not respond in time`);
  }

  /** Closes the circuit of a server that is no longer asked. */
  retire(): void {
    this.#accept('is no longer asked');
  }

  setClock(serverTime: number): void {
    this.#ahead = serverTime - monotonicNow();
  }

  /** The last millisecond of its clock at which the server may act for a caller who waits for so many milliseconds. */
  notAfter(left: number): number {
    const last = monotonicNow() + this.#ahead + left * (1 - wayBack);
    return Number.isFinite(last) ? Math.floor(last) : 0;
  }

  #refuse(): void {
    const { name, deadline, report } = this.#options;
    const error = new Error(`${name} did not respond in time (${deadline} ms): calls fail at once until it does`);
    this.#refusal = { error, since: performance.now(), calls: 0 };
    report('the store refuses calls', error);
    void this.#probe();
  }

  #accept(why: string): void {
    if (!this.#refusal) return;
    const { since, calls } = this.#refusal;
    this.#refusal = undefined;
    this.#respondedAt = performance.now();
    const time = this.#respondedAt - since;
    const shown = time < 1000 ? `${Math.ceil(time)} ms` : `${(time / 1000).toFixed(1)} s`;
    const message = `${this.#options.name} ${why} after ${shown}; ${calls} ${calls === 1 ? 'call was' : 'calls were'} refused`;
    this.#options.report('the store works again', new Error(message));
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    const isAnswered = await this.#options.probe().then(() => true, this.#options.isReply);
    this.#isProbing = false;
    this.#nextProbe = performance.now() + pause;
    if (isAnswered) this.#accept('responds');
  }

  /** One error object for a while, so that it is reported once. */
  #fullError(): Error {
    const now = performance.now();
    if (!this.#full || now - this.#full.since >= pause) {
      const { name, maxPending } = this.#options;
      const message = `${maxPending} commands wait for a reply of ${name} (maxPending): further calls fail at once`;
      this.#full = { error: new Error(message), since: now };
    }
    return this.#full.error;
  }
}

/** Milliseconds since the epoch, by a clock that never jumps: `Date.now` does when the time of this machine is set. */
function monotonicNow(): number {
  return performance.timeOrigin + performance.now();
}
