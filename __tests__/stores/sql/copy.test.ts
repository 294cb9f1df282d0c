import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import { redisStore } from '../../../adapters/redis/index.ts';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import { logBounds } from '../../../lib/records/log.ts';
import type { StoreTransfer } from '../../../lib/records/store-copy.ts';
import type { Store } from '../../../lib/store.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { type RedisNode, startRedis } from '../../helpers/redis.ts';
import { campusOidc } from '../../cli/command.ts';
import { resetClock, setClockAhead } from '../../helpers/clock.ts';
import { fill, grantOf, lineRefresh, lineToken, seen } from './copied.ts';
import { eventOf, fillLog, forgetPerson, logOf, logSites, seenLog, writeEvents } from './copied-log.ts';

/** Connections of the school: more than a page has. */
const count = 600;

const dir = mkdtempSync(join(tmpdir(), 'campus-copy-'));
const stores: Record<string, Store> = {};
/** What modules of the command line export, by name. */
const modules: Record<string, object> = {};
let redis: RedisNode;
let postgres: PostgresServer;
let client: Redis;
let admin: Pool;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  client = new Redis(redis.url, { enableAutoPipelining: true });
  admin = postgres.pool({ max: 1 });
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
  Reflect.set(globalThis, 'copied', modules);
  for (const [name, store] of Object.entries(stores)) exportAs(name, store);
});
afterAll(async () => {
  client.disconnect();
  await Promise.all([redis.stop(), postgres.stop()]);
  rmSync(dir, { recursive: true });
});

const fileOf = (name: string): string => join(dir, `${name}.mjs`);
function exportAs(name: string, store: object): void {
  modules[name] = store;
  writeFileSync(fileOf(name), `export const store = globalThis.copied['${name}'];`);
}
const copy = async (from: string, to: string, ...args: string[]) => {
  const { code, out } = await campusOidc(['store', 'copy', fileOf(from), fileOf(to), '--yes', ...args]);
  return { code, text: out.trim() };
};
/** What it says where it has nothing to do. */
const nothingLeft =
  /^ok {3}.+: 0 records to write, 0 to remove, \d+ unchanged(?:; log: 0 events to write, 0 to remove, \d+ unchanged)?$/;

test('a store is copied from Redis to PostgreSQL, on to SQLite and back to Redis, and each has what the first one had', async () => {
  const { redis: first, postgres: second, sqlite: third, again } = stores;
  if (!first || !second || !third || !again) throw new Error('no stores');
  await fill(first, count);
  await fillLog(first);
  const [original, originalLog] = [await seen(first), await seenLog(first)];
  for (const [from, to] of [
    ['redis', 'postgres'],
    ['postgres', 'sqlite'],
    ['sqlite', 'again'],
  ] as const) {
    expect((await copy(from, to, '--verify')).code).toBe(1);
    expect(await copy(from, to)).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /^ok {3}\d+ records written, 0 removed, \d+ unchanged; log: \d{3,4} events written, 0 removed, 0 unchanged$/,
      ),
    });
    expect(await copy(from, to, '--verify')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^ok {3}\d+ records are the same; \d{3,4} events of the log are the same$/),
    });
    expect(await copy(from, to)).toMatchObject({ code: 0, text: expect.stringMatching(nothingLeft) });
  }
  for (const store of [second, third, again]) {
    expect(await seen(store)).toEqual(original);
    expect(await seenLog(store)).toEqual(originalLog);
  }
}, 600_000);

