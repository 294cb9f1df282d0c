import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Entry, Store } from '../../../lib/store.ts';
import { type BareStore, grant, startBareStore, token } from './bare-store.ts';

let bare: BareStore;
let store: Store;
beforeAll(async () => {
  bare = await startBareStore();
  store = bare.store;
});
afterAll(() => bare.close());
beforeEach(() => bare.client.flushall());

describe('a record', () => {
  test.each([
    'Session',
    'Interaction',
    'Grant',
    'AuthorizationCode',
    'AccessToken',
    'RefreshToken',
    'Client',
    'Document',
    'DocumentReview',
  ] as const)(
    'of kind %s lives for its ttl, which starts again with each save, and without a ttl it does not expire',
    async (kind) => {
      const entry: Entry = { kind, id: 'a', record: 'x', ttl: 100 };
      await store.save('school', entry);
      const [key] = (await bare.keys()).filter((name) => name.endsWith(':a'));
      expect(await bare.left(key ?? '')).toBe(100);
      await store.save('school', { ...entry, ttl: 200 });
      expect(await bare.left(key ?? '')).toBe(200);
      const { ttl: _ttl, ...endless } = entry;
      await store.save('school', endless);
      expect(await bare.left(key ?? '')).toBe(-1);
    },
  );

  test('with a ttl that is over expires all the same', async () => {
    await store.save('school', { kind: 'Interaction', id: 'a', record: 'x', ttl: -5 });
    expect(await bare.left('i:a')).not.toBe(-1);
  });

  test('a listed client does not expire and cannot have a ttl', async () => {
    const entry: Entry = { kind: 'Client', id: 'a', record: 'x', listed: true };
    await store.save('school', entry);
    expect(await bare.left('l')).toBe(-1);
    await expect(store.save('school', { ...entry, ttl: 5 })).rejects.toThrow('listed');
  });

  test('a client that becomes listed or unlisted is stored in one place only', async () => {
    await store.save('school', { kind: 'Client', id: 'a', record: 'x', listed: true });
    await store.save('school', { kind: 'Client', id: 'a', record: 'y', ttl: 60 });
    expect(await bare.keys()).toEqual(['c:a']);
    await store.save('school', { kind: 'Client', id: 'a', record: 'z', listed: true });
    expect(await bare.keys()).toEqual(['l']);
  });

  test('a quota counter lives for one window, however often it is used and refused', async () => {
    const consumeQuota = (...names: string[]): Promise<number | null | undefined> =>
      store.consumeQuota(
        'school',
        names.map((name) => ({ name, limit: 2 })),
        100,
      );
    await consumeQuota('a', 'b');
    expect([await bare.left('n:a'), await bare.left('n:b')]).toEqual([100, 100]);
    await bare.client.pexpire('campus:{school}:n:a', 5000);
    await bare.client.pexpire('campus:{school}:n:b', 9000);
    expect(await consumeQuota('a', 'b')).toBeUndefined();
    expect([await consumeQuota('a'), await consumeQuota('b'), await consumeQuota('a', 'b', 'c')]).toEqual([5, 9, 9]);
    expect([await bare.left('n:a'), await bare.left('n:b')]).toEqual([5, 9]);
    expect(await bare.keys()).toEqual(['n:a', 'n:b']);
    await bare.client.pexpire('campus:{school}:n:a', 0);
    expect([await consumeQuota('a'), await bare.left('n:a')]).toEqual([undefined, 100]);
  });

  test('a refused quota creates no counter, nor does one with the limit 0', async () => {
    expect(await store.consumeQuota('school', [{ name: 'never', limit: 0 }], 60)).toBe(60);
    const both = ['first', 'never'].map((name) => ({ name, limit: name === 'never' ? 0 : 9 }));
    expect(await store.consumeQuota('school', both, 60)).toBe(60);
    expect(await bare.keys()).toEqual([]);
  });
});

