import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { webMemberApp } from '../../__tests__/helpers/flow.ts';
import type { Names } from '../support/connections.ts';
import { type NumberedSchools, type SchoolsOnRedis, schoolsOnRedis } from '../support/numbered-schools.ts';
import type { Given } from './arguments.ts';

const connectionsOfSchools = 20_000;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Milliseconds that the caller waits, median; microseconds of the Redis process. */
interface Cost {
  readonly caller: number;
  readonly redis: number;
}

type Costs = Readonly<Record<string, Cost>>;

/** Numbers of connections that were not used yet, spread over all. */
function* unused(size: number, all: number): Generator<number> {
  // Odd, so that they belong to many schools.
  const step = Math.max(1, Math.floor(size / all) - 1) | 1;
  for (let number = 0; number < size; number += step) yield number;
}

async function measure(on: SchoolsOnRedis, size: number, times: number): Promise<Costs> {
  const { schools, redis } = on;
  const { campus } = schools;
  const siteOf = ({ siteId: id, origin }: Names) => ({ id, origin, name: id, connectionsEnabled: true });
  const operations: Record<string, (its: Names) => Promise<unknown>> = {
    verify: (its) => campus.verify(siteOf(its), its.accessToken),
    refresh: async (its) => {
      const { status, text } = await schools.refresh(its);
      if (status !== 200) throw new Error(`${status} ${text}`);
    },
    list: (its) => campus.connections.list(siteOf(its), its.memberId),
    count: (its) => campus.applications.connections(siteOf(its), webMemberApp.id),
    revoke: async (its) => {
      const [connection] = await campus.connections.list(siteOf(its), its.memberId);
      return campus.connections.revoke(siteOf(its), its.memberId, connection?.id ?? '');
    },
  };
  // Connections that are not in the store before this size, so that each is refreshed and revoked once.
  const from = schools.size;
  await schools.grow(size);
  const numbers = [...unused(size - from, times)].slice(0, times).map((number) => from + number);
  await warmUp(schools, new Set(numbers));
  const costs: Record<string, Cost> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const before = await processorTime(on);
    const waits: number[] = [];
    for (const number of numbers) {
      const start = performance.now();
      await operation(schools.names(number));
      waits.push(performance.now() - start);
    }
    const spent = (await processorTime(on)) - before;
    costs[name] = { caller: median(waits), redis: spent / numbers.length };
  }
  const used = /used_memory:(\d+)/.exec(await redis.info('memory'))?.[1];
  console.log(`${schools.size} connections: ${Math.round(Number(used) / schools.size)} bytes of Redis for each`);
  return costs;
}

/** Refreshes once at each of up to 3,000 schools, so that as many engines are there as ever will be. */
async function warmUp(schools: NumberedSchools, spared: ReadonlySet<number>): Promise<void> {
  for (let school = 0; school < Math.min(schools.count, 3000); school += 1) {
    const number = spared.has(school) ? school + schools.count : school;
    await schools.refresh(schools.names(number));
  }
}

/** Microseconds of the Redis process so far. */
async function processorTime({ redis }: SchoolsOnRedis): Promise<number> {
  const info = await redis.info('cpu');
  const part = (name: string): number => Number(new RegExp(`used_cpu_${name}:([\\d.]+)`).exec(info)?.[1]);
  return (part('user') + part('sys')) * 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function print(what: string, measured: ReadonlyMap<number, Costs>): void {
  const [first] = measured.values();
  const rows = Object.entries(first ?? {}).map(([operation, base]) => {
    const cells = [...measured].map(([size, costs]) => {
      const { caller, redis } = costs[operation] ?? base;
      const ratios = `${(caller / base.caller).toFixed(2)} / ${(redis / base.redis).toFixed(2)}`;
      return [`${size} ${what}`, costs === first ? `${caller.toFixed(2)} ms / ${Math.round(redis)} µs` : ratios];
    });
    return { operation, ...Object.fromEntries(cells) };
  });
  console.log('\nThe caller waits / time of the Redis process');
  console.table(rows);
}

/** What one more school costs a process: its first refresh beside later ones, and memory. */
async function engines(schools: NumberedSchools, count: number): Promise<void> {
  const waits = async (from: number): Promise<number> => {
    const seen: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const start = performance.now();
      await schools.refresh(schools.names(from + i));
      seen.push(performance.now() - start);
    }
    return median(seen);
  };
  const before = heap();
  const first = await waits(0);
  const bytes = (heap() - before) / count;
  const later = await waits(count);
  console.log(
    `\nA refresh at a school without an engine takes ${first.toFixed(2)} ms, later ones ${later.toFixed(2)} ms.`,
  );
  console.log(`An engine that has refreshed once takes ${Math.round(bytes / 1024)} kB.`);
}

