import { setTimeout as sleep } from 'node:timers/promises';
import { databases } from '../support/databases.ts';
import { NumberedSchools } from '../support/numbered-schools.ts';
import type { Given } from './arguments.ts';

/** Seconds. */
const grace = 1;

/** How often bytes are looked at while connections are written: a run that is stopped has measured something. */
const parts = 20;

export async function run({ on, connections, schools: count, refreshes, sample }: Given<'bytes'>): Promise<void> {
  const database = await databases[on]();
  // The responses of refreshes expire soon, so that only what stays is counted.
  const schools = await NumberedSchools.start(count, database.store, { refreshGrace: grace });
  try {
    const empty = await database.bytes();
    const start = performance.now();
    for (const size of spread(parts, connections).map((before) => before + Math.ceil(connections / parts))) {
      await schools.grow(Math.min(size, connections));
      const each = ((await database.bytes()) - empty) / schools.size;
      console.log(`${schools.size} written in ${secondsSince(start).toFixed(0)} s, ${each.toFixed(0)} bytes each`);
    }
    const numbers = spread(sample === 0 ? connections : Math.min(sample, connections), connections);
    let refreshed = 0;
    let first: { readonly bytes: number; readonly inKeys: number } | undefined;
    const rows = [];
    for (const times of refreshes.toSorted((a, b) => a - b)) {
      const before = { logged: await database.logged(), refreshed, at: performance.now() };
      for (; refreshed < times; refreshed += 1) {
        await schools.refreshSome(refreshed + 1, numbers);
        // As it runs beside a service.
        await database.purge();
      }
      const seconds = secondsSince(before.at);
      const done = (refreshed - before.refreshed) * numbers.length;
      const logged = (await database.logged()) - before.logged;
      await sleep((grace + 1) * 1000);
      await database.cleanUp();
      const bytes = (await database.bytes()) - empty;
      const inKeys = (await database.keyBytes?.()) ?? 0;
      first ??= { bytes, inKeys };
      const row = {
        refreshes: times,
        'bytes of a connection': Math.round(bytes / connections),
        'to the first': (bytes / first.bytes).toFixed(4),
        'more for each that was refreshed': Math.round((bytes - first.bytes) / numbers.length),
        ...(database.keyBytes && {
          'in keys': Math.round(inKeys / connections),
          'more in keys': Math.round((inKeys - first.inKeys) / numbers.length),
        }),
        'refreshes/s': done === 0 ? '' : Math.round(done / seconds),
        'bytes of log for each refresh': done === 0 ? '' : Math.round(logged / done),
      };
      rows.push(row);
      console.log(JSON.stringify(row));
    }
    console.log(
      `${connections} connections at ${count} schools, ${numbers.length} of them refreshed, ${database.version}`,
    );
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

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

/** So many numbers below a limit, at equal distances. */
function spread(count: number, limit: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor((i * limit) / count));
}
