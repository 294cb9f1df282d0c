import assert from 'node:assert/strict';
import type { NewRecord } from '../../records/record.ts';
import { type Bench, type Checks, each, has, same } from './case.ts';
import { accessTokens, code, exchangeOf, grant, refreshOf, token, twoFamilies } from './families.ts';

const entries: readonly { readonly what: string; readonly entry: NewRecord }[] = [
  { what: 'a grant', entry: grant('g') },
  { what: 'a listed client', entry: { kind: 'Client', id: 'g', record: 'x', listed: true } },
  { what: 'a registered client', entry: { kind: 'Client', id: 'g', record: 'x', ttl: 60 } },
  { what: 'an interaction', entry: { kind: 'Interaction', id: 'g', record: 'x', ttl: 60 } },
  { what: 'a session', entry: { kind: 'Session', id: 'g', record: 'x', ttl: 60 } },
];

async function epochOf(bench: Bench, { kind, id } = grant('g')): Promise<number> {
  return (await bench.find(kind, id))?.epoch ?? 0;
}

function end(bench: Bench): Promise<boolean> {
  return bench.save({ ...grant('g'), endsAccessTokens: true });
}

export const versionCases: Checks = {
  ...each(
    entries,
    ({ what }) => `save with replaces, ${what}: writes if that text is still stored, and nothing otherwise`,
    async (bench, { entry }) => {
      const { kind, id } = entry;
      const stored = (): Promise<string | undefined> => bench.textOf(kind, id);
      const save = (record: string, replaces?: string | null): Promise<boolean> =>
        bench.save({ ...entry, record, replaces });
      for (const other of ['A', '']) assert.equal(await save('lost', other), false);
      assert.equal(await stored(), undefined);
      assert.equal(await save('A', null), true);
      for (const other of [null, 'B', 'a', 'A ', '=A', '-', '']) assert.equal(await save('lost', other), false);
      assert.equal(await stored(), 'A');
      assert.equal(await save('Zoë\n1', 'A'), true);
      assert.equal(await save('B', 'Zoë\n1'), true);
      assert.equal(await save('C'), true);
      assert.equal(await stored(), 'C');
      await bench.remove(kind, id);
      assert.equal(await save('lost', 'C'), false);
      assert.equal(await stored(), undefined);
      assert.equal(await save('D', null), true);
    },
  ),
  ...each(
    entries,
    ({ what }) => `save with replaces, ${what}: one that is sent a second time has written, and changes nothing`,
    async (bench, { entry }) => {
      for (const replaces of [null, 'A']) {
        const again = { ...entry, record: `after ${replaces}`, replaces, endsAccessTokens: true };
        for (let i = 0; i < 3; i += 1) assert.equal(await bench.save(again), true);
        assert.equal(await epochOf(bench, entry), entry.kind === 'Grant' ? (replaces === null ? 1 : 2) : 0);
        assert.equal(await bench.save({ ...again, record: 'another' }), false);
        await bench.save({ ...entry, record: 'A' });
      }
    },
  ),
  ...each(
    entries,
    ({ what }) => `save with replaces, ${what}: exactly one of 20 concurrent calls over one text, or over none, writes`,
    async (bench, { entry }) => {
      for (const replaces of [null, 'A']) {
        const all = Array.from({ length: 20 }, (_, i) => bench.save({ ...entry, record: `${i}`, replaces }));
        const written = (await Promise.all(all)).flatMap((won, i) => (won ? `${i}` : []));
        assert.equal(written.length, 1);
        assert.equal(await bench.textOf(entry.kind, entry.id), written[0]);
        await bench.save({ ...entry, record: 'A' });
      }
    },
  ),
  ...each(
    entries,
    ({ what }) => `remove, ${what}: exactly one of 20 concurrent calls removes`,
    async (bench, { entry }) => {
      await bench.save(entry);
      const all = await Promise.all(Array.from({ length: 20 }, () => bench.remove(entry.kind, entry.id)));
      assert.equal(all.filter((removed) => removed).length, 1);
      assert.equal(await bench.remove(entry.kind, entry.id), false);
    },
  ),
  ...each(
    entries.filter(({ entry }) => entry.kind !== 'Grant'),
    ({ what }) => `remove with a text, ${what}: removes that text, and nothing that was written meanwhile`,
    async (bench, { entry }) => {
      const { kind, id } = entry;
      for (const record of ['A', 'Zoë\n1', '', '=A']) {
        await bench.save({ ...entry, record });
        for (const other of ['B', `${record} `, `=${record}`, '-'])
          assert.equal(await bench.remove(kind, id, other), false);
        assert.equal(await bench.textOf(kind, id), record);
        const all = await Promise.all(Array.from({ length: 5 }, () => bench.remove(kind, id, record)));
        assert.equal(all.filter((removed) => removed).length, 1);
        assert.equal(await bench.exists(kind, id), false);
        assert.equal(await bench.remove(kind, id, record), false);
      }
    },
  ),
  async 'save with replaces: a write that lost leaves a grant with its lists, families and access tokens'(bench) {
    await twoFamilies(bench);
    const lost = { ...grant('g'), record: 'lost', replaces: 'another', endsAccessTokens: true };
    assert.equal(await bench.save(lost), false);
    same(await accessTokens(bench, 'phone', 'laptop'), ['phone', 'laptop']);
    await bench.revoke({ memberId: 'sam' });
    assert.equal(await bench.save({ ...lost, replaces: 'grant g' }), false);
    same(await bench.grantIds({ memberId: 'sam' }), []);
    assert.deepEqual(await bench.countGrants([{ clientId: 'app' }]), [0]);
  },
  async 'endsAccessTokens: ends those of all families at once; refresh tokens and codes go on'(bench) {
    await twoFamilies(bench);
    await bench.save(code('tablet'));
    for (const epoch of [1, 2]) {
      await end(bench);
      same(await accessTokens(bench, 'phone', 'laptop', 'phone 1'), []);
      has(await bench.find('Grant', 'g'), { epoch });
      has(await bench.find('AuthorizationCode', 'code tablet'), { familyId: 'tablet' });
      const next = { ...refreshOf(epoch === 1 ? 'phone' : 'phone 1', `phone ${epoch}`), epoch };
      same(await bench.redeem(next), { won: true });
      same(await accessTokens(bench, `phone ${epoch}`), [`phone ${epoch}`]);
    }
    same(await bench.redeem({ ...exchangeOf('tablet'), epoch: 2 }), { won: true });
    await bench.save(token('AccessToken', 'a saved', 'g', 'tablet'));
    same(await accessTokens(bench, 'tablet', 'saved'), ['tablet', 'saved']);
  },
  async 'endsAccessTokens: a grant that is saved again without it keeps its epoch'(bench) {
    await twoFamilies(bench);
    assert.equal(await epochOf(bench), 0);
    await bench.save(grant('g'));
    same(await accessTokens(bench, 'phone', 'laptop'), ['phone', 'laptop']);
    await end(bench);
    await bench.save(grant('g'));
    assert.equal(await epochOf(bench), 1);
    same(await accessTokens(bench, 'phone', 'laptop'), []);
    await bench.endFamily('g', 'laptop');
    assert.equal(await epochOf(bench), 1);
    assert.equal(await bench.revoke({ memberId: 'sam', grantId: 'g' }), 1);
    assert.deepEqual(await bench.countGrants([{ clientId: 'app' }]), [0]);
  },
  async 'endsAccessTokens: also ends an access token whose redemption had read the grant before'(bench) {
    await twoFamilies(bench);
    await end(bench);
    same(await bench.redeem(refreshOf('phone', 'phone 2')), { won: true });
    same(await accessTokens(bench, 'phone 2'), []);
    assert.equal(await bench.exists('RefreshToken', 'r phone 2'), true);
  },
};
