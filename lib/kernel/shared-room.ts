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
   * Takes places and returns what gives them back. `undefined` if there are not so many for this owner, or not in the part of the room that is
   * `open` to it.
   */
  enter(owner: string, { open = this.#size, places = 1 }: Places = {}): (() => void) | undefined {
    if (this.#of(owner) + places > open - this.#taken) return undefined;
    this.#change(owner, places);
    let isIn = true;
    return () => {
      if (isIn) this.#change(owner, -places);
      isIn = false;
    };
  }

  #of(owner: string): number {
    return this.#ofOwner.get(owner) ?? 0;
  }

  #change(owner: string, by: number): void {
    const own = this.#of(owner) + by;
    this.#taken += by;
    if (own > 0) this.#ofOwner.set(owner, own);
    else this.#ofOwner.delete(owner);
  }
}

interface Places {
  /** @default all */
  readonly open?: number;
  /** @default 1 */
  readonly places?: number;
}
