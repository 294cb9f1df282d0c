import type { ChildProcess } from 'node:child_process';
import { Redis } from 'ioredis';
import { type PostgresServer, startPostgres } from '../../__tests__/helpers/postgres.ts';
import { type RedisNode, startRedis } from '../../__tests__/helpers/redis.ts';
import type { ProcessCosts } from './contender.ts';
import { end, messageOf, processorTimes, startOnCore } from './processes.ts';

/** What one round of load cost a contender. */
export interface Measured {
  /** Requests a second. Other apps on the machine change it most. */
  readonly rate: number;
  readonly total: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** Microseconds of the server process for each request. */
  readonly cpu: number;
  /** Microseconds of its database for each request. */
  readonly databaseCpu: number;
  /** Commands that the server process sent to Redis for each request; a script is one. */
  readonly sent: number;
}

/** Seconds before the rounds: V8 compiles what has run often. After 3 seconds a contender with more code still gets faster. */
const warmUp = 10;

/** How long it takes. */
export interface Size {
  readonly rounds: number;
  readonly seconds: number;
}

/** What the load process reports. */
export type LoadReport = Pick<Measured, 'rate' | 'total' | 'p50' | 'p99' | 'failed'>;

/** What a contender has cost so far. */
interface Costs {
  readonly cpu: number;
  readonly sent: number;
  readonly redisCpu: number;
  /** Of each process of PostgreSQL. */
  readonly postgresCpu: ReadonlyMap<number, number>;
}

/**
 * Contenders for the same work, each a process of its own on one core. The load comes from the other core, to one contender
 * at a time, in alternating rounds.
 */
export class Comparison {
  readonly #servers = new Map<string, ChildProcess>();
  readonly #places = new Map<string, object>();
  readonly #load: ChildProcess;
  readonly #redis: RedisNode;
  readonly #postgres: PostgresServer | undefined;
  readonly #admin: Redis;

  private constructor(redis: RedisNode, load: ChildProcess, postgres: PostgresServer | undefined) {
    this.#redis = redis;
    this.#postgres = postgres;
    this.#admin = new Redis(redis.url);
    this.#load = load;
  }

  /** Starts a Redis, whose address the servers find in `REDIS_URL`, a process for each name, and the load. */
  static async start(server: string, load: string, names: readonly string[]): Promise<Comparison> {
    const redis = await startRedis();
    process.env['REDIS_URL'] = redis.url;
    // Each commit is on disk, as by default.
    const postgres = names.some((name) => name.includes('PostgreSQL')) ? await startPostgres([]) : undefined;
    if (postgres) process.env['POSTGRES_URL'] = postgres.url;
    const comparison = new Comparison(redis, startOnCore(1, load, []), postgres);
    for (const name of names) {
      const child = startOnCore(0, server, [name]);
      comparison.#servers.set(name, child);
      comparison.#places.set(name, Object(await messageOf(child)));
    }
    return comparison;
  }

