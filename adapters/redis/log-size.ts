import { logBounds } from '../../lib/records/log.ts';
import type { RedisClient, RedisServer, RedisSettings } from './options.ts';
import { scan, scanned } from './scan.ts';

/** Steps of a count, at most: 50,000 keys. */
const maxSteps = 100;

/**
 * How many events the log has. Redis does not know, so this counts those of the keys that some steps find, and takes the rest of the keys to be
 * alike.
 */
export async function countEvents(client: RedisClient, { prefix }: RedisSettings): Promise<number> {
  const streams = new Set<string>();
  let from: string | undefined = '';
  for (let step = 0; step < maxSteps && from !== undefined; step += 1) {
    const { keys, next } = await scan(client, `${prefix}:{`, from, `*}:L:[0-${logBounds.length - 1}]`);
    for (const key of keys) streams.add(key);
    from = next;
  }
  const lengths = await Promise.all([...streams].map((key) => client.call('XLEN', key)));
  const counted = lengths.reduce<number>((sum, length) => sum + Number(length), 0);
  if (from === undefined || counted === 0) return counted;
  return counted * Math.max(1, (await countKeys(client)) / (maxSteps * scanned));
}

async function countKeys(client: RedisClient): Promise<number> {
  const servers: readonly RedisServer[] = client.nodes?.('master') ?? [client];
  const sizes = await Promise.all(servers.map((server) => server.call('DBSIZE')));
  return sizes.reduce<number>((sum, size) => sum + Number(size), 0);
}
