import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { postgresLog } from '../../../adapters/postgres/index.ts';
import { newEventId } from '../../../lib/observe/event-id.ts';
import type { LogBound, LogEntry } from '../../../lib/records/log.ts';
import type { SqlLogStore } from '../../../lib/store.ts';
import { type Database, postgresDatabases, sqliteDatabase } from './databases.ts';

let postgres: Awaited<ReturnType<typeof postgresDatabases>>;
beforeAll(async () => {
  postgres = await postgresDatabases();
});
afterAll(() => postgres.server.stop());

const day = 24 * 60 * 60 * 1000;

function entries(count: number, kind: LogBound = 'people', age = 0): LogEntry[] {
  return Array.from({ length: count }, () => {
    const id = newEventId(Date.now() - age);
    return { siteId: 'harbour', id, kind, member: 'sam', text: '1\tconsent.given\t\tm=\t\t\t\tsam\t\t\t\t\t' };
  });
}

describe.each<[string, () => Promise<Database>]>([
  ['PostgreSQL', () => postgres.make()],
  ['SQLite', async () => sqliteDatabase()],
])('on %s', (_name, make) => {
  let database: Database;
  afterEach(() => database.close());

  const start = async (): Promise<SqlLogStore> => {
    database = await make();
    const log = database.openLog();
    // Its table alone.
    expect(await log.migrate()).toEqual([2]);
    return log;
  };
  const kept = async (): Promise<number> =>
    Number((await database.run('select count(*) as count from campus_log'))[0]?.['count']);

  test('a purge removes what is older than the days to keep', async () => {
    const log = await start();
    await log.writeLog({
      entries: [...entries(1200, 'people', 91 * day), ...entries(5, 'people', 89 * day)],
      keep: { days: 90, events: {} },
    });
    expect(await log.purge()).toMatchObject({ removed: 1200 });
    expect(await kept()).toBe(5);
  });

  test('a purge removes the oldest above the bound of a kind of a school, and nothing of another kind', async () => {
    const log = await start();
    const all = entries(1300, 'strangers');
    await log.writeLog({ entries: [...all, ...entries(30)], keep: { days: 90, events: { strangers: 100 } } });
    expect(await log.purge()).toMatchObject({ removed: 1200 });
    const { entries: found } = await log.readLog({ siteId: 'harbour', kinds: ['strangers'], limit: 500 });
    expect(found.map(({ id }) => id)).toEqual(
      all
        .slice(-100)
        .map(({ id }) => id)
        .toReversed(),
    );
    expect(await kept()).toBe(130);
  });

  test('a store whose tables are there keeps its log beside them', async () => {
    database = await make();
    const store = database.open();
    expect(await store.migrate()).toEqual([1, 2]);
    await store.writeLog?.({ entries: entries(3), keep: { days: 90, events: {} } });
    expect(await kept()).toBe(3);
    expect(await store.diagnose?.()).not.toContainEqual(expect.objectContaining({ severity: 'error' }));
  });
});

describe('on PostgreSQL', () => {
  test('500 events of any schools are one statement, and a page is one for each read', async () => {
    const pool = postgres.server.pool({ max: 2 });
    const log = postgresLog(pool, { schema: 'counted' });
    await log.migrate();
    let statements = 0;
    pool.on('acquire', () => (statements += 1));
    const some = entries(500).map((entry, i) => ({ ...entry, siteId: `school-${i % 200}` }));
    await log.writeLog({ entries: some, keep: { days: 90, events: {} } });
    expect(statements).toBe(1);
    for (const by of [undefined, { index: 'member', value: 'sam' }, { index: 'client', value: 'x' }] as const)
      await log.readLog({ siteId: 'school-1', kinds: ['people', 'use'], by, limit: 50 });
    expect(statements).toBe(4);
  });

  test('with twelve writers, whose transactions overlap and roll back, the order of writing misses none', async () => {
    const pool = postgres.server.pool({ max: 20 });
    const log = postgresLog(pool, { schema: 'overlapping' });
    await log.migrate();
    const written = new Set<string>();
    const found: string[] = [];
    let cursor = '';
    const read = async (): Promise<number> => {
      const page = await log.readLog({ after: cursor, limit: 100 });
      cursor = page.next ?? '';
      found.push(...page.entries.map(({ id }) => id));
      return page.entries.length;
    };
    const writer = async (own: number): Promise<void> => {
      for (let i = 0; i < 15; i += 1) {
        const client = await pool.connect();
        const three = entries(3);
        const rows = three.map(({ id }) => `(1, 1, '${id}', 'harbour', '1')`).join(', ');
        await client.query(`begin; insert into overlapping.campus_log (school, kind, id, site, event) values ${rows}`);
        // Others write and commit meanwhile.
        await read();
        const isKept = (i + own) % 10 > 0;
        await client.query(isKept ? 'commit' : 'rollback');
        client.release();
        for (const { id } of isKept ? three : []) written.add(id);
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, own) => writer(own)));
    while ((await read()) > 0);
    expect(new Set(found)).toEqual(written);
    expect(written.size).toBeGreaterThan(400);
  });

  test('a cursor of another database is refused, and a long transaction is found', async () => {
    const database = await postgres.make();
    const store = database.open();
    await store.migrate();
    const { next = '' } = (await store.readLog?.({ after: '', limit: 1 })) ?? {};
    const ahead = '9999999999 00000000-0000-0000-0000-000000000000';
    await expect(store.readLog?.({ after: ahead, limit: 1 })).rejects.toThrow('start again with log.read({ from })');
    const other = await postgres.server.pool({ max: 1 }).connect();
    await other.query('begin; create table held (n integer)');
    await store.writeLog?.({ entries: entries(1, 'people', 120_000), keep: { days: 90, events: {} } });
    expect((await store.readLog?.({ after: next, limit: 1 }))?.entries).toEqual([]);
    expect(await store.diagnose?.()).toContainEqual(
      expect.objectContaining({ id: 'postgres-log-waits', severity: 'warning' }),
    );
    await other.query('rollback');
    other.release();
    expect((await store.readLog?.({ after: next, limit: 1 }))?.entries).toHaveLength(1);
    await database.close();
  });
});
