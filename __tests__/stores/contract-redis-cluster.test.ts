import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { redisStore } from '../../adapters/redis/index.ts';
import { countEvents } from '../../adapters/redis/log-size.ts';
import { readRedisOptions } from '../../adapters/redis/options.ts';
import { newEventId } from '../../lib/observe/event-id.ts';
import type { LogSchools, StoreTransfer } from '../../lib/records/store-copy.ts';
import { storeContract } from '../../lib/testing/index.ts';
import { type RedisCluster, startCluster } from '../helpers/redis.ts';

let cluster: RedisCluster;
let client: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  client = new Cluster(cluster.seeds, { redisOptions: { disconnectTimeout: 100 } });
});
afterAll(async () => {
  client?.disconnect();
  await cluster?.stop();
});

describe('redisStore on a cluster', () => {
  for (const { name, run } of storeContract(() => redisStore(client, { deadline: 10_000 }))) test(name, run);
});

/** All schools in the log, as `store copy` goes through them. */
async function schoolsIn(transfer: StoreTransfer | undefined): Promise<Set<string>> {
  const found = new Set<string>();
  for (let from: string | undefined = ''; from !== undefined;) {
    const page: LogSchools | undefined = await transfer?.logSchools?.(from);
    for (const siteId of page?.siteIds ?? []) found.add(siteId);
    from = page?.next;
  }
  return found;
}

test('the log of a cluster is on all masters: its events are counted, and its schools found, on each', async () => {
  // By a prefix of its own, since the contract leaves events behind.
  const options = { prefix: 'counted', deadline: 10_000 };
  const store = redisStore(client, options);
  const schools = Array.from({ length: 30 }, (_, i) => `school ${i}`);
  const entries = schools.flatMap((siteId) =>
    (['school', 'people', 'people', 'named'] as const).map((kind) => ({
      siteId,
      id: newEventId(Date.now()),
      kind,
      member: 'sam',
      text: '1',
    })),
  );
  await store.writeLog?.({ entries, keep: { days: 90, events: {} } });
  const onEach = await Promise.all(
    client.nodes('master').map((node: Redis) => node.keys('counted:{*}:L:1').then(({ length }) => length)),
  );
  expect(onEach.every((count) => count > 0)).toBe(true);
  expect(await countEvents(client, readRedisOptions(client, options))).toBe(120);
  expect(await schoolsIn(store.transfer?.())).toEqual(new Set(schools));
});
