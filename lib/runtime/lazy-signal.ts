/** What has a signal, made when it is first read. */
interface SignalSource {
  readonly signal: AbortSignal;
}

/**
 * What a host is given with a signal that few hosts read. An own property, so that a copy by spread also has it. All objects share one
 * getter: each getter of its own would give V8 an object of another shape, which takes twenty times as long.
 */
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
