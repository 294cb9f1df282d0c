import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { postgresDialect } from '../../../adapters/postgres/statements.ts';
import { useStatements } from '../../../adapters/sql/use.ts';
import { dialect as sqliteDialect } from '../../../adapters/sqlite/session.ts';
import type { NewRecord } from '../../../lib/store.ts';
import { type Database, postgresDatabases, sqliteDatabase } from './databases.ts';

let postgres: Awaited<ReturnType<typeof postgresDatabases>>;
beforeAll(async () => {
  postgres = await postgresDatabases();
});
afterAll(() => postgres.server.stop());

const opened: Database[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const grant = (id: string, clientId: string, ttl: number): NewRecord => ({
  kind: 'Grant',
  id,
  record: 'g',
  ttl,
  memberId: `member of ${id}`,
  clientId,
});

/** Writes rows past the store: one grant to each of so many clients, and as many to one app. */
async function fill(database: Database, clients: number): Promise<void> {
  const rows = Array.from({ length: clients * 2 }, (_, i) => {
    const [key, isOfApp] = [i.toString(16).padStart(32, '0'), i % 2 === 0];
    return `('${key}', ${4e9 + i}, 0, 'school', 'g${i}', 'm${i}', 'c${i}', ${isOfApp ? `'@code'` : 'null'}, 'r')`;
  });
  const columns = 'key, expires, epoch, site, name, member, client, app, record';
  await database.run(`insert into campus_grant (${columns}) values ${rows.join(', ')}`);
  await database.run('analyze');
}

const selectAll = 'select name, grants from campus_use order by name';

describe.each([
  ['PostgreSQL', () => postgres.make()],
  ['SQLite', async () => sqliteDatabase()],
])('on %s', (_name, make) => {
  const start = async () => {
    const database = await make();
    opened.push(database);
    const store = database.open();
    await store.migrate();
    return { database, store };
  };

  test('a purge, and statements past the store, keep the numbers', async () => {
    const { database, store } = await start();
    for (const id of ['1', '2']) await store.save('school', grant(id, 'quiz', 600));
    await store.save('school', grant('3', 'quiz', 0));
    await store.save('school', grant('4', 'timer', 0));
    const rows = [
      { name: 'quiz', grants: 3 },
      { name: 'timer', grants: 1 },
    ];
    expect(await database.run(selectAll)).toEqual(rows);
    const { entries } = await store.clientsByUse('school', { limit: 10 });
    expect(entries).toEqual([{ clientId: 'quiz', grants: 2 }]);
    expect(await store.purge()).toMatchObject({ removed: 2 });
    expect(await database.run(selectAll)).toEqual([{ name: 'quiz', grants: 2 }]);
    await database.run(`delete from campus_grant where name = '1'`);
    expect(await database.run(selectAll)).toEqual([{ name: 'quiz', grants: 1 }]);
    await store.save('school', grant('3', 'quiz', 600));
    expect(await store.countGrants('school', [{ clientId: 'quiz' }])).toEqual([2]);
  });

  test('with 5,000 clients pages are those of the order', async () => {
    const { database, store } = await start();
    await fill(database, 5000);
    const first = await store.clientsByUse('school', { limit: 20 });
    expect(first.entries[0]).toEqual({ app: 'code', grants: 5000 });
    expect(first.entries).toHaveLength(20);
    const { entries } = await store.grantsOf('school', { app: 'code', limit: 3 });
    expect(entries.map(({ id }) => id)).toEqual(['g9998', 'g9996', 'g9994']);
    expect(await database.run('delete from campus_grant where app is null or expires < 4000009990')).toEqual([]);
    expect(await database.run(selectAll)).toEqual([{ name: '@code', grants: 5 }]);
  });
});

/** The values of parameters, as text. */
function withValues(text: string, values: readonly (string | number)[]): string {
  return values.reduce<string>(
    (all, value, i) => all.replaceAll(`$${i + 1}`, typeof value === 'string' ? `'${value}'` : String(value)),
    text,
  );
}

const later = ['1 c7', '4000000500 g500'].map((place) => place.split(' '));
const pages = (dialect: Parameters<typeof useStatements>[0]): readonly (readonly [name: string, text: string])[] => {
  const { clients, grantsToApp, grantsToClient } = useStatements(dialect);
  const [byUse = [], byLife = []] = later.map(([number, name = '']) => [Number(number), name]);
  return [
    ['the first page of clients', withValues(clients.first.text, ['school', 20])],
    ['a later page of clients', withValues(clients.after.text, ['school', 20, ...byUse])],
    ['the first grants to an app', withValues(grantsToApp.first.text, ['school', 20, '@code'])],
    ['later grants to an app', withValues(grantsToApp.after.text, ['school', 20, '@code', ...byLife])],
    ['the grants to a client', withValues(grantsToClient.first.text, ['school', 20, 'c7'])],
  ];
};

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

/** All rows that a plan has read. */
function rowsOf(plan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': checked = 0 } = plan;
  const own = (plan['Actual Rows'] + filtered + checked) * plan['Actual Loops'];
  return own + (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);
}

test('on PostgreSQL a page reads as many rows of 5,000 clients as of 500', async () => {
  const read = async (clients: number): Promise<Record<string, number>> => {
    const database = await postgres.make();
    opened.push(database);
    await database.open().migrate();
    await fill(database, clients);
    const { schema } = /create schema (?<schema>\w+)/.exec(database.prelude)?.groups ?? {};
    const found: Record<string, number> = {};
    for (const [name, text] of pages(postgresDialect(schema ?? ''))) {
      const plain = text.replaceAll(`"${schema}".`, '');
      const [row] = await database.run(`explain (analyze, format json) ${plain}`);
      const [{ Plan: plan }]: [{ Plan: Plan }] = JSON.parse(JSON.stringify(row?.['QUERY PLAN']));
      found[name] = rowsOf(plan);
    }
    return found;
  };
  const few = await read(500);
  expect(await read(5000)).toEqual(few);
  expect(Math.max(...Object.values(few))).toBeLessThanOrEqual(100);
});

test('on SQLite a page is a search of indexes, without a sort', async () => {
  const database = sqliteDatabase();
  opened.push(database);
  await database.open().migrate();
  await fill(database, 5000);
  for (const [name, text] of pages(sqliteDialect)) {
    const steps = (await database.run(`explain query plan ${text}`)).map(({ detail }) => String(detail));
    const others = steps.filter((step) => !/^(?:SEARCH|CORRELATED)/.test(step));
    // Grants with the same end are sorted by their names.
    expect([name, others.filter((step) => !/LAST TERM OF ORDER BY|RIGHT PART OF ORDER BY/.test(step))]).toEqual([
      name,
      [],
    ]);
  }
});
