import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisStore } from '../../adapters/redis/index.ts';
import { storeContract } from '../../lib/testing/index.ts';
import { type RedisNode, startRedis } from '../helpers/redis.ts';
import { documentedRules } from './redis/documented-rules.ts';

let server: RedisNode;
let client: Redis;
beforeAll(async () => {
  server = await startRedis();
  const admin = new Redis(server.port);
  await admin.call('ACL', 'SETUSER', 'campus', 'on', '>password', ...documentedRules);
  admin.disconnect();
  client = new Redis(server.port, { username: 'campus', password: 'password' });
});
afterAll(async () => {
  client?.disconnect();
  await server?.stop();
});

describe('redisStore on one server, with the rights of docs/operate/redis.md and no more', () => {
  for (const { name, run } of storeContract(() => redisStore(client, { deadline: 10_000 }))) test(name, run);
});
