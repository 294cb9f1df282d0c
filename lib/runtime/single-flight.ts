/** One call at a time for each key: concurrent callers share its result or its error. Results are not cached. */
export function singleFlight<T>(call: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key) => {
    const shared = running.get(key);
    if (shared !== undefined) return shared;
    const started = call(key).finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
