import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { Cluster } from 'ioredis';
import { redisStore } from '../../adapters/redis/index.ts';
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
