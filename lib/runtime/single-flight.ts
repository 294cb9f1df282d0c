/**
 * One call at a time for each key: concurrent callers share its result or its error, and the arguments of the first one
 * are used. Results are not cached.
 */
export function singleFlight<A extends unknown[], T>(
  call: (key: string, ...args: A) => Promise<T>,
): (key: string, ...args: A) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, ...args) => {
    const shared = running.get(key);
    if (shared !== undefined) return shared;
    const started = call(key, ...args).finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
