import assert from 'node:assert/strict';
import type { GrantFilter } from '../../records/store.ts';
import { type Bench, type Checks, each, same } from './case.ts';
import { code, found, grant, refreshOf, signIn } from './families.ts';

const ids = ['1', '2', '3'];

/** Grants 1 and 2 of sam, to the app and to another client, and 3 of olivia, to the app. */
async function fill(bench: Bench): Promise<void> {
  for (const [id, member, client] of [
    ['1', 'sam', 'app'],
    ['2', 'sam', 'other'],
    ['3', 'olivia', 'app'],
  ] as const) {
    await bench.save(grant(id, member, client));
    await signIn(bench, id, id);
  }
  await bench.save({ kind: 'Client', id: 'app', record: 'x' });
}

/** The grants that are left, each with its code and tokens. */
async function left(bench: Bench): Promise<string[]> {
  const all = ids.map(async (id) => {
    const live = await bench.exists('Grant', id);
    assert.equal((await found(bench, id)).length, live ? 2 : 0);
    assert.equal(await bench.exists('AuthorizationCode', `code ${id}`), live);
    return live ? id : [];
  });
  return (await Promise.all(all)).flat();
}

const revocations: readonly { what: string; filter: GrantFilter; expected: readonly string[] }[] = [
  { what: 'one grant of a member', filter: { memberId: 'sam', grantId: '1' }, expected: ['2', '3'] },
  { what: 'the grants of a member', filter: { memberId: 'sam' }, expected: ['3'] },
  { what: 'the grants to a client', filter: { clientId: 'app' }, expected: ['2'] },
  { what: 'no grant of another member', filter: { memberId: 'olivia', grantId: '1' }, expected: ids },
  { what: 'no grant of an unknown member', filter: { memberId: 'nobody' }, expected: ids },
  { what: 'no grant with an unknown id', filter: { memberId: 'sam', grantId: 'x' }, expected: ids },
  { what: 'no grant to an unknown client', filter: { clientId: 'nobody' }, expected: ids },
];

export const grantCases: Checks = {
  async 'grants: grantIds lists those of a member, countGrants counts those to a client'(bench) {
    await fill(bench);
    await bench.save(grant('1'));
    same((await bench.grantIds({ memberId: 'sam' })).sort(), ['1', '2']);
    same(await bench.grantIds({ memberId: 'nobody' }), []);
    same(await bench.elsewhere().grantIds({ memberId: 'sam' }), []);
    const clientIds = ['nobody', 'app', ...Array.from({ length: 300 }, (_, i) => `'"${i}`), 'app'];
    const clients = clientIds.map((clientId) => ({ clientId }));
    assert.deepEqual(await bench.countGrants(clients), [0, 2, ...Array<number>(300).fill(0), 2]);
    assert.deepEqual(await bench.countGrants([]), []);
    assert.deepEqual(await bench.elsewhere().countGrants([{ clientId: 'app' }]), [0]);
  },
  async 'grants: grantIds lists first those that live longest'(bench) {
    const lifetimes = { short: 100, long: 900, longer: 5000, saved: 10 };
    for (const [id, ttl] of Object.entries(lifetimes)) await bench.save({ ...grant(id), ttl });
    await bench.save({ ...grant('saved'), ttl: 2000 });
    same(await bench.grantIds({ memberId: 'sam' }), ['longer', 'saved', 'long', 'short']);
  },
  async 'grants: find returns with one which of its live families have a refresh token'(bench) {
    const devices = async (): Promise<unknown> =>
      (await bench.find('Grant', 'g'))?.devices?.map(({ familyId }) => familyId).sort();
    await bench.save(grant('g'));
    same(await devices(), []);
    for (const familyId of ['phone', 'lap,top=']) await signIn(bench, familyId);
    same(await devices(), ['lap,top=', 'phone']);
    await bench.redeem(refreshOf('phone', 'phone 2'));
    await bench.save(code('tablet'));
    same(await devices(), ['lap,top=', 'phone']);
    await bench.endFamily('g', 'lap,top=');
    same(await devices(), ['phone']);
  },
  ...each(
    revocations,
    ({ what }) => `revoke: removes ${what}, with its codes and tokens`,
    async (bench, { filter, expected }) => {
      const elsewhere = bench.elsewhere();
      await fill(bench);
      await fill(elsewhere);
      const members: string[] = [];
      assert.equal(await bench.revoke(filter, (memberId) => void members.push(memberId)), ids.length - expected.length);
      const removed = ids.filter((id) => !expected.includes(id));
      same(members.sort(), removed.map((id) => (id === '3' ? 'olivia' : 'sam')).sort());
      same(await left(bench), expected);
      same(await left(elsewhere), ids);
      assert.equal(await bench.exists('Client', 'app'), true);
      const [sams, apps] = [expected.filter((id) => id !== '3'), expected.filter((id) => id !== '2')];
      assert.equal((await bench.grantIds({ memberId: 'sam' })).length, sams.length);
      assert.deepEqual(await bench.countGrants([{ clientId: 'app' }]), [apps.length]);
      assert.equal(await bench.revoke(filter), 0);
    },
  ),
  async 'revoke: removes very many grants to one client'(bench) {
    const many = Array.from({ length: 230 }, (_, i) => `${i}`);
    await Promise.all(many.map((id) => bench.save(grant(id, `member ${id}`))));
    await bench.save(grant('other', 'sam', 'other'));
    await signIn(bench, 'phone', '229');
    assert.deepEqual(await bench.countGrants([{ clientId: 'app' }]), [230]);
    const members: string[] = [];
    assert.equal(await bench.revoke({ clientId: 'app' }, (memberId) => void members.push(memberId)), 230);
    same(members.sort(), many.map((id) => `member ${id}`).sort());
    assert.deepEqual(await bench.countGrants([{ clientId: 'app' }]), [0]);
    same(await found(bench, 'phone'), []);
    same(await bench.grantIds({ memberId: 'member 7' }), []);
    same(await bench.grantIds({ memberId: 'sam' }), ['other']);
  },
};
