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

  /**
   * Returns what gives the place back. `undefined` if there is no place for this owner, or none in the part of the room that is `open` to it.
   */
  enter(owner: string, open: number = this.#size): (() => void) | undefined {
    if (this.#of(owner) >= open - this.#taken) return undefined;
    this.#change(owner, 1);
    let isIn = true;
    return () => {
      if (isIn) this.#change(owner, -1);
      isIn = false;
    };
  }

  #of(owner: string): number {
    return this.#ofOwner.get(owner) ?? 0;
  }

  #change(owner: string, by: 1 | -1): void {
    const own = this.#of(owner) + by;
    this.#taken += by;
    if (own > 0) this.#ofOwner.set(owner, own);
    else this.#ofOwner.delete(owner);
  }
}
