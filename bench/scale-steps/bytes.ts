import { setTimeout as sleep } from 'node:timers/promises';
import { databases } from '../support/databases.ts';
import { NumberedSchools } from '../support/numbered-schools.ts';
import type { Given } from './arguments.ts';

/** Seconds. A code is redeemed in its batch, which takes a while on a busy machine. */
const lives = { authorizationCode: 30, refreshGrace: 1 } as const;

export async function run({ on, connections, schools: count, refreshes }: Given<'bytes'>): Promise<void> {
  const database = await databases[on]();
  // Codes and the responses of refreshes expire soon, so that only what stays is counted.
  const schools = await NumberedSchools.start(count, database.store, lives);
  try {
    const empty = await database.bytes();
    await schools.grow(connections);
    let refreshed = 0;
    let first: number | undefined;
    const rows = [];
    for (const times of refreshes.toSorted((a, b) => a - b)) {
      const before = { logged: await database.logged(), refreshed, at: performance.now() };
      for (; refreshed < times; refreshed += 1) {
        await schools.refreshAll(refreshed + 1);
        // As it runs beside a service.
        await database.cleanUp();
      }
      const seconds = (performance.now() - before.at) / 1000;
      const done = (refreshed - before.refreshed) * connections;
      const logged = (await database.logged()) - before.logged;
      // There are no codes after the first time.
      await sleep(((first === undefined ? lives.authorizationCode : lives.refreshGrace) + 1) * 1000);
      await database.cleanUp();
      const bytes = ((await database.bytes()) - empty) / connections;
      first ??= bytes;
      rows.push({
        refreshes: times,
        'bytes of a connection': Math.round(bytes),
        'to the first': (bytes / first).toFixed(2),
        ...(database.keyBytes && { 'in keys': Math.round((await database.keyBytes()) / connections) }),
        'refreshes/s': done === 0 ? '' : Math.round(done / seconds),
        'bytes of log for each refresh': done === 0 ? '' : Math.round(logged / done),
      });
    }
    console.log(`\n${connections} connections at ${count} schools, ${database.version}`);
    console.table(rows);
    console.log('A connection is its grant, its line, one access token and its places in lists, with indexes.');
    if (database.compact) {
      await database.compact();
      console.log(
        `Rewritten without free space: ${Math.round(((await database.bytes()) - empty) / connections)} bytes.`,
      );
    }
  } finally {
    await schools.close();
    await database.stop();
  }
}
