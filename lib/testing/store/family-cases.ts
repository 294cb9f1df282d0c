import assert from 'node:assert/strict';
import type { Store } from '../../contracts/store.ts';
import { maxFamilies } from '../../contracts/store.ts';
import { type Check, each, exists, has, newSite, same, textOf } from './case.ts';
import { found, signIn, twoDevices } from './devices.ts';
import { exchangeOf, grant, pair, refreshOf, token } from './entries.ts';

/** How a grant ends, with all its families. */
const ends: readonly { readonly name: string; readonly end: (store: Store, school: string) => Promise<unknown> }[] = [
  { name: 'was revoked', end: (store, school) => store.revoke(school, { memberId: 'sam' }) },
  { name: 'was removed', end: (store, school) => store.remove(school, 'Grant', 'g') },
  {
    name: 'ended with its last family',
    end: async (store, school) => {
      for (const device of ['phone', 'laptop']) await store.endFamily(school, 'g', device);
    },
  },
];

/** The families of codes and tokens, one for each device. */
export const familyCases: readonly Check[] = [
  {
    name: 'families: codes and tokens are found with their family, which the tokens of a redemption join',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      same(await store.redeem(school, refreshOf('phone', 'phone 2', 'g')), { won: true });
      has(await store.find(school, 'AuthorizationCode', 'code phone'), { familyId: 'phone', consumed: 1 });
      same(await store.find(school, 'AccessToken', 'a phone 2'), { record: 'access phone 2', familyId: 'phone' });
      has(await store.find(school, 'RefreshToken', 'r phone 2'), { familyId: 'phone' });
      has(await store.find(school, 'RefreshToken', 'r laptop'), { familyId: 'laptop' });
    },
  },
  {
    name: 'families: a code or token is found with its grant as it is now, if the store has that at hand',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      await store.save(school, { ...grant('g'), record: 'again', endsAccessTokens: true });
      await store.redeem(school, refreshOf('phone', 'phone 2', 'g'));
      for (const [kind, id] of [
        ['AuthorizationCode', 'code phone'],
        ['RefreshToken', 'r laptop'],
      ] as const) {
        const both = await store.find(school, kind, id, { withGrant: true });
        has(both, { familyId: id.split(' ')[1] });
        if (both?.grant) has(both.grant, { record: 'again', epoch: 1 });
      }
      assert.equal((await store.find(school, 'AccessToken', 'a laptop', { withGrant: true })) ?? undefined, undefined);
    },
  },
  {
    name: 'families: one ends alone, with its redeemed and its newest tokens; the others of its grant live',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      await store.redeem(school, refreshOf('phone', 'phone 2', 'g'));
      assert.equal(await store.endFamily(school, 'g', 'phone'), true);
      same(await found(bench, 'phone', 'phone 2', 'laptop'), ['a laptop', 'r laptop']);
      assert.equal(await exists(bench, 'AuthorizationCode', 'code phone'), false);
      same(await store.grantIds(school, { memberId: 'sam' }), ['g']);
      same(await store.redeem(school, refreshOf('laptop', 'laptop 2', 'g')), { won: true });
    },
  },
  {
    name: 'families: the last one ends with its grant',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      await store.endFamily(school, 'g', 'phone');
      assert.equal(await exists(bench, 'Grant', 'g'), true);
      assert.equal(await store.endFamily(school, 'g', 'laptop'), true);
      assert.equal(await exists(bench, 'Grant', 'g'), false);
      same(await store.grantIds(school, { memberId: 'sam' }), []);
      assert.equal(await store.countGrants(school, { clientId: 'app' }), 0);
      same(await found(bench, 'phone', 'laptop'), []);
    },
  },
  {
    name: 'families: one that is not live cannot be ended, and its grant stays',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      await store.endFamily(school, 'g', 'phone');
      for (const family of ['phone', 'unknown', '']) assert.equal(await store.endFamily(school, 'g', family), false);
      assert.equal(await store.endFamily(school, 'other', 'laptop'), false);
      assert.equal(await store.endFamily(newSite(), 'g', 'laptop'), false);
      same(await found(bench, 'laptop'), ['a laptop', 'r laptop']);
    },
  },
  {
    name: 'families: one whose name begins or ends like another one is another family',
    run: async (bench) => {
      const { store, school } = bench;
      const others = ['one', 'phon', 'pho=ne', 'ph,one'];
      await store.save(school, grant('g'));
      for (const device of ['phone', ...others]) await signIn(bench, device);
      for (const device of others) assert.equal(await store.endFamily(school, 'g', device), true);
      same(await found(bench, 'phone', ...others), ['a phone', 'r phone']);
    },
  },
  {
    name: 'families: without its grant a code or token is not written and not found',
    run: async (bench) => {
      const { store, school } = bench;
      assert.equal(await store.save(school, token('AuthorizationCode', 'code phone', 'g', 'phone')), false);
      assert.equal(await store.save(school, grant('g')), true);
      assert.equal(await exists(bench, 'AuthorizationCode', 'code phone'), false);
      same(await store.redeem(school, exchangeOf('phone', 'g')), { won: false });
      same(await found(bench, 'phone'), []);
      assert.equal(await store.save(school, token('AuthorizationCode', 'code phone', 'g', 'phone')), true);
    },
  },
  {
    name: 'families: a grant that is saved again keeps them',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      await store.save(school, { ...grant('g'), record: 'again' });
      assert.equal(await textOf(bench, 'Grant', 'g'), 'again');
      assert.equal((await found(bench, 'phone', 'laptop')).length, 4);
      same(await store.redeem(school, refreshOf('phone', 'phone 2', 'g')), { won: true });
    },
  },
  ...each(
    ends,
    ({ name }) => `families: a grant that ${name} and is made again has none of its old tokens`,
    async (bench, { end }) => {
      const { store, school } = bench;
      await twoDevices(bench);
      await end(store, school);
      await store.save(school, grant('g'));
      same(await found(bench, 'phone', 'laptop'), []);
      same(await store.redeem(school, refreshOf('phone', 'phone 2', 'g')), { won: false });
      await signIn(bench, 'new phone');
      for (const device of ['phone', 'laptop']) assert.equal(await store.endFamily(school, 'g', device), false);
      same(await found(bench, 'phone', 'laptop', 'new phone'), ['a new phone', 'r new phone']);
    },
  ),
  {
    name: `families: a grant has ${maxFamilies} live ones; one more ends the one that would expire first`,
    run: async (bench) => {
      const { store, school } = bench;
      await store.save(school, { ...grant('g'), ttl: 5000 });
      const names = Array.from({ length: maxFamilies }, (_, i) => `code ${i}`);
      const save = (id: string, ttl: number): Promise<boolean> =>
        store.save(school, { ...token('AuthorizationCode', id, 'g', id), ttl });
      for (const [i, name] of names.entries()) await save(name, i === 41 ? 100 : 1000 + i);
      await save('code 1', 3000);
      const ended = async (): Promise<string[]> => {
        const codes = [...names, 'more', 'even more'];
        const all = await Promise.all(codes.map((id) => exists(bench, 'AuthorizationCode', id)));
        return codes.filter((_, i) => !all[i]);
      };
      same(await ended(), ['more', 'even more']);
      // The newcomer itself would be the first to expire.
      await save('more', 50);
      same(await ended(), ['code 41', 'even more']);
      await save('even more', 4000);
      same(await ended(), ['code 41', 'more']);
      await save('code 41', 4000);
      same(await ended(), ['code 0', 'more']);
    },
  },
  {
    name: 'families: find returns with a grant when the newest refresh token of the live ones expires',
    run: async (bench) => {
      const { store, school } = bench;
      await store.save(school, { ...grant('g'), ttl: 500 });
      const seconds = Math.floor(Date.now() / 1000);
      const last = async (): Promise<number | undefined> => {
        const { refreshUntil } = (await store.find(school, 'Grant', 'g')) ?? {};
        return typeof refreshUntil === 'number' ? Math.round((refreshUntil - seconds) / 10) * 10 : undefined;
      };
      for (const device of ['phone', 'laptop'])
        await store.save(school, { ...token('AuthorizationCode', `code ${device}`, 'g', device), ttl: 400 });
      assert.equal(await last(), undefined);
      await store.redeem(school, { ...exchangeOf('phone', 'g'), tokens: pair('phone', 100) });
      assert.equal(await last(), 100);
      await store.redeem(school, { ...exchangeOf('laptop', 'g'), tokens: pair('laptop', 200) });
      await store.redeem(school, { ...refreshOf('phone', 'phone 2', 'g'), tokens: pair('phone 2', 300) });
      assert.equal(await last(), 300);
      await store.redeem(school, { ...refreshOf('phone 2', 'phone 3', 'g'), tokens: pair('phone 3', 900) });
      assert.equal(await last(), 500);
      await store.endFamily(school, 'g', 'phone');
      assert.equal(await last(), 200);
    },
  },
];
