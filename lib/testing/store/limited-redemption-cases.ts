import assert from 'node:assert/strict';
import type { Redemption } from '../../contracts/store.ts';
import { type Check, has, same } from './case.ts';
import { accessTokens, twoDevices } from './devices.ts';
import { refreshOf } from './entries.ts';

const quota = { name: 'refreshes', limit: 2, window: 60 };

function refresh(from: string, to: string, more: Partial<Redemption> = {}): Redemption {
  return { ...refreshOf(from, to, 'g'), quota, ...more };
}

/** Redemptions with a quota. */
export const limitedRedemptionCases: readonly Check[] = [
  {
    name: 'redeem with a quota: above its limit redeems nothing; below another limit the same token still works',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      same(await store.redeem(school, refresh('phone', '1')), { won: true });
      same(await store.redeem(school, refresh('1', '2')), { won: true });
      const refused = await store.redeem(school, refresh('2', '3'));
      has(refused, { won: false });
      const retryAfter = refused.won ? undefined : refused.retryAfter;
      assert.ok(retryAfter === 59 || retryAfter === 60, `59 or 60 seconds, not ${retryAfter}`);
      same(await accessTokens(bench, '3'), []);
      assert.equal((await store.find(school, 'RefreshToken', 'r 2'))?.consumed ?? undefined, undefined);
      const others = [refresh('laptop', 'l', { quota: { ...quota, name: 'other' } }), refreshOf('2', '3', 'g')];
      for (const other of others) same(await store.redeem(school, other), { won: true });
    },
  },
  {
    name: 'redeem with a quota: counts winners only',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      const replay = { sealed: 'response', ttl: 60 };
      const all = await Promise.all(
        Array.from({ length: 20 }, () => store.redeem(school, refresh('phone', '1', { replay }))),
      );
      assert.equal(all.filter(({ won }) => won).length, 1);
      for (const outcome of all) if (!outcome.won) same(outcome, { won: false, replay: 'response' });
      await store.redeem(school, refresh('unknown', 'x'));
      same(await store.redeem(school, refresh('1', '2')), { won: true });
    },
  },
  {
    name: 'redeem with a quota: the limit 0 never wins, and waits for the whole window',
    run: async (bench) => {
      await twoDevices(bench);
      const never = refresh('phone', '1', { quota: { name: 'n', limit: 0, window: 30 } });
      same(await bench.store.redeem(bench.school, never), { won: false, retryAfter: 30 });
    },
  },
  {
    name: 'redeem with a quota: shares its counter with consumeQuota',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      await store.redeem(school, refresh('phone', '1'));
      assert.equal((await store.consumeQuota(school, [quota], 60)) ?? undefined, undefined);
      assert.ok(Number(await store.consumeQuota(school, [quota], 60)) > 0);
      has(await store.redeem(school, refresh('1', '2')), { won: false });
    },
  },
];
