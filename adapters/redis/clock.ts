/** The share of the time left that is reserved for the way back of the reply and for errors of the clocks. */
const wayBack = 0.05;

/** The clock of a Redis server, estimated from its last reply. */
export class ServerClock {
  /** Milliseconds by which the server's clock is ahead of ours. Until it is known, everything counts as late. */
  #ahead = -Infinity;

  set(there: number): void {
    this.#ahead = there - here();
  }

  /** The last millisecond at which the server may act for a caller who waits for so many milliseconds. */
  notAfter(left: number): number {
    const last = here() + this.#ahead + left * (1 - wayBack);
    return Number.isFinite(last) ? Math.floor(last) : 0;
  }
}

/** Milliseconds since the epoch. `Date.now` would jump when the clock of this machine is set. */
function here(): number {
  return performance.timeOrigin + performance.now();
}
