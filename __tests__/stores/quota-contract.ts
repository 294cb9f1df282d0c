import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Quota, Store } from '../../lib/store.ts';
import { until } from '../helpers/redis.ts';

/** The contract of `consumeQuota`. */
export function quotaContract(open: () => Store): void {
  const site = (): string => `site-${randomUUID()}`;
  /** Makes a function that consumes quotas of one site, in windows of a minute. */
  const consumer = (store = open(), school = site()) => {
    return (...quotas: [name: string, limit: number][]): Promise<number | null | undefined> =>
      store.consumeQuota(
        school,
        quotas.map(([name, limit]): Quota => ({ name, limit })),
        60,
      );
  };
  const inAMinute = (seconds: number | null | undefined): void => {
    expect(Number.isInteger(seconds)).toBe(true);
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
  };

  describe('consumeQuota', () => {
    test('counts up to the limit, then returns the seconds until the window ends', async () => {
      const consumeQuota = consumer();
      expect([await consumeQuota(['a', 2]), await consumeQuota(['a', 2])]).toEqual([undefined, undefined]);
      inAMinute(await consumeQuota(['a', 2]));
    });

    test('counts by name and site', async () => {
      const store = open();
      const [here, there] = [consumer(store), consumer(store)];
      expect(await here(['a', 1])).toBeUndefined();
      expect(await here(['b', 1])).toBeUndefined();
      expect(await there(['a', 1])).toBeUndefined();
      inAMinute(await here(['a', 1]));
    });

    test.each([
      ['first', ['used up', 1], ['other', 3]],
      ['last', ['other', 3], ['used up', 1]],
    ] as const)('counts all quotas or none: the used-up quota comes %s', async (_place, one, two) => {
      const consumeQuota = consumer();
      const both = (): Promise<number | null | undefined> => consumeQuota([...one], [...two]);
      expect(await both()).toBeUndefined();
      for (let i = 0; i < 5; i += 1) inAMinute(await both());
      expect([await consumeQuota(['other', 3]), await consumeQuota(['other', 3])]).toEqual([undefined, undefined]);
      inAMinute(await consumeQuota(['other', 3]));
    });

    test('returns the longest wait if several quotas are used up', async () => {
      const [store, school] = [open(), site()];
      const [short, long] = [
        { name: 'short', limit: 1 },
        { name: 'long', limit: 1 },
      ];
      await store.consumeQuota(school, [short], 1000);
      await store.consumeQuota(school, [long], 2000);
      for (const both of [
        [short, long],
        [long, short],
      ]) {
        expect(await store.consumeQuota(school, both, 60)).toBeGreaterThan(1900);
      }
    });

    test('of 50 concurrent calls 10 are counted, also by the quota that they share', async () => {
      const consumeQuota = consumer();
      const waits = await Promise.all(
        Array.from({ length: 50 }, (_, i) => consumeQuota([`of ${i % 2}`, 40], ['all', 10])),
      );
      expect(waits.filter((wait) => wait === undefined)).toHaveLength(10);
      inAMinute(await consumeQuota(['all', 10]));
      expect(await consumeQuota(['all', 11])).toBeUndefined();
      inAMinute(await consumeQuota(['all', 11]));
      const halves = await Promise.all(Array.from({ length: 30 }, (_, i) => consumeQuota([`of ${i % 2}`, 10])));
      expect(halves.filter((wait) => wait === undefined)).toHaveLength(10);
    });

    test.each([0, 0.5, -1, NaN])('the limit %d permits nothing', async (limit) => {
      const consumeQuota = consumer();
      expect([await consumeQuota(['a', limit]), await consumeQuota(['b', 5], ['a', limit])]).toEqual([60, 60]);
      expect(await consumeQuota(['b', 1])).toBeUndefined();
    });

    test('a fraction as limit is rounded down', async () => {
      const consumeQuota = consumer();
      expect([await consumeQuota(['a', 2.9]), await consumeQuota(['a', 2.9])]).toEqual([undefined, undefined]);
      inAMinute(await consumeQuota(['a', 2.9]));
    });

    test.each([1e12, Number.MAX_SAFE_INTEGER, 1e21, Infinity])('the limit %d permits', async (limit) => {
      const consumeQuota = consumer();
      expect([await consumeQuota(['a', limit]), await consumeQuota(['a', limit])]).toEqual([undefined, undefined]);
      inAMinute(await consumeQuota(['a', 2]));
    });

    test('a name that is given twice is counted once, and must be within both limits', async () => {
      const consumeQuota = consumer();
      const twice = (): Promise<number | null | undefined> => consumeQuota(['a', 3], ['a', 2]);
      expect([await twice(), await twice()]).toEqual([undefined, undefined]);
      inAMinute(await twice());
      expect(await consumeQuota(['a', 3])).toBeUndefined();
      inAMinute(await consumeQuota(['a', 3]));
    });

    test('no quota: counts nothing', async () => {
      expect(await consumer()()).toBeUndefined();
    });

    test.each(['a:b', '}', '{x}', '%', 'ü', 'a\nb', '__proto__', ''])(
      'a name can be any text, such as %j',
      async (name) => {
        const consumeQuota = consumer();
        expect(await consumeQuota([name, 1], [`${name} `, 1])).toBeUndefined();
        inAMinute(await consumeQuota([name, 1]));
        inAMinute(await consumeQuota([`${name} `, 1]));
      },
    );

    test('a new window starts when the old one is over, whatever was refused in it', async () => {
      const [store, school] = [open(), site()];
      const consumeQuota = (): Promise<number | null | undefined> =>
        store.consumeQuota(school, [{ name: 'a', limit: 1 }], 1);
      expect(await consumeQuota()).toBeUndefined();
      await until('the window is over', async () => (await consumeQuota()) === undefined);
    });
  });
}
