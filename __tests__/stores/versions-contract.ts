import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Entry, Redemption, Store } from '../../lib/store.ts';
import { exchangeOf, grant, refreshOf, token } from './entries.ts';

/** The contract of writes over what was read, of the epochs of grants, and of quotas in redemptions. */
export function versionsContract(open: () => Store): void {
  const site = (): string => `site-${randomUUID()}`;

  /** A grant with the tokens of a phone and a laptop. */
  async function twoDevices(store: Store, school: string): Promise<void> {
    await store.save(school, grant('g'));
    for (const device of ['phone', 'laptop']) {
      await store.save(school, token('AuthorizationCode', `code ${device}`, 'g', device));
      await store.redeem(school, exchangeOf(device, 'g'));
    }
  }
  const accessTokens = async (store: Store, school: string, ...names: string[]): Promise<string[]> => {
    const found = await Promise.all(names.map((name) => store.find(school, 'AccessToken', `a ${name}`)));
    return names.filter((_, i) => found[i]);
  };

  describe.each<[string, Entry]>([
    ['a grant', grant('g')],
    ['a listed client', { kind: 'Client', id: 'g', record: 'x', listed: true }],
    ['a registered client', { kind: 'Client', id: 'g', record: 'x', ttl: 60 }],
    ['an interaction', { kind: 'Interaction', id: 'g', record: 'x', ttl: 60 }],
    ['a session', { kind: 'Session', id: 'g', record: 'x', ttl: 60 }],
  ])('save of %s over what was read', (_name, entry) => {
    const { kind, id } = entry;

    test('writes if that is still stored, and nothing otherwise', async () => {
      const [store, school] = [open(), site()];
      const stored = async (): Promise<string | undefined> => (await store.find(school, kind, id))?.record;
      const save = (record: string, replaces?: string | null): Promise<boolean> =>
        store.save(school, { ...entry, record, replaces });
      for (const other of ['A', '']) expect(await save('lost', other)).toBe(false);
      expect(await stored()).toBeUndefined();
      expect(await save('A', null)).toBe(true);
      for (const other of [null, 'B', 'a', 'A ', '=A', '-', '']) expect(await save('lost', other)).toBe(false);
      expect(await stored()).toBe('A');
      expect(await save('Zoë\n1', 'A')).toBe(true);
      expect(await save('B', 'Zoë\n1')).toBe(true);
      expect(await save('C')).toBe(true);
      expect(await stored()).toBe('C');
      await store.remove(school, kind, id);
      expect(await save('lost', 'C')).toBe(false);
      expect(await stored()).toBeUndefined();
      expect(await save('D', null)).toBe(true);
    });

    test('that is sent a second time has written, and changes nothing', async () => {
      const [store, school] = [open(), site()];
      for (const replaces of [null, 'A']) {
        const again = { ...entry, record: `after ${replaces}`, replaces, endsAccessTokens: true };
        for (let i = 0; i < 3; i += 1) expect(await store.save(school, again)).toBe(true);
        expect((await store.find(school, kind, id))?.epoch ?? 0).toBe(kind === 'Grant' ? (replaces ? 2 : 1) : 0);
        expect(await store.save(school, { ...again, record: 'another' })).toBe(false);
        await store.save(school, { ...entry, record: 'A' });
      }
    });

    test('of 20 concurrent calls over one text, or over none, exactly one writes', async () => {
      const [store, school] = [open(), site()];
      for (const replaces of [null, 'A']) {
        const all = Array.from({ length: 20 }, (_, i) => store.save(school, { ...entry, record: `${i}`, replaces }));
        const written = (await Promise.all(all)).flatMap((won, i) => (won ? `${i}` : []));
        expect(written).toHaveLength(1);
        expect((await store.find(school, kind, id))?.record).toBe(written[0]);
        await store.save(school, { ...entry, record: 'A' });
      }
    });

    test('of 20 concurrent removals exactly one removes', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, entry);
      const all = await Promise.all(Array.from({ length: 20 }, () => store.remove(school, kind, id)));
      expect(all.filter((removed) => removed)).toHaveLength(1);
      expect(await store.remove(school, kind, id)).toBe(false);
    });
  });

  test('save of a code or token returns whether it was written: not without its grant', async () => {
    const [store, school] = [open(), site()];
    const code = token('AuthorizationCode', 'code', 'g');
    expect(await store.save(school, code)).toBe(false);
    await store.save(school, grant('g'));
    expect(await store.save(school, code)).toBe(true);
  });

  test('a write that lost leaves a grant with its lists, families and access tokens', async () => {
    const [store, school] = [open(), site()];
    await twoDevices(store, school);
    const lost = { ...grant('g', 'sam', 'app'), record: 'lost', replaces: 'another', endsAccessTokens: true };
    expect(await store.save(school, lost)).toBe(false);
    expect(await accessTokens(store, school, 'phone', 'laptop')).toEqual(['phone', 'laptop']);
    await store.revoke(school, { memberId: 'sam' });
    expect(await store.save(school, { ...lost, replaces: 'grant g' })).toBe(false);
    expect(await store.grantIds(school, { memberId: 'sam' })).toEqual([]);
    expect(await store.countGrants(school, { clientId: 'app' })).toBe(0);
  });

  describe('a grant that ends its access tokens', () => {
    const end = (store: Store, school: string): Promise<boolean> =>
      store.save(school, { ...grant('g'), endsAccessTokens: true });

    test('ends those of all families at once; refresh tokens and codes go on', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      await store.save(school, token('AuthorizationCode', 'code tablet', 'g', 'tablet'));
      for (const epoch of [1, 2]) {
        await end(store, school);
        expect(await accessTokens(store, school, 'phone', 'laptop', 'phone 1')).toEqual([]);
        expect((await store.find(school, 'Grant', 'g'))?.epoch).toBe(epoch);
        expect(await store.find(school, 'AuthorizationCode', 'code tablet')).toMatchObject({ familyId: 'tablet' });
        const next = { ...refreshOf(epoch === 1 ? 'phone' : 'phone 1', `phone ${epoch}`, 'g'), epoch };
        expect(await store.redeem(school, next)).toEqual({ won: true });
        expect(await accessTokens(store, school, `phone ${epoch}`)).toEqual([`phone ${epoch}`]);
      }
      expect(await store.redeem(school, { ...exchangeOf('tablet', 'g'), epoch: 2 })).toEqual({ won: true });
      await store.save(school, token('AccessToken', 'a saved', 'g', 'tablet'));
      expect(await accessTokens(store, school, 'tablet', 'saved')).toEqual(['tablet', 'saved']);
    });

    test('saved again without that keeps its epoch', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      expect((await store.find(school, 'Grant', 'g'))?.epoch ?? 0).toBe(0);
      await store.save(school, grant('g'));
      expect(await accessTokens(store, school, 'phone', 'laptop')).toEqual(['phone', 'laptop']);
      await end(store, school);
      await store.save(school, grant('g'));
      expect((await store.find(school, 'Grant', 'g'))?.epoch).toBe(1);
      expect(await accessTokens(store, school, 'phone', 'laptop')).toEqual([]);
      await store.endFamily(school, 'g', 'laptop');
      expect((await store.find(school, 'Grant', 'g'))?.epoch).toBe(1);
      expect(await store.revoke(school, { memberId: 'sam', grantId: 'g' })).toBe(1);
      expect(await store.countGrants(school, { clientId: 'app' })).toBe(0);
    });

    test('also ends an access token whose redemption had read the grant before', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      await end(store, school);
      expect(await store.redeem(school, refreshOf('phone', 'phone 2', 'g'))).toEqual({ won: true });
      expect(await accessTokens(store, school, 'phone 2')).toEqual([]);
      expect(await store.find(school, 'RefreshToken', 'r phone 2')).toBeDefined();
    });
  });

  describe('a redemption with a quota', () => {
    const quota = { name: 'refreshes', limit: 2, window: 60 };
    const refresh = (from: string, to: string, more: Partial<Redemption> = {}): Redemption => ({
      ...refreshOf(from, to, 'g'),
      quota,
      ...more,
    });

    test('above its limit redeems nothing; below another limit the same token still works', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      expect(await store.redeem(school, refresh('phone', '1'))).toEqual({ won: true });
      expect(await store.redeem(school, refresh('1', '2'))).toEqual({ won: true });
      const refused = await store.redeem(school, refresh('2', '3'));
      expect(refused).toMatchObject({ won: false });
      const { retryAfter } = { retryAfter: undefined, ...refused };
      expect(Number(retryAfter)).toBeGreaterThanOrEqual(59);
      expect(Number(retryAfter)).toBeLessThanOrEqual(60);
      expect(await accessTokens(store, school, '3')).toEqual([]);
      expect((await store.find(school, 'RefreshToken', 'r 2'))?.consumed ?? undefined).toBeUndefined();
      const others = [refresh('laptop', 'l', { quota: { ...quota, name: 'other' } }), refreshOf('2', '3', 'g')];
      for (const other of others) expect(await store.redeem(school, other)).toEqual({ won: true });
    });

    test('counts winners only', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      const replay = { sealed: 'response', ttl: 60 };
      const all = await Promise.all(
        Array.from({ length: 20 }, () => store.redeem(school, refresh('phone', '1', { replay }))),
      );
      expect(all.filter(({ won }) => won)).toHaveLength(1);
      for (const outcome of all) if (!outcome.won) expect(outcome).toEqual({ won: false, replay: 'response' });
      await store.redeem(school, refresh('unknown', 'x'));
      expect(await store.redeem(school, refresh('1', '2'))).toEqual({ won: true });
    });

    test('of limit 0 never wins, and waits for the whole window', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      const never = { quota: { name: 'n', limit: 0, window: 30 } };
      expect(await store.redeem(school, refresh('phone', '1', never))).toEqual({ won: false, retryAfter: 30 });
    });

    test('shares its counter with consumeQuota', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      await store.redeem(school, refresh('phone', '1'));
      expect((await store.consumeQuota(school, [quota], 60)) ?? undefined).toBeUndefined();
      expect(await store.consumeQuota(school, [quota], 60)).toBeGreaterThan(0);
      expect(await store.redeem(school, refresh('1', '2'))).toMatchObject({ won: false });
    });
  });
}
