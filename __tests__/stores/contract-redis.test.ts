import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisStore } from '../../adapters/redis/index.ts';
import { storeContract } from '../../lib/testing/index.ts';
import { type RedisNode, startRedis } from '../helpers/redis.ts';

let server: RedisNode;
let client: Redis;
beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.port);
});
afterAll(async () => {
  client?.disconnect();
  await server?.stop();
});

describe('redisStore on one server', () => {
  for (const { name, run } of storeContract(() => redisStore(client, { deadline: 10_000 }))) test(name, run);
});