test('a connection that was refreshed since the last copy goes on in the target, in both directions, and its reuse is found', async () => {
  const { redis: first, postgres: second, again } = stores;
  if (!first || !second || !again) throw new Error('no stores');
  const stateOf = async (store: Store, generation: number) => {
    const found = await store.find('school', 'RefreshToken', lineToken(14, generation).id);
    return found && [found.record, (found.consumed ?? undefined) === undefined];
  };
  for (const generation of [0, 1])
    expect(await first.redeem('school', lineRefresh(14, generation))).toEqual({ won: true });
  // The grant of another connection changes, and its line does not.
  await first.save('school', { ...grantOf(22), record: 'again' });
  for (const [from, to, target] of [
    ['redis', 'postgres', second],
    ['postgres', 'sqlite', stores['sqlite'] ?? second],
    ['sqlite', 'again', again],
  ] as const) {
    expect((await copy(from, to)).code).toBe(0);
    expect((await copy(from, to, '--verify')).code).toBe(0);
    expect(await stateOf(target, 2)).toEqual(['line 14 2', true]);
    for (const earlier of [0, 1]) expect(await stateOf(target, earlier)).toEqual(['line 14 2', false]);
    expect(await target.find('school', 'RefreshToken', lineToken(22, 0).id)).toMatchObject({ record: 'line 22 0' });
  }
  const stolen = { ...lineRefresh(14, 1), tokens: [lineToken(14, 9)] };
  expect(await again.redeem('school', stolen)).toEqual({ won: false });
  expect(await again.redeem('school', lineRefresh(14, 2))).toEqual({ won: true });
}, 600_000);

test('what ended in the source since the last copy ends in the target; a copy goes on where it stopped', async () => {
  const { redis: first, postgres: second } = stores;
  if (!first || !second) throw new Error('no stores');
  await first.revoke('school', { memberId: 'member 7' });
  await first.endFamily('school', 'g 5', 'f 5');
  await first.remove('school', 'Client', 'mine');
  expect((await copy('redis', 'postgres', '--verify')).text).toMatch(
    /^FAIL \d+ records are the same, 0 are missing or different, \d+ should not exist; \d+ events of the log are the same$/,
  );
  expect(await copy('redis', 'postgres')).toEqual({ code: 2, text: '' });
  expect((await copy('redis', 'postgres', '--remove')).text).toMatch(/^ok {3}0 records written, [1-9]\d* removed/);
  expect(await second.find('school', 'AccessToken', 'a 7')).toBeUndefined();
  expect((await copy('redis', 'postgres', '--verify')).code).toBe(0);
  expect(await seen(second)).toEqual(await seen(first));
  expect((await copy('postgres', 'sqlite', '--after', 'record', '--remove')).text).toMatch(
    /^ok {3}0 records written, [1-9]\d* removed/,
  );
}, 600_000);

/** What an hour does to a database. */
const hourLater = {
  redis: async () => {
    const expire = async (key: string): Promise<void> => {
      const left = await client.pttl(key);
      if (left >= 0 && left < 3_700_000) await client.del(key);
    };
    await Promise.all((await client.keys('campus:*')).map(expire));
  },
  postgres: async () => {
    for (const table of ['family', 'grant', 'token', 'record'])
      await admin.query(`delete from campus_${table} where expires < date_part('epoch', now()) + 3700`);
  },
} as const;

type Expiring = keyof typeof hourLater;

/** Exports a store again, without its log: while a page of it is on its way to the reader, an hour passes in another store and on the clock. */
function exportBefore(other: Expiring, name: Expiring): string {
  const its = stores[name]?.transfer?.();
  if (!its) throw new Error('no transfer');
  const page: StoreTransfer['page'] = async (from) => {
    const read = await its.page(from);
    await hourLater[other]();
    setClockAhead(3700);
    return read;
  };
  const put: StoreTransfer['put'] = (records) => its.put(records);
  const drop: StoreTransfer['drop'] = (places) => its.drop(places);
  const look: StoreTransfer['look'] = (places) => its.look(places);
  const module = `${name} before ${other} ${Object.keys(modules).length}`;
  exportAs(module, { transfer: () => ({ page, look, put, drop }) });
  return module;
}

