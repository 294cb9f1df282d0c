import { boundedCache } from './bounded-cache.ts';

interface Recent<T> {
  readonly result: Promise<T>;
  readonly until: number;
}

/** The results of calls, each by its name, that are returned again for some seconds. What fails is not kept. */
export class RecentResults<T> {
  readonly #kept: ReturnType<typeof boundedCache<Recent<T>>>;
  readonly #milliseconds: number;

  constructor({ seconds, names }: { readonly seconds: number; readonly names: number }) {
    this.#milliseconds = seconds * 1000;
    this.#kept = boundedCache(names);
  }

  get(name: string, call: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(name);
    const now = performance.now();
    if (known && now < known.until) return known.result;
    // What is forgotten while the call is made is not kept: its promise is.
    const recent = { result: call(), until: now + this.#milliseconds };
    this.#kept.set(name, recent);
    recent.result.catch(() => this.#kept.peek(name) === recent && this.#kept.delete(name));
    return recent.result;
  }

  forget(name: string): void {
    this.#kept.delete(name);
  }
}
