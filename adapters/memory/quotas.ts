import type { Quota } from '../../lib/records/store.ts';
import { ExpiringMap } from './expiring-map.ts';

interface Counter {
  readonly used: number;
  readonly expires: number;
}

/** The quota counters of one school. */
export class Quotas {
  readonly #counters = new ExpiringMap<Counter>();

  get size(): number {
    return this.#counters.size;
  }

  /** See `Store.consumeQuota`. */
  consumeQuota(quotas: readonly Quota[], window: number, uses = 1): number | undefined {
    const now = Date.now();
    const counters = new Map(quotas.map(({ name }) => [name, this.#plus(uses, name, now + window * 1000)]));
    const ends = quotas.flatMap(({ name, limit }) => {
      const counter = counters.get(name);
      return counter === undefined || counter.used <= limit ? [] : counter.expires;
    });
    if (ends.length > 0) return Math.max(1, Math.ceil((Math.max(...ends) - now) / 1000));
    for (const [name, counter] of counters) this.#counters.set(name, counter);
    return undefined;
  }

  #plus(uses: number, name: string, windowEnd: number): Counter {
    const { used, expires } = this.#counters.get(name) ?? { used: 0, expires: windowEnd };
    return { used: used + uses, expires };
  }
}
