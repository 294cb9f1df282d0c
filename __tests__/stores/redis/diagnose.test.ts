import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisStore } from '../../../adapters/redis/index.ts';
import { resetClock, setClockAhead } from '../../helpers/clock.ts';
import { type RedisNode, startRedis } from '../../helpers/redis.ts';

let server: RedisNode;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis(['--appendonly', 'yes', '--maxmemory', '64mb']);
  redis = new Redis(server.port, { enableAutoPipelining: true });
  redis.on('error', () => undefined);
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

async function idsOf(client: Redis = redis, options?: Parameters<typeof redisStore>[1]): Promise<string[]> {
  const findings = await redisStore(client, options).diagnose?.();
  return (findings ?? []).map(({ id }) => id);
}

test('nothing is found on a good server', async () => {
  expect(await idsOf()).toEqual([]);
});

test.each([
  ['redis-eviction', 'maxmemory-policy', 'allkeys-lru', 'noeviction'],
  ['redis-maxmemory', 'maxmemory', '0', '64mb'],
  ['redis-memory', 'maxmemory', '1000kb', '64mb'],
  ['redis-persistence', 'appendonly', 'no', 'yes'],
])('%s, if %s is %s', async (id, name, wrong, right) => {
  await redis.config('SET', name, wrong);
  const ids = await idsOf();
  await redis.config('SET', name, right);
  expect(ids).toEqual([id]);
});

test('redis-clock: a clock three hours off', async () => {
  setClockAhead(-3 * 60 * 60);
  const findings = await redisStore(redis).diagnose?.();
  resetClock();
  expect(findings).toMatchObject([{ id: 'redis-clock', severity: 'error' }]);
  expect(findings?.[0]?.text).toMatch(/is 1\d{4} seconds ahead of that of this process/);
});

test('redis-durability: fewer replicas than must confirm', async () => {
  expect(await idsOf(redis, { durability: { replicas: 1, timeout: 100 } })).toEqual(['redis-durability']);
});

test('redis-replica, and a client that nobody listens to and that gives up', async () => {
  await redis.replicaof('127.0.0.1', 1);
  const bare = new Redis(server.port, { retryStrategy: () => null });
  expect(await idsOf(bare)).toEqual(['redis-replica', 'redis-errors', 'redis-reconnect', 'redis-pipelining']);
  bare.disconnect();
  await redis.replicaof('NO', 'ONE');
});

test('redis-unreachable: a server that is not there, within the deadline', async () => {
  const away = new Redis(1, { lazyConnect: true, enableAutoPipelining: true });
  away.on('error', () => undefined);
  expect(await idsOf(away, { deadline: 100 })).toEqual(['redis-unreachable']);
  away.disconnect();
});

test('redis-version, redis-disk and redis-slots, as an old and a broken server reports them', async () => {
  const lines: Record<string, string> = {
    INFO: 'redis_version:6.0.16\r\nmaxmemory:1\r\nused_memory:0\r\naof_last_write_status:err\r\n',
    CLUSTER: 'cluster_state:fail\r\ncluster_slots_ok:16000\r\n',
  };
  const call = async (name: string): Promise<unknown> => lines[name] ?? [Math.floor(Date.now() / 1000), 0];
  const client = {
    status: 'ready',
    slots: [],
    call,
    pipeline: () => redis.pipeline(),
    once: () => 0,
    removeListener: () => 0,
  };
  const findings = await redisStore(client).diagnose?.();
  expect(findings?.map(({ id }) => id)).toEqual(['redis-version', 'redis-disk', 'redis-slots']);
});
