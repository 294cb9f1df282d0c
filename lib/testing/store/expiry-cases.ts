import assert from 'node:assert/strict';
import type { RecordKind } from '../../records/record.ts';
import { type Bench, type Checks, each, has, same, until } from './case.ts';
import { code, exchangeOf, found, grant, pair, redeemedJustNow, refreshOf, token } from './families.ts';

/** Waits until what lives for a second is gone. */
function untilGone(bench: Bench, kind: RecordKind, id: string): Promise<void> {
  return until(`${kind} ${id} with a ttl of 1 second is found`, async () => !(await bench.exists(kind, id)));
}

/** Kinds whose records can end by themselves. */
const kinds = ['Session', 'Interaction', 'Client', 'Document'] as const;

/** What time ends, by which clock. Each case of `expiry` waits for a second. */
export const expiryCases: Checks = {
  ...each(
    [0, 1, 4_000_000_000],
    (now) =>
      `clocks: a redemption at ${now} seconds by the clock of the process is a moment ago by that of the store, and ends and prolongs nothing`,
    async (bench, now) => {
      await bench.save(grant('g'));
      await bench.save(code('phone'));
      const replay = { sealed: 'response', ttl: 60 };
      same(await bench.redeem({ ...exchangeOf('phone'), now, replay }), { won: true });
      redeemedJustNow(await bench.find('AuthorizationCode', 'code phone'), now);
      same(await bench.redeem({ ...exchangeOf('phone'), now }), { won: false, replay: 'response' });
      same(await found(bench, 'phone'), ['a phone', 'r phone']);
      const { devices } = (await bench.find('Grant', 'g')) ?? {};
      const refreshUntil = devices?.[0]?.refreshUntil;
      const left = (refreshUntil ?? Date.now() / 1000 + 60) - Date.now() / 1000;
      assert.ok(left > 50 && left < 70, `refreshUntil is ${left} seconds from now, not 60`);
    },
  ),
  async 'expiry: a record that belongs to no grant is found for its ttl and not after; without a ttl it does not expire'(
    bench,
  ) {
    for (const kind of kinds) {
      await bench.save({ kind, id: 'endless', record: 'x' });
      await bench.save({ kind, id: 'long', record: 'x', ttl: 60 });
      const entry = { kind, id: 'short', record: 'x', ttl: 1 };
      assert.equal(await bench.save(entry), true);
      // Each save starts the ttl again.
      for (const [id, first, then] of [
        ['longer', 1, 60],
        ['shorter', 60, 1],
      ] as const) {
        await bench.save({ ...entry, id, ttl: first });
        await bench.save({ ...entry, id, ttl: then });
      }
      assert.equal(await bench.exists(kind, 'long'), true);
    }
    for (const kind of kinds) for (const id of ['short', 'shorter']) await untilGone(bench, kind, id);
    for (const kind of kinds) {
      for (const id of ['endless', 'long', 'longer']) assert.ok(await bench.exists(kind, id), `${kind} ${id} is gone`);
      assert.equal(await bench.save({ kind, id: 'short', record: 'y', replaces: 'x' }), false);
      assert.equal(await bench.remove(kind, 'short'), false);
      assert.equal(await bench.save({ kind, id: 'short', record: 'y', replaces: null, ttl: 60 }), true);
    }
  },
  async 'expiry: a grant ends with all its codes and tokens, and what is made again has none of them'(bench) {
    await bench.save({ ...grant('short'), ttl: 1 });
    await bench.save(grant('long'));
    for (const id of ['short', 'long']) {
      await bench.save(code(id, id));
      await bench.redeem(exchangeOf(id, id));
    }
    await untilGone(bench, 'Grant', 'short');
    same(await found(bench, 'short', 'long'), ['a long', 'r long']);
    // Lists may be a second late.
    await until('the expired grant is listed for its member', async () => {
      const listed = await bench.grantIds({ memberId: 'sam' });
      return listed.join() === 'long';
    });
    await until(
      'the expired grant is counted for its client',
      async () => (await bench.countGrants([{ clientId: 'app' }]))[0] === 1,
    );
    same(await bench.redeem(refreshOf('short', 'next', 'short')), { won: false });
    assert.equal(await bench.endFamily('short', 'short'), false);
    await bench.save(grant('short'));
    same(await found(bench, 'short', 'next'), []);
    assert.equal(await bench.revoke({ memberId: 'sam' }), 2);
  },
  async 'expiry: a code or token ends alone; its family lives as long as its newest token'(bench) {
    await bench.save(grant('g'));
    // A machine may be too busy to redeem it within its second.
    await until('a code with a ttl of 1 second cannot be redeemed', async () => {
      await bench.save({ ...code('phone'), ttl: 1 });
      return (await bench.redeem({ ...exchangeOf('phone'), tokens: pair('phone') })).won;
    });
    await bench.save(code('laptop'));
    await bench.redeem({ ...exchangeOf('laptop'), tokens: pair('laptop', 1) });
    await untilGone(bench, 'RefreshToken', 'r laptop');
    await untilGone(bench, 'AuthorizationCode', 'code phone');
    same(await found(bench, 'phone', 'laptop'), ['a phone', 'r phone']);
    const used = await bench.find('AuthorizationCode', 'code laptop');
    has(used, { familyId: 'laptop' });
    redeemedJustNow(used, 1);
    same(await bench.redeem(refreshOf('laptop', 'next')), { won: false });
    same(await bench.redeem(refreshOf('phone', 'phone 2')), { won: true });
  },
  async 'expiry: a replay is returned for its ttl and not after; the record stays redeemed'(bench) {
    await bench.save(grant('g'));
    const redemption = { kind: 'RefreshToken', id: 'r', grantId: 'g', now: 0, tokens: [] } as const;
    for (const [id, ttl] of [
      ['r', 1],
      ['long', 60],
    ] as const) {
      await bench.save(token('RefreshToken', id, 'g'));
      same(await bench.redeem({ ...redemption, id, replay: { sealed: 'response', ttl } }), { won: true });
    }
    same(await bench.redeem({ ...redemption, id: 'long' }), { won: false, replay: 'response' });
    await until('a replay with a ttl of 1 second is returned', async () => {
      const outcome = await bench.redeem(redemption);
      assert.equal(outcome.won, false);
      return (outcome.replay ?? undefined) === undefined;
    });
  },
};
