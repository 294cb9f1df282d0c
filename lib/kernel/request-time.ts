import { AsyncLocalStorage } from 'node:async_hooks';
import { withTimeout } from './timeout.ts';

function attempt<T>(call: () => Promise<T>): Promise<T> {
  try {
    return call();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The share of a request's time up to which its calls may take their own time, so that an ordinary request needs no timer. */
const unhurried = 0.1;

/** The share of a request's time that is too little for a call. Timers may be early by a millisecond. */
const tooLittle = 0.01;

const requests = new AsyncLocalStorage<WaitingTime>();

/**
 * Returns the seconds that are left for a call of a store, after earlier calls of the same request, or `undefined` if the call may take its
 * whole deadline. After this time campus-oidc stops waiting, and a write must not be made later.
 */
export function timeLeft(): number | undefined {
  const left = requests.getStore()?.left;
  return left === undefined ? undefined : left / 1000;
}

/** What the current request was started with. */
export function requestNotes(): object | undefined {
  return requests.getStore()?.notes;
}

/** The time that all calls of a request may take together, as long as one call. */
export class RequestTime {
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Starts the time of a request, unless it is part of one. `notes` are what `requestNotes` returns below it. */
  run<T>(request: () => T, notes?: object): T {
    if ((this.#milliseconds === Infinity && !notes) || requests.getStore()) return request();
    return requests.run(new WaitingTime(this.#milliseconds, notes), request);
  }

  /** Starts a time of its own, for work that several requests wait for. */
  runApart<T>(work: () => T): T {
    if (this.#milliseconds === Infinity) return work();
    return requests.run(new WaitingTime(this.#milliseconds), work);
  }

  /** Makes a call within the time that is left to the request. What it rejects with goes through `explain`. */
  within<T>(call: () => Promise<T>, explain: (error: unknown) => unknown = (error) => error): Promise<T> {
    const waiting = requests.getStore();
    const reject = (error: unknown): never => {
      waiting?.end(error);
      throw explain(error);
    };
    if (!waiting) return attempt(call).catch(reject);
    const { left } = waiting;
    if (left === 0) {
      const usedUp = `this request has waited for ${this.#milliseconds} ms already`;
      return Promise.reject(explain(waiting.failure ?? new Error(usedUp)));
    }
    waiting.begin();
    const calling = attempt(call);
    const timed = left === undefined ? calling : withTimeout(calling, left, noResponse);
    return timed.then((result) => {
      waiting.end();
      return result;
    }, reject);
  }
}

const noResponse = (): Error => new Error('no response in the time that was left to the request');

/** How long a request has waited for its calls. Calls at the same time count once, and what lies between calls not at all. */
class WaitingTime {
  /** What the last call that failed rejected with. */
  failure: unknown;
  readonly notes: object | undefined;
  readonly #milliseconds: number;
  #spent = 0;
  #calls = 0;
  #since = 0;

  constructor(milliseconds: number, notes?: object) {
    this.#milliseconds = milliseconds;
    this.notes = notes;
  }

  /** Milliseconds; `undefined` while a call may take its own time. */
  get left(): number | undefined {
    const spent = this.#calls === 0 ? this.#spent : this.#spent + performance.now() - this.#since;
    const left = this.#milliseconds - spent;
    if (left >= this.#milliseconds * (1 - unhurried)) return undefined;
    return left > this.#milliseconds * tooLittle ? left : 0;
  }

  begin(): void {
    if (this.#calls === 0) this.#since = performance.now();
    this.#calls += 1;
  }

  end(failure = this.failure): void {
    this.failure = failure;
    this.#calls -= 1;
    if (this.#calls === 0) this.#spent += performance.now() - this.#since;
  }
}
