import { afterAll, describe, expect, test } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { redisStore, type RedisStoreOptions } from '../../../adapters/redis/index.ts';

const client = new Redis({ lazyConnect: true });
const cluster = new Cluster([], { lazyConnect: true });
const reader = new Cluster([], { lazyConnect: true, scaleReads: 'slave' });
afterAll(() => {
  for (const each of [client, cluster, reader]) each.disconnect();
});

describe('redisStore', () => {
  test('accepts a Redis and a Cluster, and does not change them', () => {
    const before = [client.status, cluster.status];
    expect(Object.keys(redisStore(client)).sort((a, b) => a.localeCompare(b))).toEqual([
      'clientsByUse',
      'consumeQuota',
      'countGrants',
      'deadline',
      'diagnose',
      'endFamily',
      'find',
      'grantIds',
      'grantsOf',
      'list',
      'observe',
      'ping',
      'readLog',
      'redeem',
      'remove',
      'revoke',
      'save',
      'sweep',
      'transfer',
      'writeLog',
    ]);
    redisStore(cluster, { prefix: 'x', deadline: 500, maxPending: 1, durability: { replicas: 2, timeout: 499 } });
    expect([client.status, cluster.status]).toEqual(before);
    expect([client.listenerCount('ready'), client.listenerCount('error')]).toEqual([0, 0]);
  });

  const rows: [string, unknown, RedisStoreOptions][] = [
    ['redisStore.client must', undefined, {}],
    ['redisStore.client.call must', {}, {}],
    ['redisStore.client.options.scaleReads must', reader, {}],
    ['redisStore.options.prefix must', client, { prefix: '' }],
    ['redisStore.options.prefix must', client, { prefix: '{x}' }],
    ['redisStore.options.deadline must', client, { deadline: 0 }],
    ['redisStore.options.deadline must', client, { deadline: 1.5 }],
    ['redisStore.options.maxPending must', client, { maxPending: 0 }],
    ['redisStore.options.durability.replicas must', client, { durability: { replicas: 0, timeout: 5 } }],
    ['redisStore.options.durability.timeout must', client, { durability: { replicas: 1, timeout: 0 } }],
    ['redisStore.options.durability.timeout must', client, { durability: { replicas: 1, timeout: 2000 } }],
  ];
  test.each(rows)('%s …', (message, given, options) => {
    const make = (): unknown => Reflect.apply(redisStore, undefined, [given, options]);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});
