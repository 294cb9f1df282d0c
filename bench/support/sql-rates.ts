import { DatabaseSync } from 'node:sqlite';
import type { Pool } from 'pg';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import type { Store } from '../../lib/store.ts';
import { startPostgres } from '../../__tests__/helpers/postgres.ts';
import { connectTo } from '../../__tests__/stores/redis/campus.ts';

/** Milliseconds of calls with these numbers, 50 at a time. */
async function timeOf(first: number, last: number, run: (i: number) => Promise<unknown>): Promise<number> {
  let next = first;
  const start = performance.now();
  const worker = async (): Promise<void> => {
    while (next <= last) await run(next++);
  };
  await Promise.all(Array.from({ length: 50 }, worker));
  return performance.now() - start;
}

/** Calls a second of one operation. */
async function perSecond(count: number, run: (i: number) => Promise<unknown>): Promise<number> {
  return Math.round((count * 1000) / (await timeOf(1, count, run)));
}

const calls = 5000;

async function fill(store: Store): Promise<void> {
  await perSecond(calls, async (i) => {
    const grantId = `g ${i}`;
    const whose = { memberId: `m ${i}`, clientId: 'app' };
    await store.save('s', { kind: 'Grant', id: grantId, record: 'g'.repeat(200), ttl: 9e6, ...whose });
    for (const kind of ['RefreshToken', 'AccessToken'] as const) {
      const [letter, ttl] = kind === 'AccessToken' ? ['a', 7200] : ['r', 9e5];
      const token = { id: `${letter} ${i}`, record: 'x'.repeat(200), ttl };
      await store.save('s', { kind, ...token, grantId, familyId: 'f' });
    }
  });
}

type Call = (i: number) => Promise<unknown>;

const rounds = 4;

/** So many calls of each operation in turn: what else the machine does meets all of them. */
const slice = 250;

/** The operations of one round, in which each refresh token of the round before is redeemed. */
function operationsOf(store: Store, number: number): Record<string, Call> {
  const token = (i: number): string => (number === 0 ? `r ${i}` : `r ${number} ${i}`);
  return {
    verify: (i) => store.find('s', 'AccessToken', `a ${i}`),
    'with its grant': (i) => store.find('s', 'RefreshToken', token(i), { withGrant: true }),
    redeem: (i) =>
      store.redeem('s', {
        kind: 'RefreshToken',
        id: token(i),
        grantId: `g ${i}`,
        now: 1,
        replay: { sealed: 'x'.repeat(500), ttl: 30 },
        tokens: [
          { kind: 'AccessToken', id: `a ${number} ${i}`, record: 'a'.repeat(200), ttl: 7200 },
          { kind: 'RefreshToken', id: `r ${number + 1} ${i}`, record: 'r'.repeat(200), ttl: 9e5 },
        ],
      }),
  };
}

/** The median of the rounds after the first, each against the SELECT of its round. */
async function ratiosOf(store: Store, select: Call): Promise<Record<string, string>> {
  const ratios = new Map<string, number[]>();
  for (let number = 0; number < rounds; number += 1) {
    const operations = Object.entries({ select, ...operationsOf(store, number) });
    const times = new Map(operations.map(([name]) => [name, 0]));
    for (let first = 1; first <= calls; first += slice) {
      for (const [name, call] of operations)
        times.set(name, (times.get(name) ?? 0) + (await timeOf(first, first + slice - 1, call)));
    }
    const { select: base = 0, ...others } = Object.fromEntries(times);
    for (const [name, time] of Object.entries(others))
      if (number > 0) ratios.set(name, [...(ratios.get(name) ?? []), base / time]);
  }
  const shown = [...ratios].map(([name, all]) => {
    const sorted = all.toSorted((x, y) => x - y);
    return [name, `${sorted[sorted.length >> 1]?.toFixed(2)} (${sorted[0]?.toFixed(2)}-${sorted.at(-1)?.toFixed(2)})`];
  });
  return Object.fromEntries(shown);
}

async function bytesOfConnection(pool: Pool): Promise<number> {
  const { rows } = await pool.query(`select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
    where relkind = 'r' and relname in ('campus_grant', 'campus_family', 'campus_token')`);
  return Math.round(Number(rows[0]?.bytes) / calls);
}

