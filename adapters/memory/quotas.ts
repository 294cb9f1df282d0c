import type { Quota } from '../../lib/contracts/store.ts';

interface Counter {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** How many counters are looked at for having expired, whenever one is written. */
const sweep = 2;

/** What was spent at one site. */
export class Quotas {
  readonly #counters = new Map<string, Counter>();
  #sweeper: Iterator<[string, Counter]> = this.#counters.entries();

  /** How many are kept. */
  get size(): number {
    return this.#counters.size;
  }

  /** See `Store.consumeQuota`. */
  consumeQuota(quotas: readonly Quota[], window: number): number | undefined {
    const now = Date.now();
    const next = new Map(quotas.map(({ name }) => [name, this.#next(name, now, window)]));
    const ends = quotas.flatMap(({ name, limit }) => {
      const counter = next.get(name);
      return counter === undefined || counter.count <= limit ? [] : counter.expires;
    });
    if (ends.length > 0) return Math.max(1, Math.ceil((Math.max(...ends) - now) / 1000));
    for (const [name, counter] of next) {
      this.#counters.set(name, counter);
      this.#sweep(now);
    }
    return undefined;
  }

  #next(name: string, now: number, window: number): Counter {
    const found = this.#counters.get(name);
    return found && found.expires > now
      ? { count: found.count + 1, expires: found.expires }
      : { count: 1, expires: now + window * 1000 };
  }

  #sweep(now: number): void {
    for (let i = 0; i < sweep; i += 1) {
      const { value, done } = this.#sweeper.next();
      if (done) {
        this.#sweeper = this.#counters.entries();
        return;
      }
      if (value[1].expires <= now) this.#counters.delete(value[0]);
    }
  }
}
