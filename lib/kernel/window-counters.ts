/** A counter with a limit in a window of time. */
interface Limit {
  readonly name: string;
  readonly limit: number;
}

/** More counters than these are not kept: the oldest ends early. One takes about 150 bytes. */
const maxCounters = 100_000;

interface Counter {
  used: number;
  readonly ends: number;
}

/** Counters of this process. Each ends a window after its first use; a clock that is set does not change when. */
export class WindowCounters {
  readonly #window: number;
  readonly #now: () => number;
  /** All have the same window, so the first one ends first. */
  readonly #counters = new Map<string, Counter>();

  constructor(seconds: number, now: () => number = () => performance.now()) {
    this.#window = seconds * 1000;
    this.#now = now;
  }

  /** Counts the uses and returns nothing, or returns `wait` and counts nothing. */
  use(limits: readonly Limit[], uses = 1): number | undefined {
    const wait = this.wait(limits, uses);
    if (wait === undefined) this.count(limits, uses);
    return wait;
  }

  /** Seconds, at least 1, until the last of the used-up counters ends; nothing if every limit leaves room for the uses. */
  wait(limits: readonly Limit[], uses = 1): number | undefined {
    const now = this.#now();
    this.#removeEnded(now);
    const ends = limits.flatMap(({ name, limit }) => {
      const counter = this.#counters.get(name);
      return (counter?.used ?? 0) + uses <= limit ? [] : [counter?.ends ?? now + this.#window];
    });
    if (ends.length === 0) return undefined;
    // A difference of such times is not exact: 6,000.000000001 ms are 6 s.
    return Math.max(1, Math.ceil(Math.round(Math.max(...ends) - now) / 1000));
  }

  count(limits: readonly Limit[], uses = 1): void {
    for (const { name } of limits) {
      const counter = this.#counters.get(name);
      if (counter) counter.used += uses;
      else this.#counters.set(name, { used: uses, ends: this.#now() + this.#window });
    }
    for (const name of this.#counters.keys()) {
      if (this.#counters.size <= maxCounters) return;
      this.#counters.delete(name);
    }
  }

  /** Takes back what was counted. */
  giveBack(limits: readonly Limit[], uses = 1): void {
    for (const { name } of limits) {
      const counter = this.#counters.get(name);
      if (!counter) continue;
      counter.used -= uses;
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
