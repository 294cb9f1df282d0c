import type { ChildProcess } from 'node:child_process';
import { startRedis } from '../__tests__/helpers/redis.ts';
import { end, messageOf, startOnCore } from './support/processes.ts';

// npm run bench:member. Ratios count, not figures: every contender runs the same query from the same schema and
// data, in a process of its own on one core; the load comes from the other. Rounds take turns, and the median counts.
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
const names = ['bare Yoga', 'Yoga in Koa', 'ours, memory', 'ours, Redis'];

interface Measured {
  readonly rate: number;
  readonly total: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** Commands to the store for each request: no more round trips than that. */
  readonly trips: number;
  /** Microseconds of the processor for each request: what other programs on the machine change least. */
  readonly cpu: number;
}

const redis = await startRedis();
process.env['REDIS_URL'] = redis.url;
const load = startOnCore(1, 'load.ts', []);
const servers = new Map<string, ChildProcess>();
try {
  const places = new Map<string, unknown>();
  for (const name of names) {
    const server = startOnCore(0, 'member-server.ts', [name]);
    servers.set(name, server);
    places.set(name, await messageOf(server));
  }
  const measure = async (name: string, connections: number, duration: number): Promise<Measured> => {
    const before = await stateOf(name);
    load.send({ ...Object(places.get(name)), connections, duration });
    const result: Omit<Measured, 'trips' | 'cpu'> = Object(await messageOf(load));
    const after = await stateOf(name);
    const each = (total: number): number => total / result.total;
    return { ...result, trips: each(after.asked - before.asked), cpu: each(after.cpu - before.cpu) };
  };

  for (const name of names) await measure(name, 20, 2);
  const results = new Map<string, Measured[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results.get(name)?.push(await measure(name, 50, seconds));
  }
  const medians = names.map((name) => median(results.get(name) ?? []));
  const base = medians[0]?.rate ?? Number.NaN;
  console.log('50 connections             requests/s  ratio   p50 ms  p99 ms  CPU µs each    commands each  failed');
  medians.forEach((measured, i) => console.log(row(names[i] ?? '', measured, base)));
  const crowd = await measure('ours, Redis', 500, seconds);
  console.log(row('ours, Redis, 500 at once', crowd, base));
  if (crowd.failed > 0) process.exitCode = 1;
} finally {
  await end([load, ...servers.values()]);
  await redis.stop();
}

async function stateOf(name: string): Promise<{ readonly asked: number; readonly cpu: number }> {
  const server = servers.get(name);
  if (!server) throw new Error(`no server for ${name}`);
  server.send('state');
  const { asked, cpu } = Object(await messageOf(server));
  return { asked, cpu: cpu.user + cpu.system };
}

function median(all: readonly Measured[]): Measured {
  const middle = [...all].sort((one, other) => one.rate - other.rate)[Math.floor(all.length / 2)];
  if (!middle) throw new Error('nothing was measured');
  return { ...middle, failed: all.reduce((sum, { failed }) => sum + failed, 0) };
}

function row(name: string, { rate, p50, p99, cpu, trips, failed }: Measured, base: number): string {
  const figures = [rate.toFixed(0), (rate / base).toFixed(2), p50.toFixed(1), p99.toFixed(1), cpu.toFixed(0)];
  const columns = [...figures, trips.toFixed(2), failed];
  const widths = [11, 7, 9, 8, 13, 18, 8];
  return name.padEnd(26) + columns.map((column, i) => String(column).padStart(widths[i] ?? 0)).join('');
}
