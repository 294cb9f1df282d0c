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