  /** One round. `order` is what the load is told beside where the contender is. */
  async measure(name: string, order: object): Promise<Measured> {
    const before = await this.#costsOf(name);
    this.#load.send({ ...this.#places.get(name), ...order });
    const report: LoadReport = Object(await messageOf(this.#load));
    const after = await this.#costsOf(name);
    const each = (cost: 'cpu' | 'sent' | 'redisCpu'): number => (after[cost] - before[cost]) / report.total;
    // Some of its processes begin or end meanwhile.
    const ofPostgres = [...after.postgresCpu].reduce(
      (sum, [pid, time]) => sum + time - (before.postgresCpu.get(pid) ?? 0),
      0,
    );
    const databaseCpu = name.includes('PostgreSQL') ? ofPostgres / report.total : each('redisCpu');
    return { ...report, cpu: each('cpu'), databaseCpu, sent: each('sent') };
  }

  /** Alternating rounds, after one to warm up. `orderFor` makes what the load is told for a round. */
  async rounds(
    names: readonly string[],
    { rounds, seconds }: Size,
    orderFor: (name: string) => object | Promise<object> = () => ({}),
  ): Promise<Rounds> {
    const run = async (name: string, connections: number, duration: number): Promise<Measured> =>
      this.measure(name, { connections, duration, ...(await orderFor(name)) });
    for (const name of names) await run(name, 20, warmUp);
    const seen: Rounds = new Map(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const name of names) seen.get(name)?.push(await run(name, 50, seconds));
    }
    return seen;
  }

  /** Sends something to a contender's process and returns its reply. */
  async tell(name: string, message: object): Promise<unknown> {
    const server = this.#servers.get(name);
    if (!server) throw new Error(`no server for ${name}`);
    server.send(message);
    return messageOf(server);
  }

  async close(): Promise<void> {
    await end([this.#load, ...this.#servers.values()]);
    this.#admin.disconnect();
    await this.#redis.stop();
    await this.#postgres?.stop();
  }

  async #costsOf(name: string): Promise<Costs> {
    const own: ProcessCosts = Object(await this.tell(name, { ask: 'costs' }));
    const info = await this.#admin.info('cpu');
    const part = (kind: string): number => Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(info)?.[1]) * 1e6;
    const postgresCpu = this.#postgres ? processorTimes(this.#postgres.pid()) : new Map<number, number>();
    return { ...own, redisCpu: part('user') + part('sys'), postgresCpu };
  }
}

/** The rounds of each contender. */
export type Rounds = Map<string, Measured[]>;

/** How many times less one contender costs than another, round by round. */
export interface Ratio {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Compares the processor time for each request: above 1, `name` costs less than `base`. */
export function ratioOf(rounds: Rounds, name: string, base: string): Ratio {
  const own = rounds.get(name) ?? [];
  const all = (rounds.get(base) ?? []).map(({ cpu }, i) => cpu / (own[i]?.cpu ?? Number.NaN));
  const sorted = all.toSorted((a, b) => a - b);
  return {
    median: sorted[sorted.length >> 1] ?? Number.NaN,
    lowest: sorted[0] ?? Number.NaN,
    highest: sorted.at(-1) ?? Number.NaN,
  };
}

/** Of one contender against another: to reach, and what cannot be exceeded. */
export interface Target {
  readonly name: string;
  readonly base: string;
  readonly target: number;
  readonly floor?: number;
  /** `name` must not cost more than so many times `base`, instead of so many times less. */
  readonly atMost?: boolean;
}

export function printRounds(title: string, rounds: Rounds, targets: readonly Target[]): void {
  console.log(`\n${title}`);
  console.table(
    [...rounds].map(([name, all]) => {
      const of = (key: keyof Measured): number => median(all.map((measured) => measured[key]));
      const cpus = all.map(({ cpu }) => cpu);
      return {
        contender: name,
        'CPU µs': Math.round(of('cpu')),
        spread: `${Math.round(Math.min(...cpus))}-${Math.round(Math.max(...cpus))}`,
        'to Redis': of('sent').toFixed(2),
        'database µs': Math.round(of('databaseCpu')),
        'requests/s': Math.round(of('rate')),
        'p50 ms': of('p50'),
        'p99 ms': of('p99'),
        failed: all.reduce((sum, { failed }) => sum + failed, 0),
      };
    }),
  );
  for (const { name, base, target, floor, atMost = false } of targets) {
    const { median: middle, lowest, highest } = atMost ? ratioOf(rounds, base, name) : ratioOf(rounds, name, base);
    const bound = floor === undefined ? '' : `, floor ${floor}`;
    const isMet = atMost ? middle <= target : middle >= target;
    console.log(
      `${name} ${atMost ? 'costs, of' : 'against'} ${base}: ${middle.toFixed(2)} (${lowest.toFixed(2)}-${highest.toFixed(2)}), target ${atMost ? 'at most ' : ''}${target}${bound}: ${isMet ? 'met' : 'missed'}`,
    );
  }
  if (targets.length === 0) console.log('no target');
  if ([...rounds.values()].flat().some(({ failed }) => failed > 0)) process.exitCode = 1;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
