import assert from 'node:assert/strict';
import { type Bench, type Check, each, newSite, until } from './case.ts';

type Wait = number | undefined;

/** Makes a function that consumes quotas of one site, in windows of a minute. */
function consumer({
  store,
  school,
}: Bench): (...quotas: readonly (readonly [name: string, limit: number])[]) => Promise<Wait> {
  return async (...quotas) => {
    const named = quotas.map(([name, limit]) => ({ name, limit }));
    return (await store.consumeQuota(school, named, 60)) ?? undefined;
  };
}

/** Uses that were counted. */
function counted(...waits: readonly Wait[]): void {
  for (const wait of waits) assert.equal(wait, undefined, `${wait} seconds where a use should have been counted`);
}

function inAMinute(seconds: Wait): void {
  assert.ok(Number.isInteger(seconds), `whole seconds, not ${seconds}`);
  assert.ok((seconds ?? 0) > 50 && (seconds ?? 0) <= 60, `about a minute, not ${seconds}`);
}

/** `consumeQuota` with one quota after another. */
const countingCases: readonly Check[] = [
  {
    name: 'consumeQuota: counts up to the limit, then returns the seconds until the window ends',
    run: async (bench) => {
      const consume = consumer(bench);
      counted(await consume(['a', 2]), await consume(['a', 2]));
      inAMinute(await consume(['a', 2]));
    },
  },
  {
    name: 'consumeQuota: counts by name and site',
    run: async (bench) => {
      const [here, there] = [consumer(bench), consumer({ ...bench, school: newSite() })];
      counted(await here(['a', 1]), await here(['b', 1]), await there(['a', 1]));
      inAMinute(await here(['a', 1]));
    },
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
  {
    name: 'consumeQuota: a fraction as limit is rounded down',
    run: async (bench) => {
      const consume = consumer(bench);
      counted(await consume(['a', 2.9]), await consume(['a', 2.9]));
      inAMinute(await consume(['a', 2.9]));
    },
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
  {
    name: 'consumeQuota: a new window starts when the old one is over, whatever was refused in it',
    run: async ({ store, school }) => {
      const consume = async (): Promise<Wait> =>
        (await store.consumeQuota(school, [{ name: 'a', limit: 1 }], 1)) ?? undefined;
      counted(await consume());
      assert.equal(await consume(), 1);
      await until('the window of 1 second is not over', async () => (await consume()) === undefined);
    },
  },
];

/** `consumeQuota` with several quotas at once. */
const togetherCases: readonly Check[] = [
  ...each(
    [
      {
        place: 'first',
        quotas: [
          ['used up', 1],
          ['other', 3],
        ],
      },
      {
        place: 'last',
        quotas: [
          ['other', 3],
          ['used up', 1],
        ],
      },
    ] as const,
    ({ place }) => `consumeQuota: counts all quotas or none: the used-up quota comes ${place}`,
    async (bench, { quotas }) => {
      const consume = consumer(bench);
      counted(await consume(...quotas));
      for (let i = 0; i < 5; i += 1) inAMinute(await consume(...quotas));
      counted(await consume(['other', 3]), await consume(['other', 3]));
      inAMinute(await consume(['other', 3]));
    },
  ),
  {
    name: 'consumeQuota: returns the longest wait if several quotas are used up',
    run: async ({ store, school }) => {
      const [short, long] = ['short', 'long'].map((name) => ({ name, limit: 1 }));
      assert.ok(short && long);
      await store.consumeQuota(school, [short], 1000);
      await store.consumeQuota(school, [long], 2000);
      for (const both of [
        [short, long],
        [long, short],
      ]) {
        assert.ok(Number(await store.consumeQuota(school, both, 60)) > 1900);
      }
    },
  },
  {
    name: 'consumeQuota: 10 of 50 concurrent calls are counted, also by the quota that they share',
    run: async (bench) => {
      const consume = consumer(bench);
      const waits = await Promise.all(Array.from({ length: 50 }, (_, i) => consume([`of ${i % 2}`, 40], ['all', 10])));
      assert.equal(waits.filter((wait) => wait === undefined).length, 10);
      inAMinute(await consume(['all', 10]));
      counted(await consume(['all', 11]));
      inAMinute(await consume(['all', 11]));
      const halves = await Promise.all(Array.from({ length: 30 }, (_, i) => consume([`of ${i % 2}`, 10])));
      assert.equal(halves.filter((wait) => wait === undefined).length, 10);
    },
  },
  {
    name: 'consumeQuota: a name that is given twice is counted once, and must be within both limits',
    run: async (bench) => {
      const consume = consumer(bench);
      const twice = (): Promise<Wait> => consume(['a', 3], ['a', 2]);
      counted(await twice(), await twice());
      inAMinute(await twice());
      counted(await consume(['a', 3]));
      inAMinute(await consume(['a', 3]));
    },
  },
  {
    name: 'consumeQuota: no quota counts nothing',
    run: async (bench) => counted(await consumer(bench)()),
  },
];

/** Quotas. */
export const quotaCases: readonly Check[] = [...countingCases, ...togetherCases];
