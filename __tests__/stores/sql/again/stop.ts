/** Stops the PostgreSQL of all test files. */
export default async function stop(): Promise<void> {
  await globalThis.postgresForAll?.stop();
}
