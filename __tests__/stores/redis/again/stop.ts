/** Stops the Redis of all files. */
export default async function stop(): Promise<void> {
  await globalThis.redisForAll?.stop();
}
