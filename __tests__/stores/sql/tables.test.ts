import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
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

describe.each([
  ['PostgreSQL', () => postgres.make()],
  ['SQLite', async () => sqliteDatabase()],
])('on %s', (_name, make) => {
  const start = async (): Promise<Database> => {
    const database = await make();
    opened.push(database);
    return database;
  };

  test('migrations are applied once, whoever migrates and how often', async () => {
    const database = await start();
    const before = await database.open().migrations();
    expect(before.map(({ isApplied }) => isApplied)).toEqual(before.map(() => false));
    const all = await Promise.all(Array.from({ length: 8 }, () => database.open().migrate()));
    expect(all.flat()).toEqual(before.map(({ version }) => version));
    expect(await database.open().migrate()).toEqual([]);
    const after = await database.open().migrations();
    expect(after).toEqual(before.map((step) => ({ ...step, isApplied: true })));
  });

  test('a migration that fails leaves nothing, and can be tried again', async () => {
    const database = await start();
    const store = database.open();
    await database.run(database.prelude);
    await database.run('create table campus_quota (stranger integer)');
    await expect(store.migrate()).rejects.toThrow(/campus_quota/);
    expect((await store.migrations())[0]?.isApplied).toBe(false);
    await expect(database.run('select 1 from campus_grant')).rejects.toThrow();
    await database.run('drop table campus_quota');
    expect(await store.migrate()).toEqual([1, 2]);
  });

  test('a purge removes what has expired and nothing else, in steps, and tells of it', async () => {
    const database = await start();
    const store = database.open();
    await store.migrate();
    const grant: NewRecord = { kind: 'Grant', id: 'g', record: 'g', ttl: 60, memberId: 'sam', clientId: 'app' };
    await store.save('s', grant);
    await store.save('s', { ...grant, id: 'endless', ttl: undefined });
    await store.save('s', { ...grant, id: 'over', ttl: 0 });
    const token = { grantId: 'g', familyId: 'f', record: 't' } as const;
    await store.save('s', { ...token, kind: 'AccessToken', id: 'live', ttl: 60 });
    await store.save('s', { ...token, kind: 'RefreshToken', id: 'endless' });
    await store.save('s', { kind: 'Client', id: 'c', record: 'c', listed: true });
    await store.consumeQuota('s', [{ name: 'live', limit: 5 }], 60);
    await store.consumeQuota('s', [{ name: 'over', limit: 5 }], -1);
    await database.run(`insert into campus_token (key, family, expires, kind, name, record)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 20600)
      select ${_name === 'SQLite' ? `printf('%032d', n)` : `lpad(n::text, 32, '0')::uuid`}, (select key from campus_family), 1, 'AccessToken', 'x', 'x' from numbers`);
    const reports: unknown[] = [];
    const listener = (report: unknown): void => void reports.push(report);
    subscribe('campus-oidc.purge', listener);
    expect(await store.expired()).toBe(20_602);
    const first = await store.purge();
    const second = await store.purge();
    const third = await store.purge();
    unsubscribe('campus-oidc.purge', listener);
    expect([first, second, third]).toMatchObject([
      { removed: 20_000, hasMore: true },
      { removed: 602, hasMore: false },
      { removed: 0, hasMore: false },
    ]);
    expect(reports).toEqual([first, second]);
    expect(await store.expired()).toBe(0);
    const count = async (table: string): Promise<number> =>
      Number((await database.run(`select count(*) as n from campus_${table}`))[0]?.['n']);
    expect(await Promise.all(['grant', 'family', 'token', 'record', 'quota'].map(count))).toEqual([2, 1, 2, 1, 1]);
    expect(await store.find('s', 'RefreshToken', 'endless')).toMatchObject({ record: 't' });
    expect(await store.find('s', 'Grant', 'endless')).toMatchObject({ record: 'g' });
  });

  test('no code, token or family outlives its grant', async () => {
    const database = await start();
    const store = database.open();
    await store.migrate();
    await store.save('s', { kind: 'Grant', id: 'g', record: 'g', ttl: 60, memberId: 'sam', clientId: 'app' });
    await store.save('s', { kind: 'AuthorizationCode', id: 'c', record: 'c', grantId: 'g', familyId: 'f', ttl: 900 });
    const tokens = [
      { kind: 'RefreshToken', id: 'r', record: 'r' },
      { kind: 'AccessToken', id: 'a', record: 'a', ttl: 900 },
    ] as const;
    expect(await store.redeem('s', { kind: 'AuthorizationCode', id: 'c', grantId: 'g', now: 1, tokens })).toEqual({
      won: true,
    });
    const rows = await database.run(`select t.kind from campus_token t join campus_family f on f.key = t.family
      join campus_grant g on g.key = f.of_grant where t.expires <= g.expires and f.expires <= g.expires and f.refresh_until <= g.expires`);
    expect(rows.map(({ kind }) => String(kind)).sort()).toEqual(['AccessToken', 'AuthorizationCode', 'RefreshToken']);
  });

  test('a grant that is made again after it expired has no family of before, even if that was to live longer', async () => {
    const database = await start();
    const store = database.open();
    await store.migrate();
    const grant: NewRecord = { kind: 'Grant', id: 'g', record: 'g', ttl: 60, memberId: 'sam', clientId: 'app' };
    await store.save('s', grant);
    await store.save('s', { kind: 'RefreshToken', id: 'r', record: 'r', grantId: 'g', familyId: 'f', ttl: 60 });
    await store.save('s', { ...grant, ttl: 0 });
    await store.save('s', grant);
    expect((await store.find('s', 'RefreshToken', 'r')) ?? undefined).toBeUndefined();
    expect(await store.find('s', 'Grant', 'g')).toMatchObject({ devices: [], epoch: 0 });
  });
});
