import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { redisStore } from '../../../adapters/redis/index.ts';
import type { Redemption, Store } from '../../../lib/store.ts';
import { type RedisNode, startRedis, until } from '../../helpers/redis.ts';
import { connectTo } from './campus.ts';
import { RedisProxy } from './proxy.ts';

let server: RedisNode;
let replica: RedisNode;
let proxy: RedisProxy;
let client: Redis;
let admin: Redis;
let store: Store;
/** Like `store`, but with a short timeout. */
let impatient: Store;
beforeAll(async () => {
  server = await startRedis(['--repl-diskless-sync-delay', '0']);
  replica = await startRedis(['--replicaof', '127.0.0.1', String(server.port)]);
  proxy = await RedisProxy.start(server.port);
  client = connectTo(proxy.port);
  admin = connectTo(server.port);
  store = redisStore(client, { deadline: 20_000, durability: { replicas: 1, timeout: 19_000 } });
  impatient = redisStore(client, { deadline: 20_000, durability: { replicas: 1, timeout: 50 } });
  await replicating();
});
afterAll(async () => {
  client?.disconnect();
  admin?.disconnect();
  await proxy?.refuse();
  await replica?.stop();
  await server?.stop();
});
const replicating = (): Promise<void> =>
  until('the replica follows', async () => (await admin.set('mark', '1'), await admin.call('WAIT', 1, 100)) === 1);
beforeEach(async () => {
  await client.flushall();
  await store.save('school', { kind: 'Grant', id: 'g', record: 'g', ttl: 60, memberId: 'sam', clientId: 'app' });
  await store.save('school', { kind: 'RefreshToken', id: 'a', record: 'a', ttl: 60, grantId: 'g', familyId: 'f' });
  proxy.forget();
});
afterEach(async () => {
  replica.thaw();
  await replicating();
});

function redemption(name: string): Redemption {
  const tokens = [{ kind: 'AccessToken', id: name, record: name, ttl: 60 }] as const;
  return {
    kind: 'RefreshToken',
    id: 'a',
    grantId: 'g',
    now: 1000,
    tokens,
    replay: { sealed: `response ${name}`, ttl: 60 },
  };
}

describe('with durability', () => {
  test('redemptions and revocations WAIT for replicas, on the same connection and in one round trip', async () => {
    await admin.script('FLUSH');
    expect(await store.redeem('school', redemption('first'))).toEqual({ won: true });
    expect(proxy.commands.map(([name]) => name)).toEqual(['EVALSHA', 'WAIT', 'EVAL', 'WAIT']);
    proxy.forget();
    expect(await store.redeem('school', redemption('second'))).toEqual({ won: false, replay: 'response first' });
    expect([proxy.trips, proxy.commands.map(([name]) => name)]).toEqual([1, ['EVALSHA', 'WAIT']]);
    await store.save('school', { kind: 'AuthorizationCode', id: 'c', record: 'c', grantId: 'g', familyId: 'other' });
    expect(await store.endFamily('school', 'g', 'unknown')).toBe(false);
    for (const [family, trips] of [
      ['other', 1],
      ['f', 2],
    ] as const) {
      proxy.forget();
      expect(await store.endFamily('school', 'g', family)).toBe(true);
      expect([proxy.trips, proxy.commands.at(-1)?.[0]]).toEqual([trips, 'WAIT']);
    }
  });

  test('a redemption that no replica confirms is a fault; a second try gets its response once one confirms', async () => {
    replica.freeze();
    await expect(impatient.redeem('school', redemption('first'))).rejects.toThrow('confirmed by only 0 of 1 replicas');
    await expect(impatient.redeem('school', redemption('second'))).rejects.toThrow('confirmed by only 0 of 1 replicas');
    replica.thaw();
    await replicating();
    expect(await store.redeem('school', redemption('third'))).toEqual({ won: false, replay: 'response first' });
    expect(await store.find('school', 'AccessToken', 'first')).toBeDefined();
  });

  test('a redemption that loses needs no replica', async () => {
    replica.freeze();
    expect(await impatient.redeem('school', { ...redemption('x'), id: 'unknown' })).toEqual({ won: false });
  });

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['a revocation', (its) => its.revoke('school', { memberId: 'sam' })],
    ['a revocation of one grant', (its) => its.revoke('school', { memberId: 'sam', grantId: 'g' })],
    ['the end of a family', (its) => its.endFamily('school', 'g', 'f')],
  ])('%s that no replica confirms is a fault', async (_name, revoke) => {
    replica.freeze();
    await expect(revoke(impatient)).rejects.toThrow('confirmed by only 0 of 1 replicas');
    expect(await store.find('school', 'Grant', 'g')).toBeUndefined();
    replica.thaw();
    await replicating();
    expect(await store.revoke('school', { memberId: 'sam' })).toBe(0);
  });

  test('other writes do not WAIT', async () => {
    replica.freeze();
    await store.save('school', { kind: 'Session', id: 's', record: 's', ttl: 60 });
    await store.consumeQuota('school', [{ name: 'n', limit: 1 }], 60);
    expect(proxy.commands.some(([name]) => name === 'WAIT')).toBe(false);
  });
});
