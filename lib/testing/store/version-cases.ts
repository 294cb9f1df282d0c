import assert from 'node:assert/strict';
import type { NewRecord } from '../../contracts/record.ts';
import { type Bench, type Check, each, exists, has, same, textOf } from './case.ts';
import { accessTokens, twoDevices } from './devices.ts';
import { exchangeOf, grant, refreshOf, token } from './entries.ts';

const entries: readonly { readonly what: string; readonly entry: NewRecord }[] = [
  { what: 'a grant', entry: grant('g') },
  { what: 'a listed client', entry: { kind: 'Client', id: 'g', record: 'x', listed: true } },
  { what: 'a registered client', entry: { kind: 'Client', id: 'g', record: 'x', ttl: 60 } },
  { what: 'an interaction', entry: { kind: 'Interaction', id: 'g', record: 'x', ttl: 60 } },
  { what: 'a session', entry: { kind: 'Session', id: 'g', record: 'x', ttl: 60 } },
];

async function epochOf({ store, school }: Bench, { kind, id }: Pick<NewRecord, 'kind' | 'id'>): Promise<number> {
  return (await store.find(school, kind, id))?.epoch ?? 0;
}

/** Writes over what was read. */
const overwriteCases: readonly Check[] = [
  ...each(
    entries,
    ({ what }) => `save with replaces, ${what}: writes if that text is still stored, and nothing otherwise`,
    async (bench, { entry }) => {
      const { store, school } = bench;
      const { kind, id } = entry;
      const stored = (): Promise<string | undefined> => textOf(bench, kind, id);
      const save = (record: string, replaces?: string | null): Promise<boolean> =>
        store.save(school, { ...entry, record, replaces });
      for (const other of ['A', '']) assert.equal(await save('lost', other), false);
      assert.equal(await stored(), undefined);
      assert.equal(await save('A', null), true);
      for (const other of [null, 'B', 'a', 'A ', '=A', '-', '']) assert.equal(await save('lost', other), false);
      assert.equal(await stored(), 'A');
      assert.equal(await save('Zoë\n1', 'A'), true);
      assert.equal(await save('B', 'Zoë\n1'), true);
      assert.equal(await save('C'), true);
      assert.equal(await stored(), 'C');
      await store.remove(school, kind, id);
      assert.equal(await save('lost', 'C'), false);
      assert.equal(await stored(), undefined);
      assert.equal(await save('D', null), true);
    },
  ),
  ...each(
    entries,
    ({ what }) => `save with replaces, ${what}: one that is sent a second time has written, and changes nothing`,
    async (bench, { entry }) => {
      const { store, school } = bench;
      for (const replaces of [null, 'A']) {
        const again = { ...entry, record: `after ${replaces}`, replaces, endsAccessTokens: true };
        for (let i = 0; i < 3; i += 1) assert.equal(await store.save(school, again), true);
        assert.equal(await epochOf(bench, entry), entry.kind === 'Grant' ? (replaces === null ? 1 : 2) : 0);
        assert.equal(await store.save(school, { ...again, record: 'another' }), false);
        await store.save(school, { ...entry, record: 'A' });
      }
    },
  ),
  ...each(
    entries,
    ({ what }) => `save with replaces, ${what}: exactly one of 20 concurrent calls over one text, or over none, writes`,
    async (bench, { entry }) => {
      const { store, school } = bench;
      for (const replaces of [null, 'A']) {
        const all = Array.from({ length: 20 }, (_, i) => store.save(school, { ...entry, record: `${i}`, replaces }));
        const written = (await Promise.all(all)).flatMap((won, i) => (won ? `${i}` : []));
        assert.equal(written.length, 1);
        assert.equal(await textOf(bench, entry.kind, entry.id), written[0]);
        await store.save(school, { ...entry, record: 'A' });
      }
    },
  ),
  ...each(
    entries,
    ({ what }) => `remove, ${what}: exactly one of 20 concurrent calls removes`,
    async ({ store, school }, { entry }) => {
      await store.save(school, entry);
      const all = await Promise.all(Array.from({ length: 20 }, () => store.remove(school, entry.kind, entry.id)));
      assert.equal(all.filter((removed) => removed).length, 1);
      assert.equal(await store.remove(school, entry.kind, entry.id), false);
    },
  ),
  {
    name: 'save with replaces: a write that lost leaves a grant with its lists, families and access tokens',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      const lost = { ...grant('g', 'sam', 'app'), record: 'lost', replaces: 'another', endsAccessTokens: true };
      assert.equal(await store.save(school, lost), false);
      same(await accessTokens(bench, 'phone', 'laptop'), ['phone', 'laptop']);
      await store.revoke(school, { memberId: 'sam' });
      assert.equal(await store.save(school, { ...lost, replaces: 'grant g' }), false);
      same(await store.grantIds(school, { memberId: 'sam' }), []);
      assert.equal(await store.countGrants(school, { clientId: 'app' }), 0);
    },
  },
];

