import assert from 'node:assert/strict';
import { type Bench, type Checks, each, until } from './case.ts';

type Wait = number | undefined;

/** Makes a function that consumes quotas of one school, in windows of a minute. */
function consumer(
  bench: Bench,
  uses?: number,
): (...quotas: readonly (readonly [name: string, limit: number])[]) => Promise<Wait> {
  return async (...quotas) => {
    const named = quotas.map(([name, limit]) => ({ name, limit }));
    return (await bench.consumeQuota(named, 60, uses)) ?? undefined;
  };
}

function counted(...waits: readonly Wait[]): void {
  for (const wait of waits) assert.equal(wait, undefined, `${wait} seconds where a use should have been counted`);
}

function inAMinute(seconds: Wait): void {
  assert.ok(Number.isInteger(seconds), `whole seconds, not ${seconds}`);
  assert.ok((seconds ?? 0) > 50 && (seconds ?? 0) <= 60, `about a minute, not ${seconds}`);
}

export const quotaCases: Checks = {
  async 'consumeQuota: counts up to the limit, then returns the seconds until the window ends'(bench) {
    const consume = consumer(bench);
    counted(await consume(['a', 2]), await consume(['a', 2]));
    inAMinute(await consume(['a', 2]));
  },
  async 'consumeQuota: counts by name and site'(bench) {
    const [here, there] = [consumer(bench), consumer(bench.elsewhere())];
    counted(await here(['a', 1]), await here(['b', 1]), await there(['a', 1]));
    inAMinute(await here(['a', 1]));
  },
  ...each(
    [0, 0.5, -1, NaN],
    (limit) => `consumeQuota: the limit ${limit} permits nothing`,
    async (bench, limit) => {
      const consume = consumer(bench);
      assert.deepEqual([await consume(['a', limit]), await consume(['b', 5], ['a', limit])], [60, 60]);
      counted(await consume(['b', 1]));
    },
  ),
  async 'consumeQuota: a fraction as limit is rounded down'(bench) {
    const consume = consumer(bench);
    counted(await consume(['a', 2.9]), await consume(['a', 2.9]));
    inAMinute(await consume(['a', 2.9]));
  },
  ...each(
    [1e12, Number.MAX_SAFE_INTEGER, 1e21, Infinity],
    (limit) => `consumeQuota: the limit ${limit} permits`,
    async (bench, limit) => {
      const consume = consumer(bench);
      counted(await consume(['a', limit]), await consume(['a', limit]));
      inAMinute(await consume(['a', 2]));
    },
  ),
  ...each(
    ['a:b', '}', '{x}', '%', 'ü', 'a\nb', '__proto__', ''],
    (name) => `consumeQuota: a name can be any text, such as ${JSON.stringify(name)}`,
    async (bench, name) => {
      const consume = consumer(bench);
      counted(await consume([name, 1], [`${name} `, 1]));
      inAMinute(await consume([name, 1]));
      inAMinute(await consume([`${name} `, 1]));
    },
  ),
  async 'consumeQuota: a new window starts when the old one is over, whatever was refused in it'(bench) {
    const consume = async (): Promise<Wait> => (await bench.consumeQuota([{ name: 'a', limit: 1 }], 1)) ?? undefined;
    counted(await consume());
    // A machine may be too busy for two within a second.
    await until('a second use within a window of 1 second is counted', async () => (await consume()) === 1);
    await until('the window of 1 second is not over', async () => (await consume()) === undefined);
  },
  ...each(
    ['first', 'last'],
    (place) => `consumeQuota: counts all quotas or none: the used-up quota comes ${place}`,
    async (bench, place) => {
      const consume = consumer(bench);
      const [usedUp, other] = [['used up', 1] as const, ['other', 3] as const];
      const quotas = place === 'first' ? [usedUp, other] : [other, usedUp];
      counted(await consume(...quotas));
      for (let i = 0; i < 5; i += 1) inAMinute(await consume(...quotas));
      counted(await consume(other), await consume(other));
      inAMinute(await consume(other));
    },
  ),
  async 'consumeQuota: returns the longest wait if several quotas are used up'(bench) {
    const both = ['short', 'long'].map((name) => ({ name, limit: 1 }));
    for (const [i, quota] of both.entries()) await bench.consumeQuota([quota], 1000 * (i + 1));
    for (const order of [both, both.toReversed()]) assert.ok(Number(await bench.consumeQuota(order, 60)) > 1900);
  },
  async 'consumeQuota: 10 of 50 concurrent calls are counted, also by the quota that they share'(bench) {
    const consume = consumer(bench);
    const waits = await Promise.all(Array.from({ length: 50 }, (_, i) => consume([`of ${i % 2}`, 40], ['all', 10])));
    assert.equal(waits.filter((wait) => wait === undefined).length, 10);
    inAMinute(await consume(['all', 10]));
    counted(await consume(['all', 11]));
    inAMinute(await consume(['all', 11]));
    const halves = await Promise.all(Array.from({ length: 30 }, (_, i) => consume([`of ${i % 2}`, 10])));
    assert.equal(halves.filter((wait) => wait === undefined).length, 10);
  },
  async 'consumeQuota: a name that is given twice is counted once, and must be within both limits'(bench) {
    const consume = consumer(bench);
    const twice = (): Promise<Wait> => consume(['a', 3], ['a', 2]);
    counted(await twice(), await twice());
    inAMinute(await twice());
    counted(await consume(['a', 3]));
    inAMinute(await consume(['a', 3]));
  },
  async 'consumeQuota: counts several uses at once, or none if one quota has fewer left'(bench) {
    const [one, three] = [consumer(bench), consumer(bench, 3)];
    counted(await three(['a', 5], ['b', 3]));
    inAMinute(await three(['a', 5]));
    inAMinute(await one(['a', 5], ['b', 3]));
    counted(await one(['a', 5]), await one(['a', 5]));
    inAMinute(await one(['a', 5]));
    assert.equal(await three(['c', 2]), 60);
    counted(await three(['c', 3]));
  },
  'consumeQuota: no quota counts nothing': async (bench) => counted(await consumer(bench)()),
};
