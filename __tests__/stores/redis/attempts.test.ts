import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { Redemption, Store } from '../../../lib/store.ts';
import { type RedisNode, startRedis, until } from '../../helpers/redis.ts';
import { type ClientOptions, connectTo } from './campus.ts';
import { RedisProxy } from './proxy.ts';

let server: RedisNode;
let proxy: RedisProxy;
let admin: Redis;
const clients: Redis[] = [];
beforeEach(async () => {
  server = await startRedis();
  proxy = await RedisProxy.start(server.port);
  admin = connectTo(server.port);
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const client of clients.splice(0)) client.disconnect();
  admin.disconnect();
  await proxy.refuse();
  await server.stop();
});

function open(options: ClientOptions = {}): Store & { client: Redis } {
  const client = connectTo(proxy.port, options);
  clients.push(client);
  return Object.assign(redisStore(client, { deadline: 10_000 }), { client });
}

/** A store on the same client with a short deadline. */
function withShortDeadline({ client }: { readonly client: Redis }): Store {
  return redisStore(client, { deadline: 100 });
}

function reachable(store: Store): Promise<void> {
  return until('Redis is reachable', () =>
    store.ping().then(
      () => true,
      () => false,
    ),
  );
}

async function fill(store: Store): Promise<void> {
  await store.save('school', { kind: 'Grant', id: 'g', record: 'g', ttl: 60, memberId: 'sam', clientId: 'app' });
  await store.save('school', { kind: 'RefreshToken', id: 'a', record: 'a', ttl: 60, grantId: 'g', familyId: 'f' });
}

function redemption(name: string): Redemption {
  const tokens = [{ kind: 'RefreshToken', id: `after ${name}`, record: name, ttl: 60 }] as const;
  return {
    kind: 'RefreshToken',
    id: 'a',
    grantId: 'g',
    now: 1000,
    tokens,
    replay: { sealed: `response ${name}`, ttl: 60 },
  };
}

const sent = (command: string): string[][] => proxy.commands.filter(([name]) => name === command);
const consumed = async (store: Store): Promise<unknown> => (await store.find('school', 'RefreshToken', 'a'))?.consumed;

describe('a redemption', () => {
  test('whose reply was lost and that ioredis sends again has won; another one loses', async () => {
    const store = open();
    await fill(store);
    await store.redeem('school', { ...redemption('x'), id: 'loads the script' });
    proxy.mode = 'lose replies';
    const outcome = store.redeem('school', redemption('first'));
    await until('it is carried out', async () => (await admin.exists('campus:{school}:r:after%20first')) === 1);
    proxy.mode = 'pass';
    expect(await outcome).toEqual({ won: true });
    expect(await store.redeem('school', redemption('second'))).toEqual({ won: false, replay: 'response first' });
    expect(await store.find('school', 'RefreshToken', 'after second')).toBeUndefined();
  });

  test('that arrives after the deadline of its caller does nothing', async () => {
    const store = open();
    await fill(store);
    await store.redeem('school', { ...redemption('other'), id: 'none' });
    proxy.mode = 'stall';
    await expect(withShortDeadline(store).redeem('school', redemption('late'))).rejects.toThrow('in time');
    proxy.forget();
    proxy.mode = 'pass';
    await reachable(store);
    expect(await consumed(store)).toBeUndefined();
    expect(await store.redeem('school', redemption('second'))).toEqual({ won: true });
  });

  test('without a connection is not sent later', async () => {
    const store = open();
    await fill(store);
    await proxy.refuse();
    await until('the client has noticed', async () => store.client.status !== 'ready');
    proxy.forget();
    await expect(withShortDeadline(store).redeem('school', redemption('offline'))).rejects.toThrow('in time');
    await proxy.listen();
    await reachable(store);
    expect([...sent('EVALSHA'), ...sent('EVAL')]).toEqual([]);
    expect(await consumed(store)).toBeUndefined();
  });

  test.each([
    ['behind', -3_600_000],
    ['ahead', 3_600_000],
  ])('wins when the clock of this process is an hour %s', async (_name, difference) => {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + difference);
    const store = open();
    await fill(store);
    expect(await store.redeem('school', redemption('first'))).toEqual({ won: true });
    expect(await consumed(store)).toEqual(expect.any(Number));
  });

  test('under a grant that does not exist, or is not its own, loses', async () => {
    const store = open();
    await fill(store);
    await store.save('school', { kind: 'Grant', id: 'other', record: 'g', ttl: 60, memberId: 'sam', clientId: 'b' });
    for (const grantId of ['gone', 'other', '']) {
      expect(await store.redeem('school', { ...redemption('x'), grantId })).toEqual({ won: false });
    }
    expect(await consumed(store)).toBeUndefined();
    expect(await admin.keys('*after*')).toEqual([]);
  });
});

describe('an ioredis client', () => {
  test.each<[string, ClientOptions]>([
    ['with lazyConnect', { lazyConnect: true }],
    ['without an offline queue', { enableOfflineQueue: false }],
    ['with a keyPrefix', { keyPrefix: 'host:' }],
  ])('%s works, also after a broken connection', async (_name, options) => {
    const store = open(options);
    await fill(store);
    expect(await store.redeem('school', redemption('first'))).toEqual({ won: true });
    proxy.reset();
    await reachable(store);
    expect(await store.grantIds('school', { memberId: 'sam' })).toEqual(['g']);
    expect(await store.revoke('school', { clientId: 'app' })).toBe(1);
    expect(await store.find('school', 'RefreshToken', 'after first')).toBeUndefined();
    const prefix = `${options.keyPrefix ?? ''}campus:{school}:`;
    // The records of dead tokens are left to expire.
    expect((await admin.keys('*')).sort()).toEqual(['p:r:a', 'r:a', 'r:after%20first'].map((key) => prefix + key));
  });

  test('that was closed is a fault at once, not after the deadline', async () => {
    const store = open();
    await fill(store);
    store.client.disconnect();
    await until('it is closed', async () => store.client.status === 'end');
    await expect(redisStore(store.client, { deadline: 60_000 }).ping()).rejects.toThrow('closed');
  });

  test('that is closed while calls wait for a connection is a fault at once', async () => {
    await proxy.refuse();
    const { client } = open();
    const store = redisStore(client, { deadline: 60_000 });
    const pings = [store.ping(), store.ping()];
    client.disconnect();
    for (const ping of pings) await expect(ping).rejects.toThrow('closed');
    await proxy.listen();
  });
});

test('a server that restarted without its data is not a fault', async () => {
  const store = open();
  await fill(store);
  await server.kill();
  await server.start();
  await reachable(store);
  expect(await store.find('school', 'Grant', 'g')).toBeUndefined();
  await fill(store);
  expect(await store.redeem('school', redemption('first'))).toEqual({ won: true });
});

test('a write over what was read whose reply was lost and that ioredis sends again has written; another one loses', async () => {
  const store = open();
  const over = (record: string): Promise<boolean> =>
    store.save('school', { kind: 'Interaction', id: 'i', record, ttl: 60, replaces: 'shown' });
  await store.save('school', { kind: 'Interaction', id: 'i', record: 'shown', ttl: 60 });
  await store.save('school', { kind: 'Interaction', id: 'loads the script', record: '', ttl: 60 });
  proxy.mode = 'lose replies';
  const first = over('first');
  await until('it is carried out', async () => (await admin.get('campus:{school}:i:i')) === 'first');
  proxy.mode = 'pass';
  expect([await first, await over('second')]).toEqual([true, false]);
});
