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

/** Where a signal is read when it is needed. */
interface SignalSource {
  readonly signal: AbortSignal;
}

/** An own property, which a copy by spread has too. One getter for all: an own getter for each is twenty times as slow in V8. */
export class LazySignal {
  declare readonly signal: AbortSignal;
  readonly #source: SignalSource;

  constructor(source: SignalSource) {
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
