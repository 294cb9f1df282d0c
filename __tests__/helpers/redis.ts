import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findRedis } from '../../scripts/redis-binary.mjs';

export interface RedisNode {
  readonly port: number;
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

async function freePorts(n: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: n }, async () => {
      const s = createServer();
      s.listen(0, '127.0.0.1');
      await once(s, 'listening');
      return s;
    }),
  );
  const ports = servers.map((s) => (s.address() as AddressInfo).port);
  await Promise.all(servers.map((s) => new Promise<void>((r) => s.close(() => r()))));
  return ports;
}

export async function startRedis(extra: string[] = [], port?: number): Promise<RedisNode> {
  const { bin, env } = findRedis();
  const p = port ?? (await freePorts(1))[0]!;
  const dir = mkdtempSync(join(tmpdir(), 'redis-test-'));
  const args = [
    '--port',
    String(p),
    '--bind',
    '127.0.0.1',
    '--dir',
    dir,
    '--save',
    '',
    '--appendonly',
    'no',
    '--daemonize',
    'no',
    ...extra,
  ];
  const child: ChildProcess = spawn(bin, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const ready = new Promise<void>((resolve, reject) => {
    const onData = (b: Buffer): void => {
      log += b.toString();
      if (/Ready to accept connections/.test(log)) resolve();
    };
    child.stdout!.on('data', onData);
    child.stderr!.on('data', onData);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`redis-server on ${p} exited with ${code}\n${log}`)));
  });
  await ready;
  const gone = once(child, 'exit');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await gone;
    }
    rmSync(dir, { recursive: true, force: true });
  };
  return {
    port: p,
    pid: child.pid!,
    url: `redis://127.0.0.1:${p}`,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

export interface RedisCluster {
  readonly nodes: readonly RedisNode[];
  readonly seeds: { host: string; port: number }[];
  readonly timings: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

export async function startCluster({ masters = 3, replicas = 1, nodeTimeout = 1000 } = {}): Promise<RedisCluster> {
  const n = masters * (1 + replicas);
  const t0 = performance.now();
  const timings: Record<string, number> = {};
  const mark = (k: string): void => void (timings[k] = Math.round(performance.now() - t0));
  const ports = await freePorts(n * 2);
  const nodes = await Promise.all(
    Array.from({ length: n }, (_, i) =>
      startRedis(
        [
          '--cluster-enabled',
          'yes',
          '--cluster-port',
          String(ports[n + i]),
          '--cluster-config-file',
          'nodes.conf',
          '--cluster-node-timeout',
          String(nodeTimeout),
          '--cluster-replica-validity-factor',
          '0',
          '--repl-diskless-sync-delay',
          '0',
        ],
        ports[i],
      ),
    ),
  );
  mark('spawned');
  const admin = nodes.map((x) => new Redis(x.port, '127.0.0.1'));
  try {
    const per = Math.ceil(16384 / masters);
    await Promise.all(
      admin
        .slice(0, masters)
        .map((c, i) => c.call('CLUSTER', 'ADDSLOTSRANGE', String(i * per), String(Math.min(16383, (i + 1) * per - 1)))),
    );
    await Promise.all(admin.map((c, i) => c.call('CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1))));
    for (let i = 1; i < n; i++)
      await admin[0]!.call('CLUSTER', 'MEET', '127.0.0.1', String(ports[i]), String(ports[n + i]));
    const ids = await Promise.all(admin.map((c) => c.call('CLUSTER', 'MYID') as Promise<string>));
    const until = async (what: string, ok: () => Promise<boolean>): Promise<void> => {
      const end = performance.now() + 20_000;
      while (!(await ok())) {
        if (performance.now() > end) throw new Error(`cluster: timed out waiting for ${what}`);
        await sleep(25);
      }
      mark(what);
    };
    const info = async (c: Redis): Promise<string> => (await c.call('CLUSTER', 'INFO')) as string;
    await until('met', async () =>
      (await Promise.all(admin.map(info))).every((x) => x.includes(`cluster_known_nodes:${n}\r`)),
    );
    await Promise.all(admin.slice(masters).map((c, i) => c.call('CLUSTER', 'REPLICATE', ids[i % masters]!)));
    await until('replicating', async () =>
      (await Promise.all(admin.slice(masters).map((c) => c.info('replication')))).every((x) =>
        x.includes('master_link_status:up'),
      ),
    );
    await until('state ok', async () =>
      (await Promise.all(admin.map(info))).every((x) => x.includes('cluster_state:ok')),
    );
    // every node must have heard of every replica, else a failover started now has no candidate it knows
    await until('views agree', async () =>
      (await Promise.all(admin.map((c) => c.call('CLUSTER', 'NODES') as Promise<string>))).every(
        (x) => (x.match(/ (myself,)?slave /g) ?? []).length === masters * replicas && !/handshake|fail/.test(x),
      ),
    );
  } catch (e) {
    await Promise.all(nodes.map((x) => x.kill()));
    throw e;
  } finally {
    for (const c of admin) c.disconnect();
  }
  return {
    nodes,
    seeds: nodes.map((x) => ({ host: '127.0.0.1', port: x.port })),
    timings,
    stop: async () => void (await Promise.all(nodes.map((x) => x.kill()))),
  };
}
