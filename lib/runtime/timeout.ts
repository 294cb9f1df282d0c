/** The outcome of `work`, or a rejection with what `late` returns when the time is up first. The work is not stopped. */
export async function withTimeout<T>(work: T | Promise<T>, milliseconds: number, late: () => unknown): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), milliseconds);
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
  }
}

interface Timeout {
  /** Aborted when the time is up or `end` is called, with the reason. */
  readonly signal: AbortSignal;
  /** Rejects at the same moment, with the same reason; may be left unobserved. */
  readonly ended: Promise<never>;
  readonly end: (reason: unknown) => void;
  readonly clear: () => void;
}

/** The time of one request, for any number of calls that race against it; `late` makes the reason when it is up. */
export function startTimeout(milliseconds: number, late: () => unknown): Timeout {
  const controller = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  const clear = (): void => clearTimeout(timer);
  const end = (reason: unknown): void => {
    clear();
    // Calls that reject because of the signal come second: the reason of the timeout wins the race.
    reject(reason);
    controller.abort(reason);
  };
  const timer = setTimeout(() => end(late()), milliseconds);
  return { signal: controller.signal, ended, end, clear };
}
