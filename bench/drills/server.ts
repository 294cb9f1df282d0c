import { Cluster } from 'ioredis';
import { redisStore } from '../../adapters/redis/index.ts';
import type { CampusKeys, SchoolPlatform } from '../../lib/index.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { connectTo } from '../../__tests__/stores/redis/campus.ts';

/** What a process needs to serve the schools. */
export interface ServerStart {
  readonly redis: { readonly port: number } | { readonly seeds: { readonly host: string; readonly port: number }[] };
  readonly sites: { readonly id: string; readonly origin: string }[];
  readonly keys: CampusKeys;
}

/** What a process reports: its port, once, and its memory, over and over. */
export type ServerReport = { readonly port: number } | { readonly rss: number };

async function main({ redis, sites, keys }: ServerStart): Promise<void> {
  const inCluster = 'seeds' in redis;
  const client = inCluster
    ? new Cluster(redis.seeds, {
        maxRedirections: 50,
        retryDelayOnFailover: 100,
        slotsRefreshTimeout: 500,
        redisOptions: { disconnectTimeout: 100, connectTimeout: 500 },
      })
    : connectTo(redis.port);
  client.on('error', () => {});
  const durability = inCluster ? { durability: { replicas: 1, timeout: 300 } } : {};
  const known = sites.map((site) => ({ ...site, name: site.id, connectionsEnabled: true }));
  const wrapPlatform = (platform: SchoolPlatform): SchoolPlatform => ({
    ...platform,
    findSite: (origin) => known.find((site) => site.origin === origin),
    findMember: (_site, id) => ({ id, name: id, email: `${id}@example.com`, roles: ['student'] }),
  });
  const schools = await startSchools({
    campus: { store: redisStore(client, durability), keys, limits: false },
    wrapPlatform,
  });
  const report = (what: ServerReport): void => void process.send?.(what);
  report({ port: Number(new URL(schools.summit).port) });
  setInterval(() => report({ rss: process.memoryUsage.rss() }), 100);
  process.once('disconnect', () => process.exit());
}

process.once('message', (start: ServerStart) => void main(start));