function end({ store, school }: Bench): Promise<boolean> {
  return store.save(school, { ...grant('g'), endsAccessTokens: true });
}

/** The epochs of grants. */
const epochCases: readonly Check[] = [
  {
    name: 'endsAccessTokens: ends those of all families at once; refresh tokens and codes go on',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      await store.save(school, token('AuthorizationCode', 'code tablet', 'g', 'tablet'));
      for (const epoch of [1, 2]) {
        await end(bench);
        same(await accessTokens(bench, 'phone', 'laptop', 'phone 1'), []);
        has(await store.find(school, 'Grant', 'g'), { epoch });
        has(await store.find(school, 'AuthorizationCode', 'code tablet'), { familyId: 'tablet' });
        const next = { ...refreshOf(epoch === 1 ? 'phone' : 'phone 1', `phone ${epoch}`, 'g'), epoch };
        same(await store.redeem(school, next), { won: true });
        same(await accessTokens(bench, `phone ${epoch}`), [`phone ${epoch}`]);
      }
      same(await store.redeem(school, { ...exchangeOf('tablet', 'g'), epoch: 2 }), { won: true });
      await store.save(school, token('AccessToken', 'a saved', 'g', 'tablet'));
      same(await accessTokens(bench, 'tablet', 'saved'), ['tablet', 'saved']);
    },
  },
  {
    name: 'endsAccessTokens: a grant that is saved again without it keeps its epoch',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      assert.equal(await epochOf(bench, { kind: 'Grant', id: 'g' }), 0);
      await store.save(school, grant('g'));
      same(await accessTokens(bench, 'phone', 'laptop'), ['phone', 'laptop']);
      await end(bench);
      await store.save(school, grant('g'));
      assert.equal(await epochOf(bench, { kind: 'Grant', id: 'g' }), 1);
      same(await accessTokens(bench, 'phone', 'laptop'), []);
      await store.endFamily(school, 'g', 'laptop');
      assert.equal(await epochOf(bench, { kind: 'Grant', id: 'g' }), 1);
      assert.equal(await store.revoke(school, { memberId: 'sam', grantId: 'g' }), 1);
      assert.equal(await store.countGrants(school, { clientId: 'app' }), 0);
    },
  },
  {
    name: 'endsAccessTokens: also ends an access token whose redemption had read the grant before',
    run: async (bench) => {
      const { store, school } = bench;
      await twoDevices(bench);
      await end(bench);
      same(await store.redeem(school, refreshOf('phone', 'phone 2', 'g')), { won: true });
      same(await accessTokens(bench, 'phone 2'), []);
      assert.equal(await exists(bench, 'RefreshToken', 'r phone 2'), true);
    },
  },
];

/** Writes over what was read, and the epochs of grants. */
export const versionCases: readonly Check[] = [...overwriteCases, ...epochCases];
