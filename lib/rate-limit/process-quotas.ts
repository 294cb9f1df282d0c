import type { Quota } from '../contracts/store.ts';

/** More counters than these are not kept: the oldest ends early. One takes about 150 bytes. */
const maxCounters = 100_000;

interface Counter {
  used: number;
  readonly ends: number;
}

/** Counters of this process, for what no site's counters can tell. A counter ends a window after its first use. */
export class ProcessQuotas {
  readonly #window: number;
  /** All have the same window, so the first one ends first. */
  readonly #counters = new Map<string, Counter>();

  /** @param window seconds */
  constructor(window: number) {
    this.#window = window * 1000;
  }

  /** Seconds, at least 1, until the last of the used-up counters ends; nothing if every quota has some left. */
  wait(quotas: readonly Quota[]): number | undefined {
    const now = performance.now();
    this.#removeEnded(now);
    const usedUp = quotas.filter(({ name, limit }) => (this.#counters.get(name)?.used ?? 0) >= limit);
    if (usedUp.length === 0) return undefined;
    const waits = usedUp.map(({ name }) => (this.#counters.get(name)?.ends ?? now + this.#window) - now);
    return Math.max(1, Math.ceil(Math.max(...waits) / 1000));
  }

  count(quotas: readonly Quota[]): void {
    for (const { name } of quotas) {
      const counter = this.#counters.get(name);
      if (counter) counter.used += 1;
      else this.#counters.set(name, { used: 1, ends: performance.now() + this.#window });
    }
    for (const name of this.#counters.keys()) {
      if (this.#counters.size <= maxCounters) return;
      this.#counters.delete(name);
    }
  }

  /** Takes back what was counted. */
  giveBack(quotas: readonly Quota[]): void {
    for (const { name } of quotas) {
      const counter = this.#counters.get(name);
      if (!counter) continue;
      counter.used -= 1;
      if (counter.used <= 0) this.#counters.delete(name);
    }
  }

  #removeEnded(now: number): void {
    for (const [name, { ends }] of this.#counters) {
      if (ends > now) return;
      this.#counters.delete(name);
    }
  }
}