describe('codes and tokens', () => {
  test('expire no later than their grant', async () => {
    await store.save('school', grant('g', 50));
    await store.save('school', token('RefreshToken', 'long', 'g', 100));
    await store.save('school', token('RefreshToken', 'endless', 'g'));
    await store.save('school', token('RefreshToken', 'short', 'g', 20));
    expect([await bare.left('r:long'), await bare.left('r:endless'), await bare.left('r:short')]).toEqual([50, 50, 20]);
  });

  test('that were redeemed keep their ttl, and those issued for them have their own', async () => {
    await store.save('school', grant('g', 50));
    await store.save('school', token('RefreshToken', 'a', 'g', 30));
    const entries = [token('AccessToken', 't', 'g', 10), token('RefreshToken', 'b', 'g', 100)];
    await store.redeem('school', { kind: 'RefreshToken', id: 'a', now: 1, entries, replay: { sealed: 's', ttl: 5 } });
    expect([await bare.left('r:a'), await bare.left('t:t'), await bare.left('r:b'), await bare.left('p:r:a')]).toEqual([
      30, 10, 50, 5,
    ]);
  });

  test('of a grant that does not exist expire, and cannot be redeemed', async () => {
    await store.save('school', token('AuthorizationCode', 'a', 'g', 10));
    expect(await bare.left('a:a')).toBe(10);
    const redemption = { kind: 'AuthorizationCode', id: 'a', now: 1, entries: [] } as const;
    expect(await store.redeem('school', redemption)).toEqual({ won: false });
  });

  test('that have expired leave the list of their grant', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('AccessToken', 'old', 'g', 60));
    const before = (await bare.client.get('campus:{school}:g:g')) ?? '';
    expect(before).toContain('t:old=');
    await bare.client.set('campus:{school}:g:g', before.replace(/t:old=\d+/, 't:old=1'), 'KEEPTTL');
    await store.save('school', token('AccessToken', 'new', 'g', 60));
    const after = await bare.client.get('campus:{school}:g:g');
    expect(after).toContain('t:new=');
    expect(after).not.toContain('t:old');
    expect(await bare.left('g:g')).toBe(100);
  });

  test('that were saved again for another grant are removed with that grant only', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', grant('h', 100));
    await store.save('school', token('AccessToken', 't', 'g', 60));
    await store.save('school', token('AccessToken', 't', 'h', 60));
    expect(await store.revoke('school', { grantId: 'g' })).toBe(1);
    expect(await store.find('school', 'AccessToken', 't')).toBeDefined();
    expect(await store.revoke('school', { grantId: 'h' })).toBe(1);
    expect(await store.find('school', 'AccessToken', 't')).toBeUndefined();
  });

  test('that were redeemed leave the list of their grant at once, and are still removed with it', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('AuthorizationCode', 'code', 'g', 60));
    const redeem = (kind: 'AuthorizationCode' | 'RefreshToken', id: string, next: string) =>
      store.redeem('school', { kind, id, now: 1, entries: [token('RefreshToken', next, 'g', 60)] });
    await redeem('AuthorizationCode', 'code', 'r0');
    for (let i = 0; i < 300; i += 1) await redeem('RefreshToken', `r${i}`, `r${i + 1}`);
    const value = (await bare.client.get('campus:{school}:g:g')) ?? '';
    expect([value.length < 80, value.includes('r:r300='), value.includes('r:r299=')]).toEqual([true, true, false]);
    expect(await bare.keys()).toHaveLength(305);
    await store.revoke('school', { grantId: 'g' });
    expect(await bare.keys()).toEqual([]);
  });

  test('of a grant with more than 64 of them are listed in a key of its own, which expires, is cleaned and revoked in the same way', async () => {
    await store.save('school', grant('g', 100));
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => store.save('school', token('AccessToken', `${i}`, 'g', 60))),
    );
    expect(((await bare.client.get('campus:{school}:g:g')) ?? '').length).toBeLessThan(80);
    expect(await bare.client.zcard('campus:{school}:o:g')).toBe(100);
    expect(await bare.left('o:g')).toBe(100);
    await bare.client.zadd('campus:{school}:o:g', 1, 't:0');
    await store.save('school', token('RefreshToken', 'a', 'g', 60));
    await store.redeem('school', {
      kind: 'RefreshToken',
      id: 'a',
      now: 1,
      entries: [token('RefreshToken', 'b', 'g', 60)],
    });
    const listed = await bare.client.zrange('campus:{school}:o:g', '0', '-1');
    expect([listed.length, listed.includes('r:a'), listed.includes('t:0')]).toEqual([100, false, false]);
    await store.remove('school', 'AccessToken', '0');
    expect(await store.revoke('school', {})).toBe(1);
    expect(await bare.keys()).toEqual([]);
  });
});
