/**
 * Room for so many that run or wait. One owner, usually a school, may have no more than are left for all others: half of the room if it is
 * alone, a third beside another that takes all it can. So a newcomer finds a place, and no part is kept free for it.
 */
export class SharedRoom {
  readonly #size: number;
  #taken = 0;
  readonly #ofOwner = new Map<string, number>();

  constructor(size: number) {
    this.#size = size;
  }

  /** Returns what gives the place back, and must be called once. `undefined` if there is no place for this owner. */
  enter(owner: string): (() => void) | undefined {
    const own = this.#ofOwner.get(owner) ?? 0;
    if (own >= this.#size - this.#taken) return undefined;
    this.#taken += 1;
    this.#ofOwner.set(owner, own + 1);
    return () => {
      this.#taken -= 1;
      const left = (this.#ofOwner.get(owner) ?? 0) - 1;
      if (left > 0) this.#ofOwner.set(owner, left);
      else this.#ofOwner.delete(owner);
    };
  }
}
