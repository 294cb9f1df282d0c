import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import { createCampus, type Finding } from '../../../lib/index.ts';
import { fakePlatform } from '../../../lib/testing/index.ts';
import { resetClock, setClockAhead } from '../../helpers/clock.ts';
import { signingKey } from '../../helpers/keys.ts';
import { nobody, type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { documentedGrants, urlOfRole } from './documented-role.ts';

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
        rows: text.includes('server_version') ? [row] : [],
      }),
      release: () => {},
      on: () => 0,
      removeListener: () => 0,
    };
    const ids = await idsOf(postgresStore({ connect: (done) => done(undefined, client) }));
    expect(ids).toEqual(['postgres-version', 'postgres-autovacuum', 'postgres-migrations']);
  });

  describe('the rights of its role', () => {
    let limited: Pool;
    beforeAll(async () => {
      await pool.query(documentedGrants);
      limited = server.pool({
        ...good,
        statement_timeout: 20_000,
        connectionString: urlOfRole(server),
      });
    });

    /** What is found after a statement, which another one takes back. */
    async function foundAfter(wrong: string, right: string): Promise<readonly Finding[]> {
      await pool.query(wrong);
      const findings = await postgresStore(limited).diagnose?.();
      await pool.query(right);
      return findings ?? [];
    }

    test('nothing is found with the statements of docs/operate/postgres.md', async () => {
      expect(await idsOf(postgresStore(limited))).toEqual([]);
    });

    const all = 'campus_family, campus_grant, campus_quota, campus_record, campus_replay, campus_token, campus_use';
    const inPublic = all.replaceAll('campus_', '"public".campus_');
    test.each([
      [
        'may only read',
        `revoke insert, update, delete on ${all} from campus`,
        `grant insert, update, delete on ${all} to campus`,
        `the role campus of the pool lacks insert, update, delete; it needs: grant insert, update, delete on ${inPublic} to campus`,
      ],
      [
        'may not delete codes and tokens',
        'revoke delete on campus_token from campus',
        'grant delete on campus_token to campus',
        'the role campus of the pool lacks delete; it needs: grant delete on "public".campus_token to campus',
      ],
      [
        'may not read which steps the tables have taken',
        'revoke select on campus_migration from campus',
        'grant select on campus_migration to campus',
        'the role campus of the pool lacks select; it needs: grant select on "public".campus_migration to campus',
      ],
      [
        'may not use the schema',
        'revoke usage on schema public from campus, public',
        'grant usage on schema public to campus, public',
        'the role campus of the pool lacks usage; it needs: grant usage on schema "public" to campus',
      ],
    ])('postgres-rights: it %s', async (_what, wrong, right, text) => {
      expect(await foundAfter(wrong, right)).toMatchObject([{ id: 'postgres-rights', severity: 'error', text }]);
    });

    test('the statements it grants are enough', async () => {
      await pool.query(`revoke all on ${all}, campus_migration from campus`);
      const findings = (await postgresStore(limited).diagnose?.()) ?? [];
      for (const { text } of findings) await pool.query(text.split('it needs: ')[1] ?? '');
      expect(findings).toHaveLength(2);
      expect(await idsOf(postgresStore(limited))).toEqual([]);
    });

    test('a role that may not delete is not healthy, which says where to look', async () => {
      const keys = { signing: [await signingKey('now')], cookies: ['p0Yl2mLrT8xqWcVb5nKz7sHd3fGj9aEu'] };
      const platform = fakePlatform({ schools: [], people: {} });
      const campus = createCampus({ platform, keys, store: postgresStore(limited) });
      campus.events.on('fault', () => undefined);
      expect(await campus.health({ write: true })).toMatchObject({ ok: true });
      expect((await pool.query(`select name from campus_record`)).rows).toHaveLength(1);
      await pool.query('revoke delete on campus_record from campus');
      expect(await campus.health({ write: true })).toMatchObject({
        ok: false,
        reason: 'permission denied for table campus_record; campus.diagnose() has the statement that grants it',
      });
      await pool.query('grant delete on campus_record to campus');
    });
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

  describe('sqlite-unwritable', () => {
    const folder = mkdtempSync(join(tmpdir(), 'campus-sqlite-'));
    const file = join(folder, 'campus.db');
    beforeAll(async () => {
      const database = new DatabaseSync(file);
      await sqliteStore(database).migrate();
      database.close();
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    async function foundIn(database: DatabaseSync): Promise<readonly Finding[]> {
      const findings = (await sqliteStore(database).diagnose?.()) ?? [];
      database.close();
      return findings.filter(({ severity }) => severity === 'error');
    }

    async function withoutRightsOn<T>(place: string, work: () => Promise<T>): Promise<T> {
      chmodSync(place, 0o555);
      // Root may write everywhere.
      if (nobody.uid !== undefined) process.seteuid?.(nobody.uid);
      try {
        return await work();
      } finally {
        if (nobody.uid !== undefined) process.seteuid?.(0);
        chmodSync(place, 0o755);
      }
    }

    test('a database that is read-only', async () => {
      const text = 'the database cannot be written: Error: attempt to write a readonly database';
      expect(await foundIn(new DatabaseSync(file, { readOnly: true }))).toMatchObject([
        { id: 'sqlite-unwritable', text },
      ]);
    });

    test('a folder that the user of the process may not write', async () => {
      const findings = await withoutRightsOn(folder, () => foundIn(new DatabaseSync(file)));
      const text = expect.stringContaining('the database cannot be written: ');
      expect(findings).toMatchObject([{ id: 'sqlite-unwritable', text }]);
    });

    test('nothing is written, and nothing found while another process writes', async () => {
      const before = readFileSync(file);
      const other = new DatabaseSync(file);
      other.exec('begin immediate');
      expect(await foundIn(new DatabaseSync(file))).toEqual([]);
      other.close();
      expect(await foundIn(new DatabaseSync(file))).toEqual([]);
      expect(readFileSync(file)).toEqual(before);
    });
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
