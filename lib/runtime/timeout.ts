import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestTrace } from './request-trace.ts';

export function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The time for any number of calls. Late work is not stopped. What arrived while the process was busy is read first, and in time. */
export class Timeout {
  readonly #timer: NodeJS.Timeout;
  #afterReading: NodeJS.Immediate | undefined;
  readonly #waiting = new Map<(reason: unknown) => void, string>();
  #controller: AbortController | undefined;
  #end: { readonly reason: unknown } | undefined;

  /** `late` makes the reason when the time is up, from the names of the calls that still wait. */
  constructor(milliseconds: number, late: (waiting: readonly string[]) => unknown) {
    this.#timer = setTimeout(() => {
      this.#afterReading = setImmediate(() => this.end(late([...this.#waiting.values()].filter(Boolean))));
    }, milliseconds);
  }

  /** Aborted when the time is up or `end` is called, with the reason. Made when it is first read: few calls want one. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#end) this.#controller.abort(this.#end.reason);
    return this.#controller.signal;
  }

  throwIfAborted(): void {
    if (this.#end) throw this.#end.reason;
  }

  /** The outcome of a call, unless the time ends first. Makes fewer promises than a race. */
  within<T>(call: Promise<T>, name = ''): Promise<T> {
    if (this.#end) return Promise.race([call, Promise.reject(this.#end.reason)]);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const settled =
      <R>(settle: (result: R) => void) =>
      (result: R): void => {
        this.#waiting.delete(reject);
        settle(result);
      };
    this.#waiting.set(reject, name);
    call.then(settled(resolve), settled(reject));
    return promise;
  }

  readonly end = (reason: unknown): void => {
    this.clear();
    if (this.#end) return;
    this.#end = { reason };
    // Calls that reject because of the signal come second: the reason of the timeout wins.
    for (const reject of this.#waiting.keys()) reject(reason);
    this.#waiting.clear();
    this.#controller?.abort(reason);
  };

  readonly clear = (): void => {
    clearTimeout(this.#timer);
    clearImmediate(this.#afterReading);
  };
}

export async function withTimeout<T>(work: T | Promise<T>, milliseconds: number, late: () => unknown): Promise<T> {
  const timeout = new Timeout(milliseconds, late);
  try {
    return await timeout.within(Promise.resolve(work));
  } finally {
    timeout.clear();
  }
}

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
 * Seconds that are left to a call of a store, because earlier calls of the same request have waited; `undefined` if it may
 * take its own deadline. The service stops waiting then, and a write must not be made later.
 */
export function timeLeft(): number | undefined {
  const left = requests.getStore()?.left;
  return left === undefined ? undefined : left / 1000;
}

export function currentTrace(): RequestTrace | undefined {
  return requests.getStore()?.trace;
}

/** The time that all calls of a request may take together, as long as one call. */
export class RequestTime {
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Starts the time of a request, unless it is part of one. */
  run<T>(request: () => T, trace?: RequestTrace): T {
    if ((this.#milliseconds === Infinity && !trace) || requests.getStore()) return request();
    return requests.run(new WaitingTime(this.#milliseconds, trace), request);
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
  readonly trace: RequestTrace | undefined;
  readonly #milliseconds: number;
  #spent = 0;
  #calls = 0;
  #since = 0;

  constructor(milliseconds: number, trace?: RequestTrace) {
    this.#milliseconds = milliseconds;
    this.trace = trace;
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

/** An own property, which a copy by spread has too. One getter for all: an own getter for each is twenty times as slow in V8. */
export class LazySignal {
  declare readonly signal: AbortSignal;
  readonly #source: Pick<Timeout, 'signal'>;

  constructor(source: Pick<Timeout, 'signal'>) {
    this.#source = source;
    Object.defineProperty(this, 'signal', LazySignal.#late);
  }

  static readonly #late: PropertyDescriptor & ThisType<LazySignal> = {
    enumerable: true,
    get() {
      return this.#source.signal;
    },
  };
}