describe.each([
  [
    'the target while a page of the source is read',
    (): [string, string] => [exportBefore('postgres', 'redis'), 'postgres'],
  ],
  [
    'the source while a page of the target is read',
    (): [string, string] => ['redis', exportBefore('redis', 'postgres')],
  ],
])('what expires in %s', (_where, modulesOf) => {
  beforeEach(async () => {
    const { redis: first } = stores;
    for (let i = 0; i < 20; i += 1) {
      const of = { grantId: `g ${i + 110}`, familyId: 'short' };
      await first?.save('school', { kind: 'AccessToken', id: `short ${i}`, record: 'a', ttl: 3600, ...of });
      await first?.save('school', { kind: 'Session', id: `short ${i}`, record: 's', ttl: 3600 });
      await first?.save('school', { ...grantOf(i), id: `short ${i}`, ttl: 3600 });
    }
    expect((await copy('redis', 'postgres')).text).toMatch(/^ok {3}[1-9]\d* records written, 0 removed/);
  }, 600_000);
  afterEach(async () => {
    resetClock();
    for (const passIn of Object.values(hourLater)) await passIn();
    expect((await copy('redis', 'postgres')).code).toBe(0);
  }, 600_000);

  test('is no difference', async () => {
    expect(await copy(...modulesOf(), '--verify')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^ok {3}\d+ records are the same$/),
    });
    // Before its time it would be one.
    resetClock();
    expect((await copy('redis', 'postgres', '--verify')).code).toBe(1);
  }, 600_000);

  test('is not written again', async () => {
    expect((await copy(...modulesOf())).text).toMatch(nothingLeft);
  }, 600_000);
});

test('what became of the log since the last copy becomes of it in the target: a person is erased, events are new or too old', async () => {
  const { redis: first, postgres: second, sqlite: third } = stores;
  if (!first || !second || !third) throw new Error('no stores');
  await forgetPerson(first, 'olivia');
  await writeEvents(first, [eventOf('nora'), eventOf('noah')]);
  const dry = await campusOidc(['store', 'copy', fileOf('redis'), fileOf('postgres'), '--dry-run', '--json']);
  expect(JSON.parse(dry.out)).toMatchObject({ dryRun: true, written: 0, removed: 0, eventsOlder: 0 });
  // Decisions for others stay without the name: they are written again.
  const { eventsWritten, eventsRemoved } = JSON.parse(dry.out);
  expect(Math.min(eventsWritten, eventsRemoved)).toBeGreaterThan(2);
  for (const [from, to, target] of [
    ['redis', 'postgres', second],
    ['postgres', 'sqlite', third],
  ] as const) {
    expect((await copy(from, to, '--verify')).text).toContain(
      `${eventsWritten} are missing or different, ${eventsRemoved} should not exist`,
    );
    expect((await copy(from, to, '--remove')).text).toContain(
      `; log: ${eventsWritten} events written, ${eventsRemoved} removed, `,
    );
    expect(await seenLog(target)).toEqual(await seenLog(first));
    const { entries } = await logOf(target).readLog({ siteId: logSites[0], kinds: logBounds, limit: 500 });
    expect(entries.filter(({ text }) => text.includes('olivia'))).toEqual([]);
  }
  await writeEvents(second, [eventOf('noah', 100)]);
  expect((await copy('postgres', 'sqlite')).text).toMatch(/1 older than 90 days left out$/);
  expect((await copy('postgres', 'sqlite', '--days', '200')).text).toContain('log: 1 events written, 0 removed');
  const old = { siteId: logSites[0], kinds: ['people'], to: Date.now() - 95 * 24 * 60 * 60 * 1000, limit: 5 } as const;
  expect((await logOf(third).readLog(old)).entries).toHaveLength(1);
}, 600_000);

test.each([
  [['store', 'copy'], 'store copy needs two modules'],
  [['store', 'copy', 'lib/kernel/version.ts', 'lib/kernel/version.ts'], 'must export a store that can be copied'],
  [['store', 'copy', 'a.ts', 'b.ts', '--days', '0'], '--days must be a whole number of days, 1 to 3650, not "0"'],
])('%j is wrong usage', async (args, message) => {
  const { code, err } = await campusOidc(args);
  expect([code, err.includes(message)]).toEqual([2, true]);
});
