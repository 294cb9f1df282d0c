import type { Place } from '../shared/places.ts';

/** Names in the order of a number, the greatest first. */
export class UseOrder {
  readonly #numbers = new Map<string, number>();
  readonly #order: Place[] = [];

  /** Gives a name its number; without one, it leaves. */
  set(name: string, number: number): void {
    const before = this.#numbers.get(name);
    if (before !== undefined) this.#order.splice(this.#position({ name, number: before }), 1);
    if (number === 0) {
      this.#numbers.delete(name);
      return;
    }
    this.#numbers.set(name, number);
    this.#order.splice(this.#position({ name, number }), 0, { name, number });
  }

  /** Some of those after a place. */
  after(place: Place | undefined, size: number): readonly Place[] {
    const start = place ? this.#position(place) : 0;
    const isThere = place !== undefined && compare(this.#order[start], place) === 0;
    return this.#order.slice(isThere ? start + 1 : start).slice(0, size);
  }

  /** Where a place is, or would be. */
  #position(place: Place): number {
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.#order[middle], place) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Below 0 if the first comes first. */
export function compare(a: Place | undefined, b: Place): number {
  if (!a) return 1;
  if (a.number !== b.number) return a.number > b.number ? -1 : 1;
  return a.name === b.name ? 0 : a.name < b.name ? -1 : 1;
}
