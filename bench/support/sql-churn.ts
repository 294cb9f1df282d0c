import type { Pool } from 'pg';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { digest } from '../../lib/kernel/crypto.ts';
import { lineId } from '../../lib/records/record.ts';
import type { Store } from '../../lib/store.ts';
import { startPostgres } from '../../__tests__/helpers/postgres.ts';

const connections = 2000;
/** A round has parts, after each of which tables are cleaned up. */
const parts = 10;
const connectionsOfPart = connections / parts;

const tables = ['family', 'token', 'replay', 'quota'] as const;

/** Whether pages are filled as the tables are created, and the share of dead rows at which a table is vacuumed. */
const settings = [
  { pages: 'as created', vacuumAt: 0.2 },
  { pages: 'as created', vacuumAt: 0.02 },
  { pages: 'full', vacuumAt: 0.2 },
  { pages: 'full', vacuumAt: 0.02 },
  { pages: 'as created', vacuumAt: Infinity },
] as const;

/** Refreshes connections over and over, and prints what becomes of the tables: counts and bytes, whatever the speed of the machine. */
export async function compareChurn(rounds: number): Promise<void> {
  for (const { pages, vacuumAt } of settings) {
    // Autovacuum comes when it comes: so this script vacuums, by the same rule.
    const server = await startPostgres(['autovacuum=off', 'fsync=off']);
    // One connection, which can report its own statistics at once.
    const pool = server.pool({ max: 1, query_timeout: 60_000 });
    const store = postgresStore(pool);
    await store.migrate();
    for (const table of tables)
      if (pages === 'full') await pool.query(`alter table campus_${table} set (fillfactor = 100)`);
    const vacuums = await churn(store, pool, rounds, vacuumAt);
    console.log(
      `\n${rounds} refreshes of ${connections} connections; pages ${pages}, vacuum at ${vacuumAt * 100} % dead rows`,
    );
    const before = await rowsOf(pool);
    await pool.query('vacuum full');
    const least = await rowsOf(pool);
    const state = [...before].map(([table, { updates, hot, dead, bytes, indexes }]) => ({
      table,
      updates,
      'hot %': updates > 0 ? Math.round((hot / updates) * 100) : '',
      vacuums: vacuums.get(table) ?? 0,
      dead,
      'table, times the least': ratio(bytes, least.get(table)?.bytes),
      'indexes, times the least': ratio(indexes, least.get(table)?.indexes),
    }));
    console.table(state);
    await server.stop();
  }
}

function ratio(a: number, b = 0): string {
  return `${(a / 1024).toFixed(0)} kB, ${(a / b).toFixed(2)}`;
}

/** Returns how often each table was vacuumed. */
async function churn(store: Store, pool: Pool, rounds: number, vacuumAt: number): Promise<Map<string, number>> {
  const vacuums = new Map<string, number>();
  for (let i = 0; i < connections; i += 1) await connect(store, i);
  await pool.query('vacuum analyze');
  for (let round = 1; round <= rounds; round += 1) {
    for (let part = 0; part < parts; part += 1) {
      for (let i = 0; i < connectionsOfPart; i += 1) await refresh(store, nth(part * connectionsOfPart + i), round);
      // As a purge does once they have expired: tokens two rounds later, replays before the next part.
      await pool.query('delete from campus_token where record like $1', [`${round - 2}.${part} %`]);
      await pool.query(
        `delete from campus_replay where key in (select key from campus_replay order by expires desc offset ${connectionsOfPart})`,
      );
      for (const table of tables)
        if (await vacuumIfDue(pool, table, vacuumAt)) vacuums.set(table, (vacuums.get(table) ?? 0) + 1);
    }
  }
  return vacuums;
}

/** Refreshes come in another order than connections: not page by page. */
function nth(i: number): number {
  return (i * 787) % connections;
}

function tokensOf(i: number, round: number) {
  const record = (letter: string): string => `${round}.${Math.floor(i / connectionsOfPart)} ${letter.repeat(250)}`;
  return [
    { kind: 'AccessToken', id: `a ${round} ${i}`, record: record('a'), ttl: 7200 },
    { kind: 'RefreshToken', id: refreshTokenId(i, round), record: record('r'), ttl: 9e5 },
  ] as const;
}

/** All refresh tokens of a connection are one line. */
function refreshTokenId(i: number, round: number): string {
  return lineId(digest(`line ${i}`), digest(`token ${i} ${round}`));
}

async function connect(store: Store, i: number): Promise<void> {
  const grantId = `g ${i}`;
  const whose = { memberId: `m ${i}`, clientId: 'app' };
  await store.save('s', { kind: 'Grant', id: grantId, record: 'g'.repeat(250), ttl: 9e6, ...whose });
  for (const token of tokensOf(i, 0)) await store.save('s', { ...token, grantId, familyId: 'f' });
}

async function refresh(store: Store, i: number, round: number): Promise<void> {
  const { won } = await store.redeem('s', {
    kind: 'RefreshToken',
    id: refreshTokenId(i, round - 1),
    grantId: `g ${i}`,
    now: round,
    replay: { sealed: 'x'.repeat(500), ttl: 30 },
    quota: { name: `refreshes ${i}`, limit: 1e6, window: 3600 },
    tokens: tokensOf(i, round),
  });
  if (!won) throw new Error('a refresh lost');
}

async function vacuumIfDue(pool: Pool, table: string, vacuumAt: number): Promise<boolean> {
  const { dead, live } = (await rowsOf(pool)).get(table) ?? { dead: 0, live: 0 };
  if (dead <= 50 + vacuumAt * live) return false;
  await pool.query(`vacuum campus_${table}`);
  return true;
}

/** The statistics of the tables that are updated. */
async function rowsOf(pool: Pool) {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(`select relname, n_live_tup, n_dead_tup, n_tup_upd, n_tup_hot_upd,
    pg_relation_size(relid) as bytes, pg_indexes_size(relid) as indexes from pg_stat_user_tables`);
  const named = rows.map((row) => ({
    table: String(row.relname).replace('campus_', ''),
    live: Number(row.n_live_tup),
    dead: Number(row.n_dead_tup),
    updates: Number(row.n_tup_upd),
    hot: Number(row.n_tup_hot_upd),
    bytes: Number(row.bytes),
    indexes: Number(row.indexes),
  }));
  return new Map(named.filter(({ table }) => tables.some((name) => name === table)).map((row) => [row.table, row]));
}
