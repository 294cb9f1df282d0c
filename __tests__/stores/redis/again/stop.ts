/** Stops the Redis of all test files. */
export default async function stop(): Promise<void> {
  await globalThis.redisForAll?.stop();
}
