import assert from 'node:assert/strict';
import { maxFamilies } from '../../records/store.ts';
import { type Bench, type Checks, each, has, same } from './case.ts';
import {
  code,
  exchangeOf,
  found,
  grant,
  pair,
  redeemedJustNow,
  refreshOf,
  signIn,
  token,
  twoFamilies,
} from './families.ts';

/** How a grant ends, with all its families. */
const ends: Readonly<Record<string, (bench: Bench) => Promise<unknown>>> = {
  'was revoked': (bench) => bench.revoke({ memberId: 'sam' }),
  'was removed': (bench) => bench.remove('Grant', 'g'),
  async 'ended with its last family'(bench) {
    for (const familyId of ['phone', 'laptop']) await bench.endFamily('g', familyId);
  },
};

/** What other records come with. */
const withOthers = [
  ['Session', 's'],
  ['Grant', 'g'],
  ['AuthorizationCode', 'code phone'],
  ['RefreshToken', 'r phone'],
  ['AccessToken', 'a phone'],
] as const;

const recordsWithOthers = {
  Session: 'session s',
  Grant: 'grant g',
  AuthorizationCode: 'AuthorizationCode code phone',
  RefreshToken: 'refresh phone',
  AccessToken: 'access phone',
} as const;

/** The families of codes and tokens, one for each device. */
export const familyCases: Checks = {
  async 'families: codes and tokens are found with their family, which the tokens of a redemption join'(bench) {
    await twoFamilies(bench);
    same(await bench.redeem(refreshOf('phone', 'phone 2')), { won: true });
    const used = await bench.find('AuthorizationCode', 'code phone');
    has(used, { familyId: 'phone' });
    redeemedJustNow(used, 1);
    same(await bench.find('AccessToken', 'a phone 2'), { record: 'access phone 2', familyId: 'phone' });
    has(await bench.find('RefreshToken', 'r phone 2'), { familyId: 'phone' });
    has(await bench.find('RefreshToken', 'r laptop'), { familyId: 'laptop' });
  },
  async 'families: a code or token is found with its grant as it is now, if the store has that at hand'(bench) {
    await twoFamilies(bench);
    await bench.save({ ...grant('g'), record: 'again', endsAccessTokens: true });
    await bench.redeem(refreshOf('phone', 'phone 2'));
    for (const [kind, id] of [
      ['AuthorizationCode', 'code phone'],
      ['RefreshToken', 'r laptop'],
    ] as const) {
      const both = await bench.find(kind, id, { withGrant: true });
      has(both, { familyId: id.split(' ')[1] });
      if (both?.grant) has(both.grant, { record: 'again', epoch: 1 });
    }
    assert.equal((await bench.find('AccessToken', 'a laptop', { withGrant: true })) ?? undefined, undefined);
  },
  async 'find: other records come with one, as they are then, if the store has them at hand'(bench) {
    await twoFamilies(bench);
    await bench.save({ ...grant('h'), record: 'with \n "lines" and \u5b78', endsAccessTokens: true });
    await bench.save({ kind: 'Session', id: 's', record: 'session s', ttl: 60 });
    await bench.save({ kind: 'AppRule', id: 'rule', record: 'rule', listed: true });
    await bench.elsewhere().save({ kind: 'AppRule', id: 'elsewhere', record: 'elsewhere', listed: true });
    const also = [
      { kind: 'AppRule', id: 'rule' },
      { kind: 'Grant', id: 'h' },
      { kind: 'AppRule', id: 'elsewhere' },
      { kind: 'Session', id: 'nothing' },
    ] as const;
    for (const [kind, id] of withOthers) {
      const one = await bench.find(kind, id, { also, withGrant: kind !== 'Session' });
      has(one, { record: recordsWithOthers[kind] });
      if (!one?.also) continue;
      const [rule, other, ...missing] = one.also;
      has(rule, { record: 'rule' });
      has(other, { record: 'with \n "lines" and \u5b78', epoch: 1 });
      same(
        missing.map((none) => none ?? undefined),
        [undefined, undefined],
      );
    }
    assert.equal((await bench.find('Session', 'nothing', { also })) ?? undefined, undefined);
    await bench.save({ kind: 'AppRule', id: 'rule', record: 'rule 2', listed: true });
    const later = await bench.find('RefreshToken', 'r phone', { also });
    if (later?.also) has(later.also[0], { record: 'rule 2' });
  },
  async 'families: one ends alone, with its redeemed and its newest tokens; the others of its grant live'(bench) {
    await twoFamilies(bench);
    await bench.redeem(refreshOf('phone', 'phone 2'));
    assert.equal(await bench.endFamily('g', 'phone'), true);
    same(await found(bench, 'phone', 'phone 2', 'laptop'), ['a laptop', 'r laptop']);
    assert.equal(await bench.exists('AuthorizationCode', 'code phone'), false);
    same(await bench.grantIds({ memberId: 'sam' }), ['g']);
    same(await bench.redeem(refreshOf('laptop', 'laptop 2')), { won: true });
  },
  async 'families: the last one ends with its grant'(bench) {
    await twoFamilies(bench);
    await bench.endFamily('g', 'phone');
    assert.equal(await bench.exists('Grant', 'g'), true);
    assert.equal(await bench.endFamily('g', 'laptop'), true);
    assert.equal(await bench.exists('Grant', 'g'), false);
    same(await bench.grantIds({ memberId: 'sam' }), []);
    assert.deepEqual(await bench.countGrants([{ clientId: 'app' }]), [0]);
    same(await found(bench, 'phone', 'laptop'), []);
  },
  async 'families: one that is not live cannot be ended, and its grant stays'(bench) {
    await twoFamilies(bench);
    await bench.endFamily('g', 'phone');
    for (const family of ['phone', 'unknown', '']) assert.equal(await bench.endFamily('g', family), false);
    assert.equal(await bench.endFamily('other', 'laptop'), false);
    assert.equal(await bench.elsewhere().endFamily('g', 'laptop'), false);
    same(await found(bench, 'laptop'), ['a laptop', 'r laptop']);
  },
  async 'families: one whose name begins or ends like another one is another family'(bench) {
    const others = ['one', 'phon', 'pho=ne', 'ph,one'];
    await bench.save(grant('g'));
    for (const familyId of ['phone', ...others]) await signIn(bench, familyId);
    for (const familyId of others) assert.equal(await bench.endFamily('g', familyId), true);
    same(await found(bench, 'phone', ...others), ['a phone', 'r phone']);
  },
  async 'families: without its grant a code or token is not written and not found'(bench) {
    assert.equal(await bench.save(code('phone')), false);
    assert.equal(await bench.save(grant('g')), true);
    assert.equal(await bench.exists('AuthorizationCode', 'code phone'), false);
    same(await bench.redeem(exchangeOf('phone')), { won: false });
    same(await found(bench, 'phone'), []);
    assert.equal(await bench.save(code('phone')), true);
  },
  async 'families: a grant that is saved again keeps them'(bench) {
    await twoFamilies(bench);
    await bench.save({ ...grant('g'), record: 'again' });
    assert.equal(await bench.textOf('Grant', 'g'), 'again');
    assert.equal((await found(bench, 'phone', 'laptop')).length, 4);
    same(await bench.redeem(refreshOf('phone', 'phone 2')), { won: true });
  },
  ...each(
    Object.entries(ends),
    ([name]) => `families: a grant that ${name} and is made again has none of its old tokens`,
    async (bench, [, end]) => {
      await twoFamilies(bench);
      await end(bench);
      await bench.save(grant('g'));
      same(await found(bench, 'phone', 'laptop'), []);
      same(await bench.redeem(refreshOf('phone', 'phone 2')), { won: false });
      await signIn(bench, 'new phone');
      for (const familyId of ['phone', 'laptop']) assert.equal(await bench.endFamily('g', familyId), false);
      same(await found(bench, 'phone', 'laptop', 'new phone'), ['a new phone', 'r new phone']);
    },
  ),
  async [`families: a grant has ${maxFamilies} live ones; one more ends the one that would expire first`](bench) {
    await bench.save({ ...grant('g'), ttl: 5000 });
    const names = Array.from({ length: maxFamilies }, (_, i) => `code ${i}`);
    const save = (id: string, ttl: number): Promise<boolean> =>
      bench.save({ ...token('AuthorizationCode', id, 'g', id), ttl });
    for (const [i, name] of names.entries()) await save(name, i === 41 ? 100 : 1000 + i);
    await save('code 1', 3000);
    const ended = async (): Promise<string[]> => {
      const codes = [...names, 'more', 'even more'];
      const all = await Promise.all(codes.map((id) => bench.exists('AuthorizationCode', id)));
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
  async 'families: find returns with a grant when the newest refresh token of each expires'(bench) {
    await bench.save({ ...grant('g'), ttl: 500 });
    const seconds = Math.floor(Date.now() / 1000);
    const left = async (): Promise<readonly unknown[] | undefined> => {
      const { devices } = (await bench.find('Grant', 'g')) ?? {};
      const all = devices?.map(({ familyId, refreshUntil }) => [familyId, Number(refreshUntil) - seconds] as const);
      return all?.map(([id, more]) => `${id} ${Math.round(more / 10) * 10}`).sort();
    };
    for (const familyId of ['phone', 'laptop']) await bench.save({ ...code(familyId), ttl: 400 });
    same(await left(), []);
    await bench.redeem({ ...exchangeOf('phone'), tokens: pair('phone', 100) });
    same(await left(), ['phone 100']);
    await bench.redeem({ ...exchangeOf('laptop'), tokens: pair('laptop', 200) });
    await bench.redeem({ ...refreshOf('phone', 'phone 2'), tokens: pair('phone 2', 300) });
    same(await left(), ['laptop 200', 'phone 300']);
    await bench.redeem({ ...refreshOf('phone 2', 'phone 3'), tokens: pair('phone 3', 900) });
    same(await left(), ['laptop 200', 'phone 500']);
    await bench.endFamily('g', 'phone');
    same(await left(), ['laptop 200']);
  },
};
