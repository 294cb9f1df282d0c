import { logBounds } from '../../lib/records/log.ts';
import type { RedisClient, RedisServer, RedisSettings } from './options.ts';
import { scan, scanned } from './scan.ts';

/** Steps of a count, at most: 50,000 keys. In a cluster the masters share them. */
const maxSteps = 100;

/**
 * How many events the log has. Redis does not know, so this counts those of the keys that some steps find, and takes the rest of the keys
 * of each master to be alike.
 */
export async function countEvents(client: RedisClient, settings: RedisSettings): Promise<number> {
  const servers: readonly RedisServer[] = client.nodes?.('master') ?? [client];
  const steps = Math.ceil(maxSteps / servers.length);
  const counts = servers.map((server, number) => countOn(client, settings, { server, number, steps }));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

interface Counted {
  readonly server: RedisServer;
  /** Its place among the masters. */
  readonly number: number;
  readonly steps: number;
}

async function countOn(client: RedisClient, { prefix }: RedisSettings, { server, number, steps }: Counted) {
  const streams = new Set<string>();
  const isHere = (place: string | undefined): place is string => place?.startsWith(`${number} `) === true;
  let from: string | undefined = `${number} 0`;
  for (let step = 0; step < steps && isHere(from); step += 1) {
    const { keys, next } = await scan(client, `${prefix}:{`, from, `*}:L:[0-${logBounds.length - 1}]`);
    for (const key of keys) streams.add(key);
    from = next;
  }
  const lengths = await Promise.all([...streams].map((key) => client.call('XLEN', key)));
  const counted = lengths.reduce<number>((sum, length) => sum + Number(length), 0);
  if (counted === 0 || !isHere(from)) return counted;
  return counted * Math.max(1, Number(await server.call('DBSIZE')) / (steps * scanned));
}
