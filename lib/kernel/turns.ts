interface Places {
  /** Turns in all. */
  readonly atOnce: number;
  /** Turns of one owner. @default as many as there are */
  readonly perOwner?: number;
  /** Turns of all owners that are for one target. @default as many as there are */
  readonly perTarget?: number;
}

interface Waiting {
  readonly target: string;
  readonly begin: () => void;
}

/** Ends a turn. */
export type EndTurn = () => void;

/**
 * Lets so many pass at a time. They go round the owners, usually schools: one for each that waits, and within an owner for who came first. So a
 * crowd of one owner takes no more than one turn before that of another.
 */
export class Turns {
  readonly #places: Required<Places>;
  #running = 0;
  readonly #ofOwner = new Map<string, number>();
  readonly #forTarget = new Map<string, number>();
  /** By owner. The last one to have had a turn is at the end. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor({ atOnce, perOwner = atOnce, perTarget = atOnce }: Places) {
    this.#places = { atOnce, perOwner, perTarget };
  }

  /** Returns what ends the turn, and must be called once, when its work has ended in any way. */
  async take(owner: string, target = ''): Promise<EndTurn> {
    const { promise: turn, resolve: begin } = Promise.withResolvers<void>();
    const others = this.#waiting.get(owner);
    if (others) others.push({ target, begin });
    else this.#waiting.set(owner, [{ target, begin }]);
    this.#beginNext();
    await turn;
    return () => {
      this.#count(owner, target, -1);
      this.#beginNext();
    };
  }

  #beginNext(): void {
    const { atOnce, perOwner, perTarget } = this.#places;
    for (const [owner, waiting] of this.#waiting) {
      if (this.#running >= atOnce) return;
      if ((this.#ofOwner.get(owner) ?? 0) >= perOwner) continue;
      const index = waiting.findIndex(({ target }) => (this.#forTarget.get(target) ?? 0) < perTarget);
      const [next] = index === -1 ? [] : waiting.splice(index, 1);
      if (!next) continue;
      this.#count(owner, next.target, 1);
      this.#waiting.delete(owner);
      // The loop comes to it again, after the others.
      if (waiting.length > 0) this.#waiting.set(owner, waiting);
      next.begin();
    }
  }

  #count(owner: string, target: string, change: 1 | -1): void {
    this.#running += change;
    addTo(this.#ofOwner, owner, change);
    addTo(this.#forTarget, target, change);
  }
}

function addTo(counts: Map<string, number>, name: string, change: number): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
