import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import { redisStore } from '../../../adapters/redis/index.ts';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import type { NewRecord, Store } from '../../../lib/store.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { type RedisNode, startRedis } from '../../helpers/redis.ts';
import { campusOidc } from '../../cli/command.ts';

/** Connections of the school. */
const count = 200;

const dir = mkdtempSync(join(tmpdir(), 'campus-copy-'));
const stores: Record<string, Store> = {};
let redis: RedisNode;
let postgres: PostgresServer;
let client: Redis;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  client = new Redis(redis.url, { enableAutoPipelining: true });
  const sql = postgresStore(postgres.pool({ max: 5, query_timeout: 30_000 }));
  const lite = sqliteStore(new DatabaseSync(join(dir, 'campus.db')));
  await Promise.all([sql.migrate(), lite.migrate()]);
  const deadline = 30_000;
  Object.assign(stores, {
    redis: redisStore(client, { deadline }),
    postgres: sql,
    sqlite: lite,
    again: redisStore(client, { prefix: 'again', deadline }),
  });
  Reflect.set(globalThis, 'copiedStores', stores);
  for (const name of Object.keys(stores))
    writeFileSync(fileOf(name), `export const store = globalThis.copiedStores.${name};`);
});
afterAll(async () => {
  client.disconnect();
  await Promise.all([redis.stop(), postgres.stop()]);
  rmSync(dir, { recursive: true });
});

const fileOf = (name: string): string => join(dir, `${name}.mjs`);
const copy = async (from: string, to: string, ...args: string[]) => {
  const { code, out, err } = await campusOidc(['store', 'copy', fileOf(from), fileOf(to), ...args]);
  return { code, text: `${out}${err}`.trim() };
};

const grantOf = (i: number): NewRecord => ({
  kind: 'Grant',
  id: `g ${i}`,
  record: `{"grant":${i}}`,
  ttl: 86_400,
  memberId: `member ${i % 50}`,
  clientId: i % 2 === 0 ? 'app' : `https://client.example/${'long/'.repeat(20)}`,
});

/** Every kind of thing that a store has. */
async function fill(store: Store): Promise<void> {
  const connect = async (i: number): Promise<void> => {
    const grantId = `g ${i}`;
    await store.save('school', grantOf(i));
    await store.save('school', {
      kind: 'AuthorizationCode',
      id: `c ${i}`,
      record: 'c',
      ttl: 60,
      grantId,
      familyId: `f ${i}`,
    });
    const tokens = [
      { kind: 'AccessToken', id: `a ${i}`, record: 'Zoë\n"a"', ttl: 7200 },
      { kind: 'RefreshToken', id: `r ${i}`, record: 'r', ttl: 86_400 },
    ] as const;
    await store.redeem('school', { kind: 'AuthorizationCode', id: `c ${i}`, grantId, now: 1_795_303_200, tokens });
  };
  const left = Array.from({ length: count }, (_, i) => i);
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let i = left.pop(); i !== undefined; i = left.pop()) await connect(i);
    }),
  );
  await store.save('school', { ...grantOf(1), endsAccessTokens: true });
  await store.endFamily('school', 'g 3', 'f 3');
  await store.save('other school', { ...grantOf(0), ttl: undefined });
  await store.save('other school', { kind: 'RefreshToken', id: 'endless', record: 'r', grantId: 'g 0', familyId: 'f' });
  await store.save('school', { kind: 'Client', id: 'mine', record: 'listed', listed: true });
  await store.save('school', { kind: 'Client', id: 'registered', record: 'client', ttl: 86_400 });
  await store.save('school', { kind: 'ProgramRule', id: 'b', record: 'block', listed: true });
  await store.save('', { kind: 'Document', id: 'https://client.example/', record: 'document' });
  await store.save('school', { kind: 'Session', id: 's', record: 'session', ttl: 3600 });
}

/** What a service sees of it. */
async function seen(store: Store): Promise<unknown> {
  const find = async (...args: Parameters<Store['find']>): Promise<unknown> => {
    const found = await store.find(...args);
    return (
      found && Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined && value !== null))
    );
  };
  const grants = await find('school', 'RefreshToken', 'r 5', { withGrant: true });
  return {
    grants: JSON.parse(
      JSON.stringify(grants ?? null, (key, value: unknown) =>
        key === 'refreshUntil' ? Math.round(Number(value) / 100) : value,
      ),
    ),
    code: await find('school', 'AuthorizationCode', 'c 5'),
    earlier: await find('school', 'AccessToken', 'a 1'),
    ended: await find('school', 'RefreshToken', 'r 3'),
    endless: await find('other school', 'RefreshToken', 'endless'),
    ids: (await store.grantIds('school', { memberId: 'member 7' })).sort(),
    counts: [
      await store.countGrants('school', { clientIds: ['app'] }),
      await store.countGrants('school', { clientIds: [grantOf(1).clientId ?? ''] }),
      await store.countGrants('other school', { clientIds: ['app'] }),
    ],
    lists: [await store.list('school', 'Client'), await store.list('school', 'ProgramRule')],
    client: await find('school', 'Client', 'registered'),
    document: await find('', 'Document', 'https://client.example/'),
    session: await find('school', 'Session', 's'),
  };
}

test('a store is copied from Redis to PostgreSQL, on to SQLite and back to Redis, and each has what the first one had', async () => {
  const { redis: first, postgres: second, sqlite: third, again } = stores;
  if (!first || !second || !third || !again) throw new Error('no stores');
  await fill(first);
  const original = await seen(first);
  for (const [from, to] of [
    ['redis', 'postgres'],
    ['postgres', 'sqlite'],
    ['sqlite', 'again'],
  ] as const) {
    expect((await copy(from, to, '--verify')).code).toBe(1);
    expect(await copy(from, to)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^ok {3}\d+ records written, 0 removed/),
    });
    expect(await copy(from, to, '--verify')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^ok {3}\d+ records are the same$/),
    });
    expect(await copy(from, to)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^ok {3}0 records written, 0 removed, \d+ left/),
    });
  }
  for (const store of [second, third, again]) expect(await seen(store)).toEqual(original);
}, 600_000);

test('what ended in the source since the last copy ends in the target; a copy goes on where it stopped', async () => {
  const { redis: first, postgres: second } = stores;
  if (!first || !second) throw new Error('no stores');
  await first.revoke('school', { memberId: 'member 7' });
  await first.endFamily('school', 'g 5', 'f 5');
  await first.remove('school', 'Client', 'mine');
  expect((await copy('redis', 'postgres', '--verify')).text).toMatch(
    /^FAIL \d+ records are the same, 0 are missing or different, \d+ should not exist$/,
  );
  expect((await copy('redis', 'postgres')).text).toMatch(/^ok {3}0 records written, [1-9]\d* removed/);
  expect(await second.find('school', 'AccessToken', 'a 7')).toBeUndefined();
  expect((await copy('redis', 'postgres', '--verify')).code).toBe(0);
  expect(await seen(second)).toEqual(await seen(first));
  expect((await copy('postgres', 'sqlite', '--after', 'record')).text).toMatch(/^ok {3}0 records written/);
}, 600_000);

test.each([
  [['store', 'copy'], 'store copy needs two modules'],
  [['store', 'copy', 'lib/runtime/version.ts', 'lib/runtime/version.ts'], 'must export a store that can be copied'],
])('%j is wrong usage', async (args, message) => {
  const { code, err } = await campusOidc(args);
  expect([code, err.includes(message)]).toEqual([2, true]);
});
