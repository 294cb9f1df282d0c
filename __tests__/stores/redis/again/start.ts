import { type RedisNode, startRedis } from '../../../helpers/redis.ts';

declare global {
  var redisForAll: RedisNode | undefined;
}

/** Starts one Redis for all test files, at `REDIS_URL`. */
export default async function start(): Promise<void> {
  globalThis.redisForAll = await startRedis();
  process.env['REDIS_URL'] = globalThis.redisForAll.url;
}
