/** How many entries each write checks for expiry. With more than one, expired entries cannot accumulate. */
const checksPerWrite = 4;

/** A map whose entries expire: at `expires`, in milliseconds since the epoch. */
export class ExpiringMap<V extends { readonly expires: number }> {
  readonly #values = new Map<string, V>();
  readonly #onDelete: (key: string, value: V) => void;
  #unchecked: Iterator<[string, V]> = this.#values.entries();

  constructor(onDelete: (key: string, value: V) => void = () => {}) {
    this.#onDelete = onDelete;
  }

  /** The number of entries, including expired ones that have not been deleted yet. */
  get size(): number {
    return this.#values.size;
  }

  entries(): IterableIterator<[string, V]> {
    return this.#values.entries();
  }

  get(key: string): V | undefined {
    const value = this.#values.get(key);
    if (!value || value.expires > Date.now()) return value;
    this.delete(key);
    return undefined;
  }

  set(key: string, value: V): void {
    const now = Date.now();
    for (let i = 0; i < checksPerWrite; i += 1) this.#checkNext(now);
    this.delete(key);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    const value = this.#values.get(key);
    if (value && this.#values.delete(key)) this.#onDelete(key, value);
  }

  #checkNext(now: number): void {
    const { value: next, done } = this.#unchecked.next();
    if (done) {
      this.#unchecked = this.#values.entries();
      return;
    }
    const [key, value] = next;
    if (value.expires <= now) this.delete(key);
  }
}
