import type { ChildProcess } from 'node:child_process';
import { startRedis } from '../__tests__/helpers/redis.ts';
import { end, messageOf, startOnCore } from './support/processes.ts';

// npm run bench:mcp. Ratios count, not figures: every contender has the same one tool and gets the same message, in a
// process of its own on one core; the load comes from the other. Rounds take turns, and the median counts. The bare
// SDK looks at no token, no origin and no limit.
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const base = 'bare SDK';
const names = [
  base,
  'bare SDK, version 1',
  'ours, anonymous, memory',
  'ours, anonymous, Redis',
  'ours, token, memory',
  'ours, token, Redis',
];
// At revision 2025-11-25, which both versions of the SDK speak.
const kinds = [{ method: 'tools/list' }, { method: 'tools/call' }] as const;
/** To reach, of the bare SDK's rate. */
const goals = new Map([
  ['ours, anonymous, Redis', 1],
  ['ours, token, Redis', 0.9],
]);

interface Measured {
  readonly rate: number;
  readonly total: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** Microseconds of the processor for each request: what other programs on the machine change least. */
  readonly cpu: number;
}

type Kind = (typeof kinds)[number];

const redis = await startRedis();
process.env['REDIS_URL'] = redis.url;
const load = startOnCore(1, 'mcp-load.ts', []);
const servers = new Map<string, ChildProcess>();
const places = new Map<string, object>();
try {
  for (const name of names) {
    const server = startOnCore(0, 'mcp-server.ts', [name]);
    servers.set(name, server);
    places.set(name, Object(await messageOf(server)));
  }
  for (const kind of kinds) {
    for (const name of names) await measure(name, kind, 20, 1);
    const results = new Map<string, Measured[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const name of names) results.get(name)?.push(await measure(name, kind, 50, seconds));
    }
    report(kind, results);
  }
} finally {
  await end([load, ...servers.values()]);
  await redis.stop();
}

async function measure(name: string, kind: Kind, connections: number, duration: number): Promise<Measured> {
  const before = await cpuOf(name);
  load.send({ ...places.get(name), ...kind, connections, duration });
  const result: Omit<Measured, 'cpu'> = Object(await messageOf(load));
  return { ...result, cpu: ((await cpuOf(name)) - before) / result.total };
}

async function cpuOf(name: string): Promise<number> {
  const server = servers.get(name);
  if (!server) throw new Error(`no server for ${name}`);
  server.send('cpu');
  const { user, system } = Object(await messageOf(server));
  return user + system;
}

function report({ method }: Kind, results: ReadonlyMap<string, readonly Measured[]>): void {
  console.log(`\n${method.padEnd(28)}requests/s  ratio   p50 ms  p99 ms  CPU µs each  failed`);
  const bare = median(results.get(base) ?? []).rate;
  for (const [name, all] of results) {
    const { rate, p50, p99, cpu } = median(all);
    const failed = all.reduce((sum, each) => sum + each.failed, 0);
    const figures = [
      rate.toFixed(0),
      (rate / bare).toFixed(2),
      p50.toFixed(1),
      p99.toFixed(1),
      cpu.toFixed(0),
      `${failed}`,
    ];
    const widths = [10, 7, 9, 8, 13, 8];
    const missed = rate / bare < (goals.get(name) ?? 0);
    console.log(
      name.padEnd(28) +
        figures.map((figure, i) => figure.padStart(widths[i] ?? 0)).join('') +
        (missed ? '  missed' : ''),
    );
    if (failed > 0 || missed) process.exitCode = 1;
  }
}

function median(all: readonly Measured[]): Measured {
  const middle = [...all].sort((one, other) => one.rate - other.rate)[Math.floor(all.length / 2)];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}
