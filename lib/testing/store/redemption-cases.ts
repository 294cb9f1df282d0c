import assert from 'node:assert/strict';
import type { Redemption } from '../../records/store.ts';
import { Bench, type Checks, each, has, same } from './case.ts';
import { accessTokens, found, grant, redeemedJustNow, refreshOf, token, twoFamilies } from './families.ts';

const quota = { name: 'refreshes', limit: 2, window: 60 };

function limited(from: string, to: string, more: Partial<Redemption> = {}): Redemption {
  return { ...refreshOf(from, to), quota, ...more };
}

export const redemptionCases: Checks = {
  ...each(
    ['AuthorizationCode', 'RefreshToken'] as const,
    (kind) => `redeem: exactly one of 50 concurrent calls for one ${kind} wins, and its tokens are written`,
    async (bench, kind) => {
      await bench.save(grant('g'));
      await bench.save(token(kind, 'a', 'g'));
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          bench.redeem({
            kind,
            id: 'a',
            grantId: 'g',
            now: 1000,
            tokens: [{ kind: 'AccessToken', id: `t${i}`, record: 'x', ttl: 60 }],
            replay: { sealed: `response ${i}`, ttl: 60 },
          }),
        ),
      );
      const winner = outcomes.findIndex(({ won }) => won);
      assert.equal(outcomes.filter(({ won }) => won).length, 1);
      for (const outcome of outcomes) if (!outcome.won) same(outcome, { won: false, replay: `response ${winner}` });
      for (let i = 0; i < 50; i += 1) assert.equal(await bench.exists('AccessToken', `t${i}`), i === winner);
      redeemedJustNow(await bench.find(kind, 'a'), 1000);
    },
  ),
  async 'redeem: a call for a record that does not exist loses and writes nothing'(bench) {
    await bench.save(grant('g'));
    await bench.save(token('AuthorizationCode', 'code', 'g'));
    same(await bench.redeem(refreshOf('a', 'next')), { won: false });
    same(await found(bench, 'next'), []);
  },
  async 'redeem: without a replay, calls that lose get none'(bench) {
    await bench.save(grant('g'));
    await bench.save(token('AuthorizationCode', 'a', 'g'));
    const redemption = { kind: 'AuthorizationCode', id: 'a', grantId: 'g', now: 1, tokens: [] } as const;
    same(await bench.redeem(redemption), { won: true });
    same(await bench.redeem(redemption), { won: false });
  },
  ...each(
    [
      { why: 'was revoked', end: 'revoke', grantId: 'g' },
      { why: 'is not the named one', end: 'nothing', grantId: 'other' },
      { why: 'has ended the family', end: 'family', grantId: 'g' },
    ] as const,
    ({ why }) => `redeem: a call for a record whose grant ${why} loses and writes nothing`,
    async (bench, { end, grantId }) => {
      await twoFamilies(bench);
      await bench.save(grant('other', 'sam', 'other'));
      // A family of the same name, in another grant.
      await bench.save(token('AuthorizationCode', 'code other', 'other', 'phone'));
      if (end === 'revoke') await bench.revoke({ clientId: 'app' });
      if (end === 'family') await bench.endFamily('g', 'phone');
      same(await bench.redeem(refreshOf('phone', 'phone 2', grantId)), { won: false });
      await bench.save(grant('g'));
      same(await found(bench, 'phone 2'), []);
    },
  ),
  async 'redeem: a call that lost gets no replay once the family has ended'(bench) {
    await twoFamilies(bench);
    const redemption = { ...refreshOf('phone', 'phone 2'), replay: { sealed: 'response', ttl: 60 } };
    await bench.redeem(redemption);
    same(await bench.redeem(redemption), { won: false, replay: 'response' });
    await bench.endFamily('g', 'phone');
    same(await bench.redeem(redemption), { won: false });
  },
  async 'redeem: while the family or the grant ends, no token survives, in either order'({ store, siteId }) {
    for (let round = 0; round < 20; round += 1) {
      const bench = new Bench(store, `${siteId} ${round}`);
      await twoFamilies(bench);
      const end = (): Promise<unknown> =>
        round % 2 === 0 ? bench.endFamily('g', 'phone') : bench.revoke({ memberId: 'sam' });
      const calls = Array.from({ length: 8 }, (_, i) => () => bench.redeem(refreshOf('phone', `${i}`)));
      await Promise.all([...calls.slice(0, round % 8), end, ...calls.slice(round % 8)].map((call) => call()));
      same(await found(bench, 'phone', ...Array.from({ length: 8 }, (_, i) => `${i}`)), []);
      assert.equal((await found(bench, 'laptop')).length, round % 2 === 0 ? 2 : 0);
    }
  },
  async 'redeem with a quota: above its limit redeems nothing; below another limit the same token still works'(bench) {
    await twoFamilies(bench);
    same(await bench.redeem(limited('phone', '1')), { won: true });
    same(await bench.redeem(limited('1', '2')), { won: true });
    const refused = await bench.redeem(limited('2', '3'));
    has(refused, { won: false });
    const retryAfter = refused.won ? undefined : refused.retryAfter;
    assert.ok(retryAfter === 59 || retryAfter === 60, `59 or 60 seconds, not ${retryAfter}`);
    same(await accessTokens(bench, '3'), []);
    assert.equal((await bench.find('RefreshToken', 'r 2'))?.consumed ?? undefined, undefined);
    const others = [limited('laptop', 'l', { quota: { ...quota, name: 'other' } }), refreshOf('2', '3')];
    for (const other of others) same(await bench.redeem(other), { won: true });
  },
  async 'redeem with a quota: counts winners only'(bench) {
    await twoFamilies(bench);
    const replay = { sealed: 'response', ttl: 60 };
    const all = await Promise.all(Array.from({ length: 20 }, () => bench.redeem(limited('phone', '1', { replay }))));
    assert.equal(all.filter(({ won }) => won).length, 1);
    for (const outcome of all) if (!outcome.won) same(outcome, { won: false, replay: 'response' });
    await bench.redeem(limited('unknown', 'x'));
    same(await bench.redeem(limited('1', '2')), { won: true });
  },
  async 'redeem with a quota: the limit 0 never wins, and waits for the whole window'(bench) {
    await twoFamilies(bench);
    const never = limited('phone', '1', { quota: { name: 'n', limit: 0, window: 30 } });
    same(await bench.redeem(never), { won: false, retryAfter: 30 });
  },
  async 'redeem with a quota: shares its counter with consumeQuota'(bench) {
    await twoFamilies(bench);
    await bench.redeem(limited('phone', '1'));
    assert.equal((await bench.consumeQuota([quota], 60)) ?? undefined, undefined);
    assert.ok(Number(await bench.consumeQuota([quota], 60)) > 0);
    has(await bench.redeem(limited('1', '2')), { won: false });
  },
};