function bytesInFile(database: DatabaseSync): number {
  const pages = 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()';
  return Math.round(Number(database.prepare(pages).get()?.['bytes']) / calls);
}

/** Calls of the stores themselves, beside one indexed SELECT of the same pool. */
export async function compareSql(redisPort: number): Promise<void> {
  // As a server is by default: each commit is on disk.
  const server = await startPostgres([]);
  const pool = server.pool({ max: 10, query_timeout: 60_000 });
  const store = postgresStore(pool);
  await store.migrate();
  const database = new DatabaseSync(`${process.cwd()}/node_modules/.cache/bench-${process.pid}.db`);
  database.exec('pragma journal_mode = wal');
  const lite = sqliteStore(database);
  await lite.migrate();
  const redis = connectTo(redisPort);
  await fill(store);
  const { rows: keys } = await pool.query('select key from campus_token');
  const select: Call = (i) =>
    pool.query({ name: 'one', text: 'select record from campus_token where key = $1', values: [keys[i]?.key] });
  const onRedis = redisStore(redis, { deadline: 60_000 });
  await Promise.all([fill(lite), fill(onRedis)]);
  const ratios = {
    PostgreSQL: await ratiosOf(store, select),
    SQLite: await ratiosOf(lite, select),
    Redis: await ratiosOf(onRedis, select),
  };
  redis.disconnect();
  console.log('\nCalls of the store, against one indexed SELECT of the same pool in the same round');
  console.table(ratios);
  console.log('targets on PostgreSQL: verify 0.6, redeem 0.14');
  const { rows } =
    await pool.query(`select relname, n_tup_upd as updates, n_tup_hot_upd as hot, pg_relation_size(relid)::float8 as bytes
    from pg_stat_user_tables where n_tup_upd > 0`);
  console.log('\nUpdates that changed no index (hot), after the refreshes');
  console.table(rows);
  const bytes = { PostgreSQL: await bytesOfConnection(pool), SQLite: bytesInFile(database) };
  console.log(`\nBytes of a connection after ${rounds} refreshes, with indexes`);
  console.table(bytes);
  await server.stop();
  database.close();
}

/** How long it takes to purge expired tokens, and to revoke the grants to a client. */
export async function compareMany(rows: number): Promise<void> {
  const server = await startPostgres([]);
  const pool = server.pool({ max: 5, query_timeout: 60_000 });
  const store = postgresStore(pool);
  const admin = server.pool({ max: 1 });
  await store.migrate();
  await admin.query(`insert into campus_grant (key, expires, epoch, site, name, member, client, record) select md5('g' || n)::uuid, date_part('epoch', now()) + 1e6, 0, 's', 'g' || n, 'm' || n,
    'app', repeat('g', 200) from generate_series(1, ${rows}) n`);
  await admin.query(`insert into campus_family (key, of_grant, expires, name) select md5('f' || n)::uuid, md5('g' || n)::uuid, date_part('epoch', now()) + 1e6, 'f'
    from generate_series(1, ${rows}) n`);
  await admin.query(`insert into campus_token (key, family, expires, kind, name, record) select md5('t' || n)::uuid, md5('f' || n)::uuid, 1, 'AccessToken', 't' || n,
    repeat('t', 200) from generate_series(1, ${rows}) n`);
  await admin.query('analyze');
  await fill(store);
  const quiet = await perSecond(calls, (i) => store.find('s', 'AccessToken', `a ${i}`));
  let [removed, longest, batches] = [0, 0, 0];
  let busy = 0;
  const start = performance.now();
  for (let hasMore = true; hasMore; batches += 1) {
    const purging = store.purge();
    busy = await perSecond(1000, (i) => store.find('s', 'AccessToken', `a ${i}`));
    const report = await purging;
    ({ hasMore } = report);
    removed += report.removed;
    longest = Math.max(longest, report.milliseconds);
  }
  const purge = (performance.now() - start) / 1000;
  console.log(
    `\npurged ${removed} expired tokens in ${purge.toFixed(1)} s: ${batches} purges, the longest ${longest} ms`,
  );
  console.log(`verify beside it, against verify alone: ${(busy / quiet).toFixed(2)}`);
  const began = performance.now();
  const revoked = await store.revoke('s', { clientId: 'app' });
  console.log(`revoked ${revoked} connections to one client in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await server.stop();
}
