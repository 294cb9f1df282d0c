import { refreshing } from '../drills/requests.ts';
import { type Answer, post } from '../drills/visitor.ts';
import { databases } from '../support/databases.ts';
import { NumberedSchools } from '../support/numbered-schools.ts';
import { printFailures, startServer, waitsOf } from '../support/scale-servers.ts';
import type { Given } from './arguments.ts';

/** How often memory is looked at. */
const parts = 10;
const callers = 8;

export async function run({ on, schools: count, 'find-site': foundAfter }: Given<'memory'>): Promise<void> {
  const database = await databases[on]();
  const schools = await NumberedSchools.start(count, database.store);
  const server = await startServer({ database: database.place, sites: { foundAfter } });
  const visit = async (number: number): Promise<void> => {
    const { origin, refreshToken } = schools.names(number);
    const answers = [
      await post(server.port, origin, { path: '/.well-known/openid-configuration' }),
      await post(server.port, origin, refreshing(refreshToken)),
    ];
    const refused = answers.find(({ status }: Answer) => status !== 200);
    if (refused) throw new Error(`${refused.status}: ${refused.text}`);
  };
  try {
    await schools.grow(count);
    const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
    const started = await server.costs(true);
    const rows = [{ schools: 0, 'heap MB': megabytes(started.heap), 'resident MB': megabytes(started.rss) }];
    for (let part = 0; part < parts; part += 1) {
      const [from, to] = [part, part + 1].map((edge) => Math.floor((edge * count) / parts));
      const numbers = Array.from({ length: (to ?? 0) - (from ?? 0) }, (_, i) => (from ?? 0) + i);
      printFailures((await waitsOf(numbers, callers, visit)).failures);
      const { heap, rss } = await server.costs(true);
      rows.push({ schools: to ?? 0, 'heap MB': megabytes(heap), 'resident MB': megabytes(rss) });
    }
    console.log(`\nA server process with a heap of at most 1 GB, ${database.version}, Node ${process.version}`);
    console.table(rows);
    console.log('Heap: what is left after a collection of garbage.');
  } finally {
    await server.kill();
    await schools.close();
    await database.stop();
  }
}
