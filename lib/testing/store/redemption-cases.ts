import assert from 'node:assert/strict';
import { type Check, each, exists, has, same } from './case.ts';
import { grant, refreshOf, token } from './entries.ts';
import { found, twoDevices } from './devices.ts';

const issued = [{ kind: 'AccessToken', id: 't', record: 'x', ttl: 60 }] as const;

/** The compare-and-set of codes and refresh tokens. */
export const redemptionCases: readonly Check[] = [
  ...each(
    ['AuthorizationCode', 'RefreshToken'] as const,
    (kind) => `redeem: exactly one of 50 concurrent calls for one ${kind} wins, and its tokens are written`,
    async (bench, kind) => {
      const { store, school } = bench;
      await store.save(school, grant('g'));
      await store.save(school, token(kind, 'a', 'g'));
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          store.redeem(school, {
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
      for (let i = 0; i < 50; i += 1) assert.equal(await exists(bench, 'AccessToken', `t${i}`), i === winner);
      has(await store.find(school, kind, 'a'), { consumed: 1000 });
    },
  ),
  {
    name: 'redeem: a call for a record that does not exist loses and writes nothing',
    run: async (bench) => {
      const { store, school } = bench;
      await store.save(school, grant('g'));
      await store.save(school, token('AuthorizationCode', 'code', 'g'));
      const redemption = { kind: 'RefreshToken', id: 'a', grantId: 'g', now: 1, tokens: issued } as const;
      same(await store.redeem(school, redemption), { won: false });
      assert.equal(await exists(bench, 'AccessToken', 't'), false);
    },
  },
  {
    name: 'redeem: without a replay, calls that lose get none',
    run: async ({ store, school }) => {
      await store.save(school, grant('g'));
      await store.save(school, token('AuthorizationCode', 'a', 'g'));
      const redemption = { kind: 'AuthorizationCode', id: 'a', grantId: 'g', now: 1, tokens: [] } as const;
      same(await store.redeem(school, redemption), { won: true });
      same(await store.redeem(school, redemption), { won: false });
    },
  },
  ...each(
    [
      { why: 'was revoked', end: 'revoke', grantId: 'g' },
      { why: 'is not the named one', end: 'nothing', grantId: 'other' },
      { why: 'has ended the family', end: 'family', grantId: 'g' },
    ] as const,
    ({ why }) => `redeem: a call for a record whose grant ${why} loses and writes nothing`,
    async (bench, { end, grantId }) => {
      const { store, school } = bench;
      await twoDevices(bench);
      await store.save(school, grant('other', 'sam', 'other'));
      // A family of the same name, in another grant.
      await store.save(school, token('AuthorizationCode', 'code other', 'other', 'phone'));
      if (end === 'revoke') await store.revoke(school, { clientId: 'app' });
      if (end === 'family') await store.endFamily(school, 'g', 'phone');
      same(await store.redeem(school, refreshOf('phone', 'phone 2', grantId)), { won: false });
      await store.save(school, grant('g'));
      same(await found(bench, 'phone 2'), []);
    },
  ),
  {
    name: 'redeem: a call that lost gets no replay once the family has ended',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      const redemption = { ...refreshOf('phone', 'phone 2', 'g'), replay: { sealed: 'response', ttl: 60 } };
      await store.redeem(school, redemption);
      same(await store.redeem(school, redemption), { won: false, replay: 'response' });
      await store.endFamily(school, 'g', 'phone');
      same(await store.redeem(school, redemption), { won: false });
    },
  },
  {
    name: 'redeem: while the family or the grant ends, no token survives, in either order',
    run: async ({ store, school: site }) => {
      for (let round = 0; round < 20; round += 1) {
        const bench = { store, school: `${site} ${round}` };
        const { school } = bench;
        await twoDevices(bench);
        const end = (): Promise<unknown> =>
          round % 2 === 0 ? store.endFamily(school, 'g', 'phone') : store.revoke(school, { memberId: 'sam' });
        const calls = Array.from({ length: 8 }, (_, i) => () => store.redeem(school, refreshOf('phone', `${i}`, 'g')));
        await Promise.all([...calls.slice(0, round % 8), end, ...calls.slice(round % 8)].map((call) => call()));
        same(await found(bench, 'phone', ...Array.from({ length: 8 }, (_, i) => `${i}`)), []);
        assert.equal((await found(bench, 'laptop')).length, round % 2 === 0 ? 2 : 0);
      }
    },
  },
];
