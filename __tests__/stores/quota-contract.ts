import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Quota, Store } from '../../lib/store.ts';
import { until } from '../helpers/redis.ts';

/** What every store promises of `consumeQuota`. */
export function spendContract(open: () => Store): void {
  const site = (): string => `site-${randomUUID()}`;
  /** Spends at one site, in windows of a minute. */
  const till = (store = open(), school = site()) => {
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
    test('takes as many as there are, then says in how many seconds it starts again', async () => {
      const consumeQuota = till();
      expect([await consumeQuota(['a', 2]), await consumeQuota(['a', 2])]).toEqual([undefined, undefined]);
      inAMinute(await consumeQuota(['a', 2]));
    });

    test('counts by name and site', async () => {
      const store = open();
      const [here, there] = [till(store), till(store)];
      expect(await here(['a', 1])).toBeUndefined();
      expect(await here(['b', 1])).toBeUndefined();
      expect(await there(['a', 1])).toBeUndefined();
      inAMinute(await here(['a', 1]));
    });

    test.each([
      ['first', ['spent', 1], ['other', 3]],
      ['last', ['other', 3], ['spent', 1]],
    ] as const)('takes all or none: the one that is used up comes %s', async (_place, one, two) => {
      const consumeQuota = till();
      const both = (): Promise<number | null | undefined> => consumeQuota([...one], [...two]);
      expect(await both()).toBeUndefined();
      for (let i = 0; i < 5; i += 1) inAMinute(await both());
      expect([await consumeQuota(['other', 3]), await consumeQuota(['other', 3])]).toEqual([undefined, undefined]);
      inAMinute(await consumeQuota(['other', 3]));
    });

    test('says the longest when several are used up', async () => {
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

    test('of 50 calls at once 10 are let in, and what they share is counted 10 times', async () => {
      const consumeQuota = till();
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

    test.each([0, 0.5, -1, NaN])('limit: %d never lets in', async (limit) => {
      const consumeQuota = till();
      expect([await consumeQuota(['a', limit]), await consumeQuota(['b', 5], ['a', limit])]).toEqual([60, 60]);
      expect(await consumeQuota(['b', 1])).toBeUndefined();
    });

    test('a fraction lets in as many as there are whole ones', async () => {
      const consumeQuota = till();
      expect([await consumeQuota(['a', 2.9]), await consumeQuota(['a', 2.9])]).toEqual([undefined, undefined]);
      inAMinute(await consumeQuota(['a', 2.9]));
    });

    test.each([1e12, Number.MAX_SAFE_INTEGER, 1e21, Infinity])('limit: %d lets in', async (limit) => {
      const consumeQuota = till();
      expect([await consumeQuota(['a', limit]), await consumeQuota(['a', limit])]).toEqual([undefined, undefined]);
      inAMinute(await consumeQuota(['a', 2]));
    });

    test('a name that is there twice counts once, and must be within both', async () => {
      const consumeQuota = till();
      const twice = (): Promise<number | null | undefined> => consumeQuota(['a', 3], ['a', 2]);
      expect([await twice(), await twice()]).toEqual([undefined, undefined]);
      inAMinute(await twice());
      expect(await consumeQuota(['a', 3])).toBeUndefined();
      inAMinute(await consumeQuota(['a', 3]));
    });

    test('of nothing counts nothing', async () => {
      expect(await till()()).toBeUndefined();
    });

    test.each(['a:b', '}', '{x}', '%', 'ü', 'a\nb', '__proto__', ''])(
      'a name is any text, such as %j',
      async (name) => {
        const consumeQuota = till();
        expect(await consumeQuota([name, 1], [`${name} `, 1])).toBeUndefined();
        inAMinute(await consumeQuota([name, 1]));
        inAMinute(await consumeQuota([`${name} `, 1]));
      },
    );

    test('starts again when its window is over, whatever was refused in it', async () => {
      const [store, school] = [open(), site()];
      const consumeQuota = (): Promise<number | null | undefined> =>
        store.consumeQuota(school, [{ name: 'a', limit: 1 }], 1);
      expect(await consumeQuota()).toBeUndefined();
      await until('the window is over', async () => (await consumeQuota()) === undefined);
    });
  });
}