/** One application is removed: its connections end, all at once. */
async function revokeAll({ redis, schools: { store } }: SchoolsOnRedis): Promise<void> {
  await redis.config('SET', 'slowlog-log-slower-than', '100');
  await redis.slowlog('RESET');
  const start = performance.now();
  const revoked = await store.revoke('school-0', { clientId: webMemberApp.id });
  const seconds = (performance.now() - start) / 1000;
  const slow: unknown = await redis.slowlog('GET', '128');
  const longest = Math.max(0, ...(Array.isArray(slow) ? slow.map((entry: unknown[]) => Number(entry[2])) : []));
  console.log(`\nRevoking a client with ${revoked} connections takes ${seconds.toFixed(1)} s;`);
  console.log(`of the last commands that Redis ran for it, the longest took ${(longest / 1000).toFixed(2)} ms.`);
}

/** A school leaves. */
async function removeSchool({ redis, schools: { campus, size } }: SchoolsOnRedis): Promise<void> {
  await redis.config('SET', 'slowlog-log-slower-than', '100');
  await redis.slowlog('RESET');
  const site = { id: 'school-0', origin: 'http://school-0.test', name: 'school-0', connectionsEnabled: true };
  const start = performance.now();
  let [step, steps, longestStep] = [await campus.sites.remove(site, { stillServed: true }), 1, 0];
  for (; step.next !== undefined; steps += 1) {
    const began = performance.now();
    step = await campus.sites.remove(site, step);
    longestStep = Math.max(longestStep, performance.now() - began);
  }
  const seconds = (performance.now() - start) / 1000;
  const slow: unknown = await redis.slowlog('GET', '128');
  const longest = Math.max(0, ...(Array.isArray(slow) ? slow.map((entry: unknown[]) => Number(entry[2])) : []));
  const left = (await redis.keys('*{school-0}*')).length;
  console.log(
    `\nRemoving a school with ${size} connections takes ${seconds.toFixed(1)} s in ${steps} steps of at most`,
  );
  console.log(
    `${longestStep.toFixed(1)} ms, with commands of at most ${(longest / 1000).toFixed(2)} ms; ${left} of its keys are left.`,
  );
}

function heap(): number {
  if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
  return process.memoryUsage().heapUsed;
}

export async function run({ connections: sizes, schools: counts, times }: Given<'costs'>): Promise<void> {
  const bySize = new Map<number, Costs>();
  const growing = await schoolsOnRedis(1);
  for (const size of sizes.toSorted((a, b) => a - b)) bySize.set(size, await measure(growing, size, times));
  print('connections', bySize);
  await revokeAll(growing);
  await growing.close();

  const leaving = await schoolsOnRedis(1);
  await leaving.schools.grow(Math.max(...sizes));
  await removeSchool(leaving);
  await leaving.close();

  const bySchools = new Map<number, Costs>();
  for (const count of counts.toSorted((a, b) => a - b)) {
    const many = await schoolsOnRedis(count);
    bySchools.set(count, await measure(many, connectionsOfSchools, times));
    await many.close();
  }
  print('schools', bySchools);
  const many = await schoolsOnRedis(1000);
  await many.schools.grow(2000);
  await engines(many.schools, 1000);
  await many.close();
  console.log('\nNo targets: bench:token has that of a refresh at 10,000 schools in turn.');
}
