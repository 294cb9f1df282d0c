import assert from 'node:assert/strict';
import type { NewRecord } from '../../contracts/record.ts';
import { type Bench, type Check, each, exists, has, same, until } from './case.ts';
import { found } from './devices.ts';
import { exchangeOf, grant, pair, refreshOf, token } from './entries.ts';

/** Waits until what lives for a second is gone. */
function untilGone(bench: Bench, { kind, id }: Pick<NewRecord, 'kind' | 'id'>): Promise<void> {
  return until(`${kind} ${id} with a ttl of 1 second is found`, async () => !(await exists(bench, kind, id)));
}

const kinds = ['Session', 'Interaction', 'Client', 'Document', 'DocumentReview'] as const;

/** What time ends. Each case waits for a second. */
const endCases: readonly Check[] = [
  {
    name: 'expiry: a record of any kind is found for its ttl and not after; without a ttl it does not expire',
    run: async (bench) => {
      const { store, school } = bench;
      for (const kind of kinds) {
        await store.save(school, { kind, id: 'endless', record: 'x' });
        await store.save(school, { kind, id: 'long', record: 'x', ttl: 60 });
        const entry = { kind, id: 'short', record: 'x', ttl: 1 };
        assert.equal(await store.save(school, entry), true);
        // Each save starts the ttl again.
        for (const [id, first, then] of [
          ['longer', 1, 60],
          ['shorter', 60, 1],
        ] as const) {
          await store.save(school, { ...entry, id, ttl: first });
          await store.save(school, { ...entry, id, ttl: then });
        }
        assert.equal(await exists(bench, kind, 'short'), true);
      }
      for (const kind of kinds) for (const id of ['short', 'shorter']) await untilGone(bench, { kind, id });
      for (const kind of kinds) {
        for (const id of ['endless', 'long', 'longer'])
          assert.ok(await exists(bench, kind, id), `${kind} ${id} is gone`);
        assert.equal(await store.save(school, { kind, id: 'short', record: 'y', replaces: 'x' }), false);
        assert.equal(await store.remove(school, kind, 'short'), false);
        assert.equal(await store.save(school, { kind, id: 'short', record: 'y', replaces: null, ttl: 60 }), true);
      }
    },
  },
  {
    name: 'expiry: a grant ends with all its codes and tokens, and what is made again has none of them',
    run: async (bench) => {
      const { store, school } = bench;
      await store.save(school, { ...grant('short'), ttl: 1 });
      await store.save(school, grant('long'));
      for (const id of ['short', 'long']) {
        await store.save(school, token('AuthorizationCode', `code ${id}`, id, id));
        await store.redeem(school, exchangeOf(id, id));
      }
      await untilGone(bench, { kind: 'Grant', id: 'short' });
      same(await found(bench, 'short', 'long'), ['a long', 'r long']);
      // Lists may be a second late.
      await until('the expired grant is listed for its member', async () => {
        const listed = await store.grantIds(school, { memberId: 'sam' });
        return listed.join() === 'long';
      });
      await until(
        'the expired grant is counted for its client',
        async () => (await store.countGrants(school, { clientId: 'app' })) === 1,
      );
      same(await store.redeem(school, refreshOf('short', 'next', 'short')), { won: false });
      assert.equal(await store.endFamily(school, 'short', 'short'), false);
      await store.save(school, grant('short'));
      same(await found(bench, 'short', 'next'), []);
      assert.equal(await store.revoke(school, { memberId: 'sam' }), 2);
    },
  },
  {
    name: 'expiry: a code or token ends alone; its family lives as long as its newest token',
    run: async (bench) => {
      const { store, school } = bench;
      await store.save(school, grant('g'));
      await store.save(school, { ...token('AuthorizationCode', 'code phone', 'g', 'phone'), ttl: 1 });
      await store.redeem(school, { ...exchangeOf('phone', 'g'), tokens: pair('phone', 60) });
      await store.save(school, { ...token('AuthorizationCode', 'code laptop', 'g', 'laptop'), ttl: 60 });
      await store.redeem(school, { ...exchangeOf('laptop', 'g'), tokens: pair('laptop', 1) });
      await untilGone(bench, { kind: 'RefreshToken', id: 'r laptop' });
      await untilGone(bench, { kind: 'AuthorizationCode', id: 'code phone' });
      same(await found(bench, 'phone', 'laptop'), ['a phone', 'r phone']);
      has(await store.find(school, 'AuthorizationCode', 'code laptop'), { consumed: 1, familyId: 'laptop' });
      same(await store.redeem(school, refreshOf('laptop', 'next', 'g')), { won: false });
      same(await store.redeem(school, refreshOf('phone', 'phone 2', 'g')), { won: true });
    },
  },
  {
    name: 'expiry: a replay is returned for its ttl and not after; the record stays redeemed',
    run: async ({ store, school }) => {
      await store.save(school, grant('g'));
      await store.save(school, token('RefreshToken', 'r', 'g'));
      const redemption = { kind: 'RefreshToken', id: 'r', grantId: 'g', now: 0, tokens: [] } as const;
      const replay = { sealed: 'response', ttl: 1 };
      same(await store.redeem(school, { ...redemption, replay }), { won: true });
      same(await store.redeem(school, redemption), { won: false, replay: 'response' });
      await until('a replay with a ttl of 1 second is returned', async () => {
        const outcome = await store.redeem(school, redemption);
        assert.equal(outcome.won, false);
        return (outcome.replay ?? undefined) === undefined;
      });
    },
  },
];

/** Which clock counts. */
const clockCases: readonly Check[] = [
  ...each(
    [0, 1, 4_000_000_000],
    (now) => `clocks: a redemption at ${now} seconds is kept as it is, and ends and prolongs nothing`,
    async (bench, now) => {
      const { store, school } = bench;
      await store.save(school, grant('g'));
      await store.save(school, token('AuthorizationCode', 'code phone', 'g', 'phone'));
      const replay = { sealed: 'response', ttl: 60 };
      same(await store.redeem(school, { ...exchangeOf('phone', 'g'), now, replay }), { won: true });
      has(await store.find(school, 'AuthorizationCode', 'code phone'), { consumed: now });
      same(await store.redeem(school, { ...exchangeOf('phone', 'g'), now }), { won: false, replay: 'response' });
      same(await found(bench, 'phone'), ['a phone', 'r phone']);
      const { refreshUntil } = (await store.find(school, 'Grant', 'g')) ?? {};
      const left = (refreshUntil ?? Date.now() / 1000 + 60) - Date.now() / 1000;
      assert.ok(left > 50 && left < 70, `refreshUntil is ${left} seconds from now, not 60`);
    },
  ),
];

/** Expiry and clocks. */
export const expiryCases: readonly Check[] = [...clockCases, ...endCases];
