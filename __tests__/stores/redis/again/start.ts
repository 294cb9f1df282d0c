import { startRedis } from '../../../helpers/redis.ts';

/** Starts one Redis for all test files, at `REDIS_URL`; what it returns stops it. */
export default async function start(): Promise<() => Promise<void>> {
  const server = await startRedis();
  process.env['REDIS_URL'] = server.url;
  return () => server.stop();
}
