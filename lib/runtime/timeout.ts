import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestTrace } from './request-trace.ts';

/**
 * The outcome of `work`, or a rejection with what `late` returns when the time is up first. The work is not stopped. What has
 * arrived while this process was busy is in time: it is read before the time is found to be up.
 */
export function withTimeout<T>(work: T | Promise<T>, milliseconds: number, late: () => unknown): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let afterReading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    afterReading = setImmediate(() => reject(late()));
  }, milliseconds);
  const inTime =
    <R>(settle: (result: R) => void) =>
    (result: R): void => {
      clearTimeout(timer);
      clearImmediate(afterReading);
      settle(result);
    };
  Promise.resolve(work).then(inTime(resolve), inTime(reject));
  return promise;
}

/** The time of one request, for any number of calls within it. */
class Timeout {
  readonly #timer: NodeJS.Timeout;
  /** How to reject the calls that wait, and what they are called. */
  readonly #waiting = new Map<(reason: unknown) => void, string>();
  #controller: AbortController | undefined;
  #end: { readonly reason: unknown } | undefined;

  constructor(milliseconds: number, late: (waiting: readonly string[]) => unknown) {
    this.#timer = setTimeout(() => {
      const names = [...this.#waiting.values()];
      this.end(late(names.filter((name) => name !== '')));
    }, milliseconds);
  }

  /** Aborted when the time is up or `end` is called, with the reason. Made when it is first read: few calls want one. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#end) this.#controller.abort(this.#end.reason);
    return this.#controller.signal;
  }

  /** Rejects at the same moment, with the same reason; may be left unobserved. */
  get ended(): Promise<never> {
    const ended = this.within(new Promise<never>(() => {}));
    ended.catch(() => undefined);
    return ended;
  }

  /** Throws the reason if the time is up or `end` was called. */
  throwIfAborted(): void {
    if (this.#end) throw this.#end.reason;
  }

  /** The outcome of a call, unless the time ends first. Makes fewer promises than a race. */
  within<T>(call: Promise<T>, name = ''): Promise<T> {
    if (this.#end) return Promise.race([call, Promise.reject(this.#end.reason)]);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.set(reject, name);
    call.then(
      (result) => {
        this.#waiting.delete(reject);
        return resolve(result);
      },
      (error: unknown) => {
        this.#waiting.delete(reject);
        reject(error);
      },
    );
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

  readonly clear = (): void => clearTimeout(this.#timer);
}

/** Starts the time of one request; `late` makes the reason when it is up, of the names of the calls that still wait. */
export function startTimeout(milliseconds: number, late: (waiting: readonly string[]) => unknown): Timeout {
  return new Timeout(milliseconds, late);
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

/** What the audit log says of the request that is being handled; `undefined` outside requests. */
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

  /** Makes a call within the time that is left to the request. */
  async spend<T>(call: () => Promise<T>): Promise<T> {
    const waiting = requests.getStore();
    if (!waiting) return call();
    const { left } = waiting;
    if (left === 0) throw waiting.failure ?? new Error(`this request has waited for ${this.#milliseconds} ms already`);
    waiting.begin();
    try {
      if (left === undefined) return await call();
      return await withTimeout(call(), left, () => new Error('no response in the time that was left to the request'));
    } catch (error) {
      waiting.failure = error;
      throw error;
    } finally {
      waiting.end();
    }
  }
}

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

  end(): void {
    this.#calls -= 1;
    if (this.#calls === 0) this.#spent += performance.now() - this.#since;
  }
}
