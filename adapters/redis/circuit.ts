import { attempt } from '../../lib/runtime/timeout.ts';

/** Milliseconds between a probe that failed and the next one, and between two reports that a circuit is full. */
const pause = 1000;

/** What a circuit guards, and what it may do. */
interface CircuitOptions {
  /** The server, for messages. */
  readonly name: string;
  /** How many commands may wait for a reply. */
  readonly maxPending: number;
  /** Milliseconds of an ordinary call. */
  readonly deadline: number;
  /** Sends a command that does nothing. Resolves with a reply, or rejects with one: then the server responds. */
  readonly probe: () => Promise<unknown>;
  /** Is told when the circuit opens and closes. */
  readonly report: (message: string, cause: Error) => void;
}

interface Opening {
  /** What all calls reject with meanwhile. */
  readonly error: Error;
  readonly since: number;
  refused: number;
}

/**
 * Stops passing commands to a client whose server does not respond. A command cannot be taken out of a client's queue, so
 * each call that is made in vain would stay in memory until the server responds, and be carried out then.
 *
 * The circuit opens when a call has waited for the whole deadline. Then calls reject without a command, and one probe
 * waits for a reply; it closes the circuit. On one connection replies come in the order of the commands, so a probe that
 * is under way is answered as soon as the server responds.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  #pending = 0;
  #opening: Opening | undefined;
  #closedAt = 0;
  #isProbing = false;
  #nextProbe = 0;
  #full: { readonly error: Error; readonly since: number } | undefined;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#opening !== undefined;
  }

  /** Closes the circuit of a server that is asked no more. */
  retire(): void {
    if (this.#opening) this.#close(this.#opening, 'is not asked any more');
  }

  /** Sends a command, unless the circuit is open or too many wait already. */
  send<T>(command: () => Promise<T>): Promise<T> {
    if (this.#opening) return Promise.reject(this.#refusal(this.#opening));
    if (this.#pending >= this.#options.maxPending) return Promise.reject(this.#fullError());
    this.#pending += 1;
    return attempt(command).then(this.#replied, this.#failed);
  }

  readonly #replied = <T>(reply: T): T => {
    this.#pending -= 1;
    return reply;
  };

  readonly #failed = (error: unknown): never => {
    this.#pending -= 1;
    throw error;
  };

  /** The error of a call that has waited since then for its time, which was the whole deadline or less. */
  late(since: number, isWhole: boolean): Error {
    // What began before the circuit closed last says nothing about the server now.
    if (!this.#opening && isWhole && since >= this.#closedAt) this.#open();
    return this.#opening?.error ?? new Error(`${this.#options.name} did not respond in time`);
  }

  #open(): void {
    const { name, deadline, report } = this.#options;
    const message = `${name} did not respond in time (${deadline} ms): calls fail at once until it does`;
    const error = new Error(message);
    this.#opening = { error, since: performance.now(), refused: 0 };
    report('the store refuses calls', error);
    void this.#probe();
  }

  #close({ since, refused }: Opening, why: string): void {
    const { name, report } = this.#options;
    this.#opening = undefined;
    this.#closedAt = performance.now();
    const seconds = ((this.#closedAt - since) / 1000).toFixed(1);
    report('the store works again', new Error(`${name} ${why} after ${seconds} s; ${refused} calls were refused`));
  }

  #refusal(opening: Opening): Error {
    opening.refused += 1;
    if (!this.#isProbing && performance.now() >= this.#nextProbe) void this.#probe();
    return opening.error;
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    const isAnswered = await this.#options.probe().then(() => true, isReply);
    this.#isProbing = false;
    this.#nextProbe = performance.now() + pause;
    if (isAnswered && this.#opening) this.#close(this.#opening, 'responds');
  }

  /** One error object for a while, as for an open circuit, so that it is reported once. */
  #fullError(): Error {
    const now = performance.now();
    if (this.#full === undefined || now - this.#full.since >= pause) {
      const { name, maxPending } = this.#options;
      const error = new Error(
        `${maxPending} commands wait for a reply of ${name} (maxPending): further calls fail at once`,
      );
      this.#full = { error, since: now };
    }
    return this.#full.error;
  }
}

/** Whether Redis itself replied with this error, so that it responds. */
function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}
