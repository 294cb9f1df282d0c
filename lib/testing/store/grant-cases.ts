import assert from 'node:assert/strict';
import type { GrantFilter } from '../../contracts/store.ts';
import { type Bench, type Check, each, exists, newSite, same } from './case.ts';
import { found, signIn } from './devices.ts';
import { grant, refreshOf, token } from './entries.ts';

const ids = ['1', '2', '3'];

/** Grants 1 and 2 of sam, to the app and to another client, and 3 of olivia, to the app. */
async function fill(bench: Bench): Promise<void> {
  const { store, school } = bench;
  for (const [id, member, client] of [
    ['1', 'sam', 'app'],
    ['2', 'sam', 'other'],
    ['3', 'olivia', 'app'],
  ] as const) {
    await store.save(school, grant(id, member, client));
    await signIn(bench, id, id);
  }
  await store.save(school, { kind: 'Client', id: 'app', record: 'x' });
}

/** The grants that are left, each with its code and tokens. */
async function left(bench: Bench): Promise<string[]> {
  const all = ids.map(async (id) => {
    const live = await exists(bench, 'Grant', id);
    assert.equal((await found(bench, id)).length, live ? 2 : 0);
    assert.equal(await exists(bench, 'AuthorizationCode', `code ${id}`), live);
    return live ? id : [];
  });
  return (await Promise.all(all)).flat();
}

interface Revocation {
  readonly what: string;
  readonly filter: GrantFilter;
  readonly expected: readonly string[];
}

const revocations: readonly Revocation[] = [
  { what: 'one grant of a member', filter: { memberId: 'sam', grantId: '1' }, expected: ['2', '3'] },
  { what: 'the grants of a member', filter: { memberId: 'sam' }, expected: ['3'] },
  { what: 'the grants to a client', filter: { clientId: 'app' }, expected: ['2'] },
  { what: 'no grant of another member', filter: { memberId: 'olivia', grantId: '1' }, expected: ids },
  { what: 'no grant of an unknown member', filter: { memberId: 'nobody' }, expected: ids },
  { what: 'no grant with an unknown id', filter: { memberId: 'sam', grantId: 'x' }, expected: ids },
  { what: 'no grant to an unknown client', filter: { clientId: 'nobody' }, expected: ids },
];

/** Grants by member and by client. */
export const grantCases: readonly Check[] = [
  {
    name: 'grants: grantIds lists those of a member, countGrants counts those to a client',
    run: async (bench) => {
      const { store, school } = bench;
      await fill(bench);
      await store.save(school, grant('1'));
      same((await store.grantIds(school, { memberId: 'sam' })).sort(), ['1', '2']);
      same(await store.grantIds(school, { memberId: 'nobody' }), []);
      same(await store.grantIds(newSite(), { memberId: 'sam' }), []);
      assert.equal(await store.countGrants(school, { clientId: 'app' }), 2);
      assert.equal(await store.countGrants(school, { clientId: 'nobody' }), 0);
      assert.equal(await store.countGrants(newSite(), { clientId: 'app' }), 0);
    },
  },
  {
    name: 'grants: grantIds lists first those that live longest',
    run: async ({ store, school }) => {
      const lifetimes = { short: 100, long: 900, longer: 5000, saved: 10 };
      for (const [id, ttl] of Object.entries(lifetimes)) await store.save(school, { ...grant(id), ttl });
      await store.save(school, { ...grant('saved'), ttl: 2000 });
      same(await store.grantIds(school, { memberId: 'sam' }), ['longer', 'saved', 'long', 'short']);
    },
  },
  {
    name: 'grants: find returns with one how many of its live families have a refresh token',
    run: async (bench) => {
      const { store, school } = bench;
      const devices = async (): Promise<unknown> => (await store.find(school, 'Grant', 'g'))?.devices;
      await store.save(school, grant('g'));
      assert.equal(await devices(), 0);
      await signIn(bench, 'phone');
      await signIn(bench, 'laptop');
      assert.equal(await devices(), 2);
      await store.redeem(school, refreshOf('phone', 'phone 2', 'g'));
      await store.save(school, token('AuthorizationCode', 'code tablet', 'g', 'tablet'));
      assert.equal(await devices(), 2);
      await store.endFamily(school, 'g', 'laptop');
      assert.equal(await devices(), 1);
    },
  },
  ...each(
    revocations,
    ({ what }) => `revoke: removes ${what}, with its codes and tokens`,
    async (bench, { filter, expected }) => {
      const { store, school } = bench;
      const elsewhere = { store, school: newSite() };
      await fill(bench);
      await fill(elsewhere);
      assert.equal(await store.revoke(school, filter), ids.length - expected.length);
      same(await left(bench), expected);
      same(await left(elsewhere), ids);
      assert.equal(await exists(bench, 'Client', 'app'), true);
      const [sams, apps] = [expected.filter((id) => id !== '3'), expected.filter((id) => id !== '2')];
      assert.equal((await store.grantIds(school, { memberId: 'sam' })).length, sams.length);
      assert.equal(await store.countGrants(school, { clientId: 'app' }), apps.length);
      assert.equal(await store.revoke(school, filter), 0);
    },
  ),
  {
    name: 'revoke: removes very many grants to one client',
    run: async (bench) => {
      const { store, school } = bench;
      const many = Array.from({ length: 230 }, (_, i) => `${i}`);
      await Promise.all(many.map((id) => store.save(school, grant(id, `member ${id}`))));
      await store.save(school, grant('other', 'sam', 'other'));
      await signIn(bench, 'phone', '229');
      assert.equal(await store.countGrants(school, { clientId: 'app' }), 230);
      assert.equal(await store.revoke(school, { clientId: 'app' }), 230);
      assert.equal(await store.countGrants(school, { clientId: 'app' }), 0);
      same(await found(bench, 'phone'), []);
      same(await store.grantIds(school, { memberId: 'member 7' }), []);
      same(await store.grantIds(school, { memberId: 'sam' }), ['other']);
    },
  },
];
