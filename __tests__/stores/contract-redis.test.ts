import { afterAll, beforeAll, describe } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisStore } from '../../adapters/redis/index.ts';
import { type RedisNode, startRedis } from '../helpers/redis.ts';
import { storeContract } from './contract.ts';

let server: RedisNode;
let client: Redis;
beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.port);
});
afterAll(async () => {
  client.disconnect();
  await server.stop();
});

describe('redisStore on one server', () => storeContract(() => redisStore(client)));
