import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { GrantFilter, Store } from '../../lib/store.ts';
import { exchangeOf, grant, pair, refreshOf, token } from './entries.ts';

const maxFamilies = 100;

/** The contract of grants and of the token families on them. */
export function familiesContract(open: () => Store): void {
  const site = (): string => `site-${randomUUID()}`;

  /** A device: an authorization whose code was exchanged. Its family and its tokens have its name. */
  async function signIn(store: Store, school: string, device: string, grantId = 'g'): Promise<void> {
    await store.save(school, token('AuthorizationCode', `code ${device}`, grantId, device));
    expect(await store.redeem(school, exchangeOf(device, grantId))).toEqual({ won: true });
  }
  /** Which of the tokens of these devices are found. */
  async function found(store: Store, school: string, ...names: string[]): Promise<string[]> {
    const all = names.flatMap((name) => [
      store.find(school, 'AccessToken', `a ${name}`).then((access) => (access ? `a ${name}` : [])),
      store.find(school, 'RefreshToken', `r ${name}`).then((refresh) => (refresh ? `r ${name}` : [])),
    ]);
    return (await Promise.all(all)).flat();
  }
  /** A grant with a phone and a laptop. */
  async function twoDevices(store: Store, school: string): Promise<void> {
    await store.save(school, grant('g'));
    await signIn(store, school, 'phone');
    await signIn(store, school, 'laptop');
  }

  describe('token families', () => {
    test('codes and tokens are found with their family, which the tokens of a redemption join', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      expect(await store.redeem(school, refreshOf('phone', 'phone 2', 'g'))).toEqual({ won: true });
      expect(await store.find(school, 'AuthorizationCode', 'code phone')).toMatchObject({
        familyId: 'phone',
        consumed: 1,
      });
      expect(await store.find(school, 'AccessToken', 'a phone 2')).toEqual({
        record: 'access phone 2',
        familyId: 'phone',
      });
      expect((await store.find(school, 'RefreshToken', 'r phone 2'))?.familyId).toBe('phone');
      expect((await store.find(school, 'RefreshToken', 'r laptop'))?.familyId).toBe('laptop');
    });

    test('a family ends alone, with its redeemed and its newest tokens; the others of its grant live', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      await store.redeem(school, refreshOf('phone', 'phone 2', 'g'));
      expect(await store.endFamily(school, 'g', 'phone')).toBe(true);
      expect(await found(store, school, 'phone', 'phone 2', 'laptop')).toEqual(['a laptop', 'r laptop']);
      expect(await store.find(school, 'AuthorizationCode', 'code phone')).toBeUndefined();
      expect(await store.grantIds(school, { memberId: 'sam' })).toEqual(['g']);
      expect(await store.redeem(school, refreshOf('laptop', 'laptop 2', 'g'))).toEqual({ won: true });
    });

    test('the last family ends with its grant', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      await store.endFamily(school, 'g', 'phone');
      expect(await store.find(school, 'Grant', 'g')).toBeDefined();
      expect(await store.endFamily(school, 'g', 'laptop')).toBe(true);
      expect(await store.find(school, 'Grant', 'g')).toBeUndefined();
      expect(await store.grantIds(school, { memberId: 'sam' })).toEqual([]);
      expect(await store.countGrants(school, { clientId: 'app' })).toBe(0);
      expect(await found(store, school, 'phone', 'laptop')).toEqual([]);
    });

    test('a family that is not live cannot be ended, and its grant stays', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      await store.endFamily(school, 'g', 'phone');
      for (const family of ['phone', 'unknown', '']) expect(await store.endFamily(school, 'g', family)).toBe(false);
      expect(await store.endFamily(school, 'other', 'laptop')).toBe(false);
      expect(await store.endFamily(site(), 'g', 'laptop')).toBe(false);
      expect(await found(store, school, 'laptop')).toEqual(['a laptop', 'r laptop']);
    });

    test('a family whose name begins or ends like another one is another family', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, grant('g'));
      for (const device of ['phone', 'one', 'phon', 'pho=ne', 'ph,one']) await signIn(store, school, device);
      for (const device of ['one', 'phon', 'pho=ne', 'ph,one'])
        expect(await store.endFamily(school, 'g', device)).toBe(true);
      expect(await found(store, school, 'phone', 'one', 'phon', 'pho=ne', 'ph,one')).toEqual(['a phone', 'r phone']);
    });

    test('without its grant a code or token is not written and not found', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, token('AuthorizationCode', 'code phone', 'g', 'phone'));
      await store.save(school, grant('g'));
      expect(await store.find(school, 'AuthorizationCode', 'code phone')).toBeUndefined();
      expect(await store.redeem(school, exchangeOf('phone', 'g'))).toMatchObject({ won: false });
      expect(await found(store, school, 'phone')).toEqual([]);
    });

    test('a grant that is saved again keeps its families', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      await store.save(school, { ...grant('g'), record: 'again' });
      expect((await store.find(school, 'Grant', 'g'))?.record).toBe('again');
      expect(await found(store, school, 'phone', 'laptop')).toHaveLength(4);
      expect(await store.redeem(school, refreshOf('phone', 'phone 2', 'g'))).toEqual({ won: true });
    });

    test.each<[string, (store: Store, school: string) => Promise<unknown>]>([
      ['was revoked', (store, school) => store.revoke(school, { memberId: 'sam' })],
      ['was removed', (store, school) => store.remove(school, 'Grant', 'g')],
      [
        'ended with its last family',
        async (store, school) => {
          for (const device of ['phone', 'laptop']) await store.endFamily(school, 'g', device);
        },
      ],
    ])('a grant that %s and is made again has none of its old tokens', async (_name, end) => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      await end(store, school);
      await store.save(school, grant('g'));
      expect(await found(store, school, 'phone', 'laptop')).toEqual([]);
      expect(await store.redeem(school, refreshOf('phone', 'phone 2', 'g'))).toMatchObject({ won: false });
      await signIn(store, school, 'new phone');
      for (const device of ['phone', 'laptop']) expect(await store.endFamily(school, 'g', device)).toBe(false);
      expect(await found(store, school, 'phone', 'laptop', 'new phone')).toEqual(['a new phone', 'r new phone']);
    });

    test(`a grant has ${maxFamilies} live families; one more ends the one that would expire first`, async () => {
      const [store, school] = [open(), site()];
      await store.save(school, { ...grant('g'), ttl: 5000 });
      const names = Array.from({ length: maxFamilies }, (_, i) => `code ${i}`);
      const save = (id: string, ttl: number): Promise<boolean> =>
        store.save(school, { ...token('AuthorizationCode', id, 'g', id), ttl });
      for (const [i, name] of names.entries()) await save(name, i === 41 ? 100 : 1000 + i);
      await save('code 1', 3000);
      const ended = async (): Promise<string[]> => {
        const codes = [...names, 'more', 'even more'];
        const all = await Promise.all(codes.map((id) => store.find(school, 'AuthorizationCode', id)));
        return codes.filter((_, i) => !all[i]);
      };
      expect(await ended()).toEqual(['more', 'even more']);
      // The newcomer itself would be the first to expire.
      await save('more', 50);
      expect(await ended()).toEqual(['code 41', 'even more']);
      await save('even more', 4000);
      expect(await ended()).toEqual(['code 41', 'more']);
      await save('code 41', 4000);
      expect(await ended()).toEqual(['code 0', 'more']);
    });
  });

  describe('redeem', () => {
    test.each<[string, (store: Store, school: string) => Promise<unknown>, string]>([
      ['was revoked', (store, school) => store.revoke(school, { clientId: 'app' }), 'g'],
      ['is not the named one', async () => {}, 'other'],
      ['has ended the family', (store, school) => store.endFamily(school, 'g', 'phone'), 'g'],
    ])('a call for a record whose grant %s loses and writes nothing', async (_name, end, grantId) => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      await store.save(school, grant('other', 'sam', 'other'));
      // A family of the same name, in another grant.
      await store.save(school, token('AuthorizationCode', 'code other', 'other', 'phone'));
      await end(store, school);
      const outcome = await store.redeem(school, refreshOf('phone', 'phone 2', grantId));
      expect(outcome).toMatchObject({ won: false });
      await store.save(school, grant('g'));
      expect(await found(store, school, 'phone 2')).toEqual([]);
    });

    test('a call that lost gets no replay once the family has ended', async () => {
      const [store, school] = [open(), site()];
      await twoDevices(store, school);
      const redemption = { ...refreshOf('phone', 'phone 2', 'g'), replay: { sealed: 'response', ttl: 60 } };
      await store.redeem(school, redemption);
      expect(await store.redeem(school, redemption)).toEqual({ won: false, replay: 'response' });
      await store.endFamily(school, 'g', 'phone');
      expect((await store.redeem(school, redemption)) satisfies object).not.toMatchObject({ replay: 'response' });
    });

    test('while the family or the grant ends: no token survives, whoever was first', async () => {
      const store = open();
      for (let round = 0; round < 20; round += 1) {
        const school = site();
        await twoDevices(store, school);
        const end = () =>
          round % 2 === 0 ? store.endFamily(school, 'g', 'phone') : store.revoke(school, { memberId: 'sam' });
        const calls = Array.from({ length: 8 }, (_, i) => () => store.redeem(school, refreshOf('phone', `${i}`, 'g')));
        await Promise.all([...calls.slice(0, round % 8), end, ...calls.slice(round % 8)].map((call) => call()));
        const tokens = Array.from({ length: 8 }, (_, i) => `${i}`);
        expect(await found(store, school, 'phone', ...tokens)).toEqual([]);
        expect(await found(store, school, 'laptop')).toHaveLength(round % 2 === 0 ? 2 : 0);
      }
    });
  });

  test('find returns with a grant when the newest refresh token of its live families expires', async () => {
    const [store, school] = [open(), site()];
    await store.save(school, { ...grant('g'), ttl: 500 });
    const seconds = Math.floor(Date.now() / 1000);
    const until = async (): Promise<number | undefined> => {
      const last = (await store.find(school, 'Grant', 'g'))?.refreshUntil ?? undefined;
      return last === undefined ? undefined : Math.round((last - seconds) / 10) * 10;
    };
    for (const device of ['phone', 'laptop'])
      await store.save(school, { ...token('AuthorizationCode', `code ${device}`, 'g', device), ttl: 400 });
    expect(await until()).toBeUndefined();
    await store.redeem(school, { ...exchangeOf('phone', 'g'), tokens: pair('phone', 100) });
    expect(await until()).toBe(100);
    await store.redeem(school, { ...exchangeOf('laptop', 'g'), tokens: pair('laptop', 200) });
    await store.redeem(school, { ...refreshOf('phone', 'phone 2', 'g'), tokens: pair('phone 2', 300) });
    expect(await until()).toBe(300);
    await store.redeem(school, { ...refreshOf('phone 2', 'phone 3', 'g'), tokens: pair('phone 3', 900) });
    expect(await until()).toBe(500);
    await store.endFamily(school, 'g', 'phone');
    expect(await until()).toBe(200);
  });

  describe('grants', () => {
    const fill = async (store: Store, school: string): Promise<void> => {
      for (const [id, member, client] of [
        ['1', 'sam', 'app'],
        ['2', 'sam', 'other'],
        ['3', 'olivia', 'app'],
      ] as const) {
        await store.save(school, grant(id, member, client));
        await signIn(store, school, id, id);
      }
      await store.save(school, { kind: 'Client', id: 'app', record: 'x' });
    };
    const left = async (store: Store, school: string): Promise<string[]> => {
      const ids = await Promise.all(
        ['1', '2', '3'].map(async (id) => {
          const live = (await store.find(school, 'Grant', id)) !== undefined;
          expect(await found(store, school, id)).toHaveLength(live ? 2 : 0);
          expect((await store.find(school, 'AuthorizationCode', `code ${id}`)) !== undefined).toBe(live);
          return live ? id : [];
        }),
      );
      return ids.flat();
    };

    test('grantIds lists those of a member, countGrants counts those to a client', async () => {
      const [store, school] = [open(), site()];
      await fill(store, school);
      await store.save(school, grant('1'));
      expect((await store.grantIds(school, { memberId: 'sam' })).sort()).toEqual(['1', '2']);
      expect(await store.grantIds(school, { memberId: 'nobody' })).toEqual([]);
      expect(await store.grantIds(site(), { memberId: 'sam' })).toEqual([]);
      expect(await store.countGrants(school, { clientId: 'app' })).toBe(2);
      expect(await store.countGrants(school, { clientId: 'nobody' })).toBe(0);
      expect(await store.countGrants(site(), { clientId: 'app' })).toBe(0);
    });

    test.each<[string, GrantFilter, string[], number]>([
      ['one grant of a member', { memberId: 'sam', grantId: '1' }, ['2', '3'], 1],
      ['the grants of a member', { memberId: 'sam' }, ['3'], 2],
      ['the grants to a client', { clientId: 'app' }, ['2'], 2],
      ['no grant of another member', { memberId: 'olivia', grantId: '1' }, ['1', '2', '3'], 0],
      ['no grant of an unknown member', { memberId: 'nobody' }, ['1', '2', '3'], 0],
      ['no grant with an unknown id', { memberId: 'sam', grantId: 'x' }, ['1', '2', '3'], 0],
      ['no grant to an unknown client', { clientId: 'nobody' }, ['1', '2', '3'], 0],
    ])('revoke removes %s, with its codes and tokens', async (_name, filter, expected, count) => {
      const [store, school, elsewhere] = [open(), site(), site()];
      await fill(store, school);
      await fill(store, elsewhere);
      expect(await store.revoke(school, filter)).toBe(count);
      expect(await left(store, school)).toEqual(expected);
      expect(await left(store, elsewhere)).toEqual(['1', '2', '3']);
      expect(await store.find(school, 'Client', 'app')).toBeDefined();
      expect(await store.grantIds(school, { memberId: 'sam' })).toHaveLength(
        expected.filter((id) => id !== '3').length,
      );
      expect(await store.countGrants(school, { clientId: 'app' })).toBe(expected.filter((id) => id !== '2').length);
      expect(await store.revoke(school, filter)).toBe(0);
    });

    test('revoke removes very many grants to one client', async () => {
      const [store, school] = [open(), site()];
      const ids = Array.from({ length: 230 }, (_, i) => `${i}`);
      await Promise.all(ids.map((id) => store.save(school, grant(id, `member ${id}`))));
      await store.save(school, grant('other', 'sam', 'other'));
      await signIn(store, school, 'phone', '229');
      expect(await store.countGrants(school, { clientId: 'app' })).toBe(230);
      expect(await store.revoke(school, { clientId: 'app' })).toBe(230);
      expect(await store.countGrants(school, { clientId: 'app' })).toBe(0);
      expect(await found(store, school, 'phone')).toEqual([]);
      expect(await store.grantIds(school, { memberId: 'member 7' })).toEqual([]);
      expect(await store.grantIds(school, { memberId: 'sam' })).toEqual(['other']);
    });
  });
}
