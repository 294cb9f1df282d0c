import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import type { Finding } from '../../../lib/index.ts';
import { resetClock, setClockAhead } from '../../helpers/clock.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';

interface Diagnosed {
  diagnose?(): Promise<readonly Finding[]>;
}

async function idsOf(store: Diagnosed): Promise<string[]> {
  return ((await store.diagnose?.()) ?? []).map(({ id }) => id);
}

describe('postgresStore', () => {
  let server: PostgresServer;
  let pool: Pool;
  const good = { connectionTimeoutMillis: 10_000, query_timeout: 20_000 };
  beforeAll(async () => {
    server = await startPostgres();
    pool = server.pool({ ...good, statement_timeout: 20_000, max: 3 });
  });
  afterAll(() => server.stop());

  test('finds that there are no tables, and nothing once they are there', async () => {
    expect(await idsOf(postgresStore(pool))).toEqual(['postgres-migrations']);
    await postgresStore(pool).migrate();
    expect(await idsOf(postgresStore(pool))).toEqual([]);
  });

  test.each([
    [
      'postgres-index',
      'alter index campus_token_expires rename to other',
      'alter index other rename to campus_token_expires',
    ],
    [
      'postgres-autovacuum',
      'alter table campus_token set (autovacuum_enabled = false)',
      'alter table campus_token reset (autovacuum_enabled)',
    ],
  ])('%s, after %s', async (id, wrong, right) => {
    await pool.query(wrong);
    const ids = await idsOf(postgresStore(pool));
    await pool.query(right);
    expect(ids).toEqual([id]);
  });

  test('a role whose transactions are read-only and not waited for, and a pool without limits or listeners', async () => {
    const options = '-c default_transaction_read_only=on -c synchronous_commit=off';
    const bare = new Pool({ connectionString: server.url, options });
    const ids = await idsOf(postgresStore(bare));
    await bare.end();
    expect(ids).toEqual([
      'postgres-read-only',
      'postgres-commit',
      'postgres-timeout',
      'postgres-errors',
      'postgres-connect',
    ]);
  });

  test('postgres-clock: a clock three hours off', async () => {
    setClockAhead(-3 * 60 * 60);
    const findings = await postgresStore(pool).diagnose?.();
    resetClock();
    expect(findings).toMatchObject([{ id: 'postgres-clock', severity: 'error' }]);
    expect(findings?.[0]?.text).toMatch(/is 1\d{4} seconds ahead of that of this process/);
  });

  test('postgres-pooler: a prepared statement was lost', async () => {
    const one = server.pool({ ...good, statement_timeout: 20_000, max: 1 });
    const store = postgresStore(one);
    await store.ping();
    await one.query('deallocate all');
    await store.ping();
    expect(await idsOf(store)).toEqual(['postgres-pooler']);
  });

  test('postgres-unreachable: a server that is not there', async () => {
    const away = server.pool({ ...good, port: 1, connectionString: 'postgres://127.0.0.1:1/none' });
    expect(await idsOf(postgresStore(away))).toEqual(['postgres-unreachable']);
  });

  test('postgres-version and postgres-autovacuum, as an old server reports them', async () => {
    const row = {
      number: 130_000,
      version: '13.9',
      autovacuum: 'off',
      commit: 'on',
      timeout: '1s',
      now: Date.now() / 1000,
    };
    const client = {
      query: async ({ text }: { readonly text: string }) => ({
        rows: text.includes('server_version') ? [row] : text.includes('campus_migration') ? [] : [{ name: 'x' }],
      }),
      release: () => {},
      on: () => 0,
      removeListener: () => 0,
    };
    const ids = await idsOf(postgresStore({ connect: (done) => done(undefined, client) }));
    expect(ids).toEqual(['postgres-version', 'postgres-autovacuum', 'postgres-migrations']);
  });
});

describe('sqliteStore', () => {
  test('finds missing tables, then a missing index, then nothing', async () => {
    const database = new DatabaseSync(':memory:', { timeout: 100 });
    const store = sqliteStore(database);
    expect(await idsOf(store)).toEqual(['sqlite-migrations']);
    await store.migrate();
    expect(await idsOf(store)).toEqual([]);
    database.exec('drop index campus_token_expires');
    expect(await idsOf(store)).toEqual(['sqlite-index']);
    database.close();
    expect(await idsOf(store)).toEqual(['sqlite-unreadable']);
  });

  test('settings of a file', async () => {
    const database = new DatabaseSync('');
    const store = sqliteStore(database);
    await store.migrate();
    expect(await idsOf(store)).toEqual(['sqlite-journal', 'sqlite-timeout']);
    database.close();
  });
});

test.each([
  ['pool must', () => Reflect.apply(postgresStore, undefined, [undefined])],
  ['pool.connect must', () => Reflect.apply(postgresStore, undefined, [{}])],
  ['options.schema must', () => postgresStore(new Pool(), { schema: 'a"b' })],
  ['did you mean "options.schema"', () => Reflect.apply(postgresStore, undefined, [new Pool(), { shema: 'a' }])],
  ['database must', () => Reflect.apply(sqliteStore, undefined, [undefined])],
  ['database.exec must', () => Reflect.apply(sqliteStore, undefined, [{}])],
  [
    'database must enforce foreign keys',
    () => sqliteStore(new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })),
  ],
])('%s …', (message, make) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});
