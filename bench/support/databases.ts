import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster, Redis } from 'ioredis';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import type { Store } from '../../lib/store.ts';
import { startPgBouncer } from '../../__tests__/helpers/pgbouncer.ts';
import { startPostgres } from '../../__tests__/helpers/postgres.ts';
import { type RedisNode, startCluster, startRedis } from '../../__tests__/helpers/redis.ts';
import type { ServerStart } from '../drills/server.ts';

/** A database of the benchmark's own, as it should be in production: what it acknowledges is on disk, on Redis within a second. */
export interface Database {
  readonly version: string;
  /** Where server processes find it. */
  readonly place: ServerStart['database'];
  /** For this process, which fills it. */
  readonly store: Store;
  /** Bytes of memory of Redis, or of the tables of PostgreSQL with their indexes. */
  bytes(): Promise<number>;
  /** Bytes of all keys by `MEMORY USAGE`, without buffers and hash tables of the server. */
  readonly keyBytes?: () => Promise<number>;
  /** Bytes that were written so far to the log that goes to disk. */
  logged(): Promise<number>;
  /** How often that log was synchronized with the disk so far, where that is counted. */
  syncs(): Promise<number | undefined>;
  /** Microseconds of the processor of all its processes so far. */
  cpu(): Promise<number>;
  /** What runs beside a service: removes what has expired, and lets its space be used again. Redis does this itself. */
  purge(): Promise<void>;
  /** The same, and at once. */
  cleanUp(): Promise<void>;
  /** Rewrites the tables without free space. */
  readonly compact?: () => Promise<void>;
  stop(): Promise<void>;
}

const everySecond = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--auto-aof-rewrite-percentage', '0'];
/** Milliseconds. Filling takes what the machine has left. */
const deadline = 600_000;

async function onRedis(
  nodes: readonly RedisNode[],
  parts: Pick<Database, 'place' | 'store' | 'stop'>,
): Promise<Database> {
  const admins = nodes.map(({ url }) => new Redis(url));
  const sum = async (section: string, read: (info: string) => number): Promise<number> =>
    (await Promise.all(admins.map(async (admin) => read(await admin.info(section))))).reduce((a, b) => a + b, 0);
  const field = (name: string) => (info: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0);
  const inMasters =
    (read: (info: string) => number) =>
    (info: string): number =>
      info.includes('role:master') ? read(info) : 0;
  const [first] = admins;
  const roles = await Promise.all(admins.map((admin) => admin.info('replication')));
  const masters = admins.filter((_, i) => roles[i]?.includes('role:master'));
  return {
    ...parts,
    version: /redis_version:\S+/.exec((await first?.info('server')) ?? '')?.[0] ?? '',
    // A replica has the same once more.
    bytes: () => sum('everything', inMasters(field('used_memory'))),
    keyBytes: async () => {
      const each = await Promise.all(masters.map(usageOf));
      return each.reduce((a, b) => a + b, 0);
    },
    logged: () => sum('everything', inMasters(field('aof_current_size'))),
    syncs: async () => undefined,
    cpu: async () => (await sum('cpu', (info) => field('used_cpu_user')(info) + field('used_cpu_sys')(info))) * 1e6,
    purge: async () => {},
    // A key that is looked at is removed if it has expired.
    cleanUp: async () => {
      for (const admin of masters) await usageOf(admin);
    },
    stop: async () => {
      for (const admin of admins) admin.disconnect();
      await parts.stop();
    },
  };
}

/** In steps of the server, as the names of some million keys would go to and fro otherwise. */
const usageOfSome = `
  local cursor, keys = unpack(redis.call('SCAN', ARGV[1], 'COUNT', 1000))
  local sum = 0
  for _, key in ipairs(keys) do sum = sum + (redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0') or 0) end
  return { cursor, sum }`;

async function usageOf(admin: Redis): Promise<number> {
  let [cursor, sum] = ['0', 0];
  do {
    const reply: unknown = await admin.eval(usageOfSome, 0, cursor);
    if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that adds up keys');
    cursor = String(reply[0]);
    sum += Number(reply[1]);
  } while (cursor !== '0');
  return sum;
}

async function oneRedis(): Promise<Database> {
  const node = await startRedis(everySecond);
  const client = new Redis(node.url, { enableAutoPipelining: true });
  const stop = async (): Promise<void> => {
    client.disconnect();
    await node.stop();
  };
  return onRedis([node], { place: { port: node.port }, store: redisStore(client, { deadline }), stop });
}

async function redisCluster(): Promise<Database> {
  const cluster = await startCluster(everySecond);
  const { nodes, seeds } = cluster;
  const client = new Cluster(seeds, { enableAutoPipelining: true, redisOptions: { disconnectTimeout: 100 } });
  return onRedis(nodes, {
    place: { seeds },
    store: redisStore(client, { deadline }),
    stop: async () => {
      client.disconnect();
      await cluster.stop();
    },
  });
}

async function onPostgres(withPooler: boolean): Promise<Database> {
  // Each commit is on disk, as by default.
  const server = await startPostgres(['max_wal_size=4GB']);
  const pooler = withPooler ? await startPgBouncer(server) : undefined;
  // What fills it need not survive.
  const pool = server.pool({ max: 10, query_timeout: deadline, options: '-c synchronous_commit=off' });
  const store = postgresStore(pool);
  await store.migrate();
  const admin = server.pool({ max: 1 });
  const ask = async (text: string): Promise<number> => Number((await admin.query(text)).rows[0]?.value);
  const { rows } = await admin.query('show server_version');
  const purge = async (): Promise<void> => {
    while ((await store.purge()).hasMore);
    await admin.query('vacuum');
  };
  return {
    version: `postgres:${String(rows[0]?.server_version)}`,
    place: { postgres: pooler?.url ?? server.url },
    store,
    bytes: () =>
      ask(`select sum(pg_total_relation_size(oid))::float8 as value from pg_class
        where relkind = 'r' and relname like 'campus_%'`),
    logged: () => ask(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as value`),
    syncs: async () => {
      await admin.query('select pg_stat_clear_snapshot()');
      return ask('select wal_sync::float8 as value from pg_stat_wal');
    },
    cpu: async () => processorTime(server.dir),
    purge,
    cleanUp: purge,
    compact: async () => void (await admin.query('vacuum full')),
    stop: async () => {
      await pooler?.stop();
      await server.stop();
    },
  };
}

/** Microseconds of the server in this folder and of all its processes, those that have ended included. */
function processorTime(dir: string): number {
  const pid = readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n', 1)[0] ?? '';
  const fieldsOf = (process: string): string[] => {
    try {
      return readFileSync(`/proc/${process}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
    } catch {
      return [];
    }
  };
  // After the name: state, parent; from the 12th on the time of its own, then that of its children that have ended.
  const ticks = (fields: readonly string[], from: number, to: number): number =>
    fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(fieldsOf)
    .filter(([, parent]) => parent === pid);
  const all = ticks(fieldsOf(pid), 11, 15) + children.reduce((sum, fields) => sum + ticks(fields, 11, 13), 0);
  return all * 10_000;
}

/** The databases by the name of the option `--on`. */
export const databases: Readonly<Record<'redis' | 'postgres' | 'cluster' | 'pgbouncer', () => Promise<Database>>> = {
  redis: oneRedis,
  cluster: redisCluster,
  postgres: () => onPostgres(false),
  pgbouncer: () => onPostgres(true),
};
