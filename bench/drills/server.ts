import { DatabaseSync } from 'node:sqlite';
import { Cluster } from 'ioredis';
import { Pool } from 'pg';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import Koa from 'koa';
import type { CampusKeys, SchoolPlatform } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { numberedPlatform } from '../support/numbered-platform.ts';
import { connectTo } from '../../__tests__/stores/redis/campus.ts';

/** What a process needs to serve the schools. */
export interface ServerStart {
  readonly database:
    | { readonly port: number }
    | { readonly seeds: { readonly host: string; readonly port: number }[] }
    | { readonly postgres: string }
    | { readonly sqlite: string };
  /** The schools; or all that `numberedPlatform` knows, each found after so many milliseconds. */
  readonly sites: { readonly id: string; readonly origin: string }[] | { readonly foundAfter: number };
  readonly keys: CampusKeys;
  /** Whether the limits are those of the defaults, for callers by `X-Forwarded-For`; otherwise there are none. */
  readonly limited?: boolean;
}

/** What a process has cost so far: microseconds of the processor, and bytes; after a collection of garbage, if that is asked for. */
export interface ServerCosts {
  readonly cpu: number;
  readonly heap: number;
  readonly rss: number;
}

/** Asks a process for its costs. */
export interface CostsQuestion {
  readonly collect: boolean;
}

/** What a process reports: its port, once, its memory in bytes, over and over, and what it has cost, when it is asked. */
export type ServerReport = { readonly port: number } | { readonly rss: number } | { readonly costs: ServerCosts };

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

function platformOf(sites: ServerStart['sites']): (platform: SchoolPlatform) => SchoolPlatform {
  if ('foundAfter' in sites) return numberedPlatform(sites.foundAfter);
  const known = sites.map((site) => ({ ...site, name: site.id, connectionsEnabled: true }));
  return (platform) => ({
    ...numberedPlatform(0)(platform),
    findSite: (origin) => known.find((site) => site.origin === origin),
  });
}

function costs(collect: boolean): ServerCosts {
  const { user, system } = process.cpuUsage();
  if (collect) global.gc?.();
  const { heapUsed: heap, rss } = process.memoryUsage();
  return { cpu: user + system, heap, rss };
}

async function main({ database, sites, keys, limited = false }: ServerStart): Promise<void> {
  const schools = await startSchools({
    campus: { store: storeOn(database), keys, ...(!limited && { limits: false }) },
    wrapPlatform: platformOf(sites),
    app: (campus) => Object.assign(new Koa({ proxy: limited }), { silent: true }).use(campus.middleware()),
  });
  const report = (what: ServerReport): void => void process.send?.(what);
  report({ port: Number(new URL(schools.summit).port) });
  setInterval(() => report({ rss: process.memoryUsage.rss() }), 100);
  process.on('message', ({ collect }: CostsQuestion) => report({ costs: costs(collect) }));
  process.once('disconnect', () => process.exit());
}

process.once('message', (start: ServerStart) => void main(start));
