import { DatabaseSync } from 'node:sqlite';
import { Cluster } from 'ioredis';
import { Pool } from 'pg';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import type { CampusKeys, SchoolPlatform } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { connectTo } from '../../__tests__/stores/redis/campus.ts';

/** What a process needs to serve the schools. */
export interface ServerStart {
  readonly database:
    | { readonly port: number }
    | { readonly seeds: { readonly host: string; readonly port: number }[] }
    | { readonly postgres: string }
    | { readonly sqlite: string };
  readonly sites: { readonly id: string; readonly origin: string }[];
  readonly keys: CampusKeys;
}

/** What a process reports: its port, once, and its memory, over and over. */
export type ServerReport = { readonly port: number } | { readonly rss: number };

function storeOn(database: ServerStart['database']): Store {
  if ('postgres' in database) {
    const pool = new Pool({ connectionString: database.postgres, max: 10, connectionTimeoutMillis: 2000 });
    pool.on('error', () => {});
    return postgresStore(pool);
  }
  if ('sqlite' in database) return sqliteStore(new DatabaseSync(database.sqlite, { timeout: 2000 }));
  const inCluster = 'seeds' in database;
  const client = inCluster
    ? new Cluster(database.seeds, {
        maxRedirections: 50,
        retryDelayOnFailover: 100,
        slotsRefreshTimeout: 500,
        redisOptions: { disconnectTimeout: 100, connectTimeout: 500 },
      })
    : connectTo(database.port);
  client.on('error', () => {});
  return redisStore(client, inCluster ? { durability: { replicas: 1, timeout: 300 } } : {});
}

async function main({ database, sites, keys }: ServerStart): Promise<void> {
  const known = sites.map((site) => ({ ...site, name: site.id, connectionsEnabled: true }));
  const wrapPlatform = (platform: SchoolPlatform): SchoolPlatform => ({
    ...platform,
    findSite: (origin) => known.find((site) => site.origin === origin),
    findMember: (_site, id) => ({ id, name: id, email: `${id}@example.com`, roles: ['student'] }),
  });
  const schools = await startSchools({
    campus: { store: storeOn(database), keys, limits: false },
    wrapPlatform,
  });
  const report = (what: ServerReport): void => void process.send?.(what);
  report({ port: Number(new URL(schools.summit).port) });
  setInterval(() => report({ rss: process.memoryUsage.rss() }), 100);
  process.once('disconnect', () => process.exit());
}

process.once('message', (start: ServerStart) => void main(start));
