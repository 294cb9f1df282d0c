import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CampusKeys } from '../../lib/index.ts';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import { signingKey } from '../../__tests__/helpers/keys.ts';
import { type PostgresServer, startPostgres } from '../../__tests__/helpers/postgres.ts';
import { type RedisNode, startCluster, startRedis } from '../../__tests__/helpers/redis.ts';
import { connectTo } from '../../__tests__/stores/redis/campus.ts';
import type { CostsQuestion, ServerCosts, ServerReport, ServerStart } from './server.ts';
import { type Answer, type Ask, post } from './visitor.ts';

/** The school that a drill hits, and one whose data is on another master. */
const sites = [
  { id: 'harbour', origin: 'http://harbour.test' },
  { id: 'summit-east', origin: 'http://summit.test' },
] as const;
export const [harbour, summit] = sites;

/** Every write that Redis acknowledges is on disk. */
const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];

/** A database with the processes of a platform on it: two, or one on SQLite. */
export interface Topology {
  readonly on: 'Redis' | 'PostgreSQL' | 'SQLite';
  readonly name: string;
  readonly version: string;
  readonly postgres?: PostgresServer;
  /** The Redis process that has the data of Harbour School; in a cluster with its replica, and with another master. */
  readonly home?: RedisNode;
  readonly replica?: RedisNode;
  readonly other?: RedisNode;
  readonly servers: readonly Server[];
  /** Sends a request to either process in turn. */
  send(origin: string, ask: Ask): Promise<Answer>;
  stop(): Promise<void>;
}

/** A process of the platform. */
export class Server {
  readonly #start: ServerStart;
  #child: ChildProcess | undefined;
  #costs: PromiseWithResolvers<ServerCosts> | undefined;
  port = 0;
  /** Megabytes of memory, now and at most since `forget`. */
  rss = 0;
  peak = 0;

  readonly #heap: number;

  /** `heap`: megabytes. It is small by default: what is garbage is collected, and what is kept shows as an end of the process. */
  constructor(start: ServerStart, heap = 128) {
    this.#start = start;
    this.#heap = heap;
  }

  async start(): Promise<void> {
    const execArgv = [
      '--experimental-strip-types',
      '--disable-warning=ExperimentalWarning',
      `--max-old-space-size=${this.#heap}`,
      '--expose-gc',
    ];
    const child = fork(new URL('./server.ts', import.meta.url), { execArgv });
    this.#child = child;
    const listening = Promise.withResolvers<void>();
    child.on('message', (report: ServerReport) => {
      if ('port' in report) {
        this.port = report.port;
        listening.resolve();
      } else if ('costs' in report) {
        this.#costs?.resolve(report.costs);
      } else {
        this.rss = Math.round(report.rss / 2 ** 20);
        this.peak = Math.max(this.peak, this.rss);
      }
    });
    child.once('exit', () => listening.reject(new Error('a server ended early')));
    child.send(this.#start);
    await listening.promise;
  }

  forget(): void {
    this.peak = this.rss;
  }

  /** What the process has cost so far. */
  costs(collect = false): Promise<ServerCosts> {
    const asked = Promise.withResolvers<ServerCosts>();
    this.#costs = asked;
    this.#child?.send({ collect } satisfies CostsQuestion);
    return asked.promise;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

async function platform(
  database: ServerStart['database'],
  parts: Omit<Topology, 'servers' | 'send'>,
  processes = 2,
): Promise<Topology> {
  const keys: CampusKeys = { signing: [await signingKey('key-1')], cookies: ['a secret of the drills'] };
  const servers = Array.from({ length: processes }, () => new Server({ database, sites: [...sites], keys }));
  await Promise.all(servers.map((server) => server.start()));
  let turn = 0;
  return {
    ...parts,
    servers,
    send: (origin, ask) => post(servers[(turn += 1) % servers.length]?.port ?? 0, origin, ask),
    stop: async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await parts.stop();
    },
  };
}

export async function oneRedis(): Promise<Topology> {
  const home = await startRedis(durable);
  return platform(
    { port: home.port },
    { on: 'Redis', name: 'one Redis', version: await versionOf(home), home, stop: () => home.stop() },
  );
}

export async function onePostgres(): Promise<Topology> {
  // Every write that PostgreSQL acknowledges is on disk.
  const postgres = await startPostgres([]);
  const admin = postgres.pool({ max: 1 });
  await postgresStore(admin).migrate();
  const { rows } = await admin.query('show server_version');
  await admin.end();
  const version = `postgres:${String(rows[0]?.server_version)}`;
  const parts = { on: 'PostgreSQL', name: 'PostgreSQL', version, postgres, stop: () => postgres.stop() } as const;
  return platform({ postgres: postgres.url }, parts);
}

export async function oneSqlite(): Promise<Topology> {
  const dir = mkdtempSync(join(tmpdir(), 'campus-drill-'));
  const file = join(dir, 'campus.db');
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal');
  await sqliteStore(database).migrate();
  const version = `sqlite:${process.versions.sqlite}`;
  const stop = async (): Promise<void> => {
    const [row] = database.prepare('pragma integrity_check').all();
    database.close();
    rmSync(dir, { recursive: true });
    if (row?.['integrity_check'] !== 'ok') throw new Error(`the file is damaged: ${JSON.stringify(row)}`);
  };
  return platform({ sqlite: file }, { on: 'SQLite', name: 'SQLite', version, stop }, 1);
}

async function versionOf(node: RedisNode): Promise<string> {
  return /redis_version:\S+/.exec(await command(node, 'INFO', 'server'))?.[0] ?? '';
}

export async function redisCluster(): Promise<Topology> {
  const cluster = await startCluster(durable);
  const { nodes, seeds } = cluster;
  const homeOf = async (id: string): Promise<number> =>
    Math.floor(Number(await command(nodes[0], 'CLUSTER', 'KEYSLOT', `{${id}}`)) / Math.ceil(16_384 / 3));
  const [at, away] = [await homeOf(harbour.id), await homeOf(summit.id)];
  const [home, replica, other] = [nodes[at], nodes[at + 3], nodes[away]];
  if (!home || !replica || !other || home === other) throw new Error('the schools must be on different masters');
  return platform(
    { seeds },
    { on: 'Redis', name: 'cluster', version: await versionOf(home), home, replica, other, stop: () => cluster.stop() },
  );
}

/** Sends one command to one node. */
export async function command(
  node: RedisNode | undefined,
  ...words: [string, ...(string | number)[]]
): Promise<string> {
  if (!node) throw new Error('no such node');
  const admin = connectTo(node.port);
  try {
    return String(await admin.call(...words));
  } finally {
    admin.disconnect();
  }
}
