import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import { storeContract } from '../../../lib/testing/index.ts';
import { startPgBouncer } from '../../helpers/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { redeemOften, saveCodes, winnersOf } from './redeem.ts';

let server: PostgresServer;
let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
let stores: ReturnType<typeof postgresStore>[];
beforeAll(async () => {
  server = await startPostgres();
  pooler = await startPgBouncer(server);
  const open = () => postgresStore(server.pool({ connectionString: pooler.url, max: 20, query_timeout: 20_000 }));
  stores = [open(), open()];
  const steps = await Promise.all(stores.map((store) => store.migrate()));
  expect(steps.flat()).toEqual([1, 2]);
});
afterAll(async () => {
  await pooler?.stop();
  await server.stop();
});

test('of redemptions by two pools at once, which lose their prepared statements meanwhile, one wins', async () => {
  const [first, second] = stores;
  if (!first || !second) throw new Error('no stores');
  const codes = Array.from({ length: 20 }, (_, i) => `code ${i}`);
  await saveCodes(first, codes);
  for (const id of codes) {
    const shots = [
      redeemOften(first, { id, who: 'first', count: 32 }),
      redeemOften(second, { id, who: 'second', count: 32 }),
    ];
    const [its = {}, others = {}] = await Promise.all(shots);
    const winners = await winnersOf(first, id, { ...its, ...others });
    const [winner] = winners.won;
    expect(winners).toEqual({ won: [winner], replayed: [winner], access: [winner], refresh: [winner] });
  }
});

test('the store says that a pooler loses prepared statements', async () => {
  const ids = (await stores[0]?.diagnose?.())?.map(({ id }) => id);
  expect(ids).toContain('postgres-pooler');
});

test('a startup option of the pool, which a pooler refuses, is named', async () => {
  const pool = server.pool({ connectionString: pooler.url, statement_timeout: 1000 });
  expect(await postgresStore(pool).diagnose?.()).toMatchObject([
    { id: 'postgres-unreachable', text: expect.stringContaining('statement_timeout') },
    { id: 'postgres-connect' },
  ]);
});

describe('behind PgBouncer in transaction mode', () => {
  for (const { name, run } of storeContract(() => stores[0] ?? Promise.reject(new Error('no store')))) test(name, run);
});
