/**
 * One call at a time for each key: whoever asks while it runs gets the same answer, or the same error. Nothing is kept
 * once it has settled.
 */
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
