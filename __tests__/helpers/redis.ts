import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findRedis } from '../../scripts/redis-binary.mjs';
import { freePort } from './free-port.ts';

/** A real Redis server of the test's own. */
export interface RedisNode {
  readonly port: number;
  /** For the other nodes, if it is one of a cluster. */
  readonly busPort: number;
  readonly url: string;
  /** Ends it at once and without goodbye; what it has on disk stays. */
  kill(): Promise<void>;
  /** Starts it again where it was. */
  start(): Promise<void>;
  /** Holds its process still, connections and all. */
  freeze(): void;
  /** Lets it go on. */
  thaw(): void;
  /** Ends it for good. */
  stop(): Promise<void>;
}

/** Starts a server on a free port; it keeps nothing on disk unless `options` say so. */
export async function startRedis(options: readonly string[] = []): Promise<RedisNode> {
  const dir = mkdtempSync(join(tmpdir(), 'campus-redis-'));
  const quiet = ['--save', '', '--appendonly', 'no', '--daemonize', 'no', '--enable-debug-command', 'yes'];
  const common = ['--bind', '127.0.0.1', '--dir', dir, ...quiet, ...options];
  const { port, busPort, args, ...first } = await runOnFreePorts(common);
  let child = first.child;
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    port,
    busPort,
    url: `redis://127.0.0.1:${port}`,
    kill,
    start: async () => {
      child = await run(args);
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop: async () => {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface RunningRedis extends Pick<RedisNode, 'port' | 'busPort'> {
  readonly child: ChildProcess;
  readonly args: readonly string[];
}

/** Another app may take a port between the choice and the start: then others are chosen. */
async function runOnFreePorts(common: readonly string[]): Promise<RunningRedis> {
  const [port, busPort] = [await freePort(), await freePort()];
  const ofCluster = common.includes('--cluster-enabled') ? ['--cluster-port', String(busPort)] : [];
  const args = ['--port', String(port), ...ofCluster, ...common];
  try {
    return { port, busPort, args, child: await run(args) };
  } catch (error) {
    if (String(error).includes('Address already in use')) return runOnFreePorts(common);
    throw error;
  }
}

/** Starts the process and waits until it takes connections. */
async function run(args: readonly string[]): Promise<ChildProcess> {
  const { bin, env } = findRedis();
  const child = spawn(bin, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    const read = (bytes: Buffer): void => {
      log += bytes.toString();
      if (log.includes('Ready to accept connections')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}\n${log}`)));
  });
  return child;
}

/** Waits for something that another process does in its own time. */
export async function until(what: string, holds: () => Promise<boolean>, milliseconds = 150_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`in vain waited for: ${what}`);
    await sleep(20);
  }
}

/** A cluster of three masters with a replica each. */
export interface RedisCluster {
  readonly nodes: readonly RedisNode[];
  readonly seeds: { readonly host: string; readonly port: number }[];
  stop(): Promise<void>;
}

const masters = 3;
const slots = 16_384;

/** Starts a cluster: masters first, then their replicas in the same order. */
export async function startCluster(options: readonly string[] = []): Promise<RedisCluster> {
  const nodes = await Promise.all(
    Array.from({ length: masters * 2 }, () => startRedis([...clusterOptions, ...options])),
  );
  const admins = nodes.map(({ port }) => new Redis(port, '127.0.0.1'));
  try {
    await assemble(admins, nodes);
  } catch (error) {
    await Promise.all(nodes.map((node) => node.stop()));
    throw error;
  } finally {
    for (const admin of admins) admin.disconnect();
  }
  return {
    nodes,
    seeds: nodes.map(({ port }) => ({ host: '127.0.0.1', port })),
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}

const clusterTiming = ['--cluster-node-timeout', '1000', '--cluster-replica-validity-factor', '0'];
const clusterFiles = ['--cluster-config-file', 'nodes.conf', '--repl-diskless-sync-delay', '0'];
const clusterOptions = ['--cluster-enabled', 'yes', ...clusterTiming, ...clusterFiles];

async function assemble(admins: readonly Redis[], nodes: readonly RedisNode[]): Promise<void> {
  const [first] = admins;
  const count = admins.length;
  const all = async (ask: (admin: Redis) => Promise<unknown>, holds: (reply: string) => boolean): Promise<boolean> =>
    (await Promise.all(admins.map(ask))).every((reply) => holds(String(reply)));
  const share = Math.ceil(slots / masters);
  await Promise.all(
    admins
      .slice(0, masters)
      .map((admin, i) => admin.call('CLUSTER', 'ADDSLOTSRANGE', i * share, Math.min(slots - 1, (i + 1) * share - 1))),
  );
  await Promise.all(admins.map((admin, i) => admin.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1)));
  for (const { port, busPort } of nodes.slice(1)) {
    await first?.call('CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPort));
  }
  const info = (admin: Redis): Promise<unknown> => admin.call('CLUSTER', 'INFO');
  await until('the nodes meet', () => all(info, (reply) => reply.includes(`cluster_known_nodes:${count}\r`)));
  const ids = await Promise.all(admins.map((admin) => admin.call('CLUSTER', 'MYID')));
  await Promise.all(admins.slice(masters).map((admin, i) => admin.call('CLUSTER', 'REPLICATE', String(ids[i]))));
  await until('the replicas replicate', async () =>
    (await Promise.all(admins.slice(masters).map((admin) => admin.info('replication')))).every((reply) =>
      reply.includes('master_link_status:up'),
    ),
  );
  await until('the cluster is whole', () => all(info, (reply) => reply.includes('cluster_state:ok')));
  // A node that has not heard of the replicas could not take part in a failover that starts now.
  const views = (admin: Redis): Promise<unknown> => admin.call('CLUSTER', 'NODES');
  await until('all nodes see the same', () =>
    all(views, (reply) => (reply.match(/slave /g) ?? []).length === masters && !/handshake|fail/.test(reply)),
  );
}
