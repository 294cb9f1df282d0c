import { boundedCache } from '../../../kernel/bounded-cache.ts';

/** Failures in a row before an address rests. */
const allowed = 3;

/** Milliseconds. Each failure after a rest doubles the next one. */
export const shortestRest = 60 * 1000;
const longestRest = 60 * 60 * 1000;

interface Failures {
  readonly inRow: number;
  /** By `performance.now`. */
  readonly restsUntil: number;
}

/** Addresses that are not called for a while, since they have failed again and again. A success ends that. */
export class RestingAddresses {
  readonly #failures = boundedCache<Failures>(1000);

  /** The milliseconds that it still rests, 0 if it can be called. */
  restOf(address: string): number {
    const { restsUntil = 0 } = this.#failures.get(address) ?? {};
    // A difference of such times is not exact.
    return Math.max(0, Math.round(restsUntil - performance.now()));
  }

  failed(address: string): void {
    // Several calls were under way: they are one failure.
    if (this.restOf(address) > 0) return;
    const inRow = (this.#failures.get(address)?.inRow ?? 0) + 1;
    const rest = inRow < allowed ? 0 : Math.min(shortestRest * 2 ** (inRow - allowed), longestRest);
    this.#failures.set(address, { inRow, restsUntil: performance.now() + rest });
  }

  succeeded(address: string): void {
    this.#failures.delete(address);
  }
}
