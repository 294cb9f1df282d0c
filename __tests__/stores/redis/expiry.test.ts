import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewRecord, Store } from '../../../lib/store.ts';
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
    'OneTimeSecret',
  ] as const)(
    'of kind %s lives for its ttl, which starts again with each save, and without a ttl it does not expire',
    async (kind) => {
      const entry: NewRecord = { kind, id: 'a', record: 'x', ttl: 100, grantId: 'g', familyId: 'f' };
      await store.save('school', grant('g'));
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
    const entry: NewRecord = { kind: 'Client', id: 'a', record: 'x', listed: true };
    await store.save('school', entry);
    expect(await bare.left('l')).toBe(-1);
    await expect(store.save('school', { ...entry, ttl: 5 })).rejects.toThrow('listed');
  });

  test.each(['DocumentReview', 'AppRule', 'ConnectedClient', 'AppRequest'] as const)(
    'of kind %s is in its list alone: one outside of it is refused, since nothing would find it',
    async (kind) => {
      await expect(store.save('school', { kind, id: 'a', record: 'x' })).rejects.toThrow(`a ${kind} is always listed`);
      await expect(store.save('school', { kind, id: 'a', record: 'x', ttl: 60 })).rejects.toThrow('listed');
      expect(await bare.keys()).toEqual([]);
      await store.save('school', { kind, id: 'a', record: 'x', listed: true });
      expect((await store.find('school', kind, 'a'))?.record).toBe('x');
    },
  );

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
    await bare.client.pexpire('campus:{school}:n:a', 500_000);
    await bare.client.pexpire('campus:{school}:n:b', 900_000);
    expect(await consumeQuota('a', 'b')).toBeUndefined();
    const waits = [await consumeQuota('a'), await consumeQuota('b'), await consumeQuota('a', 'b', 'c')];
    expect(waits.map((wait) => Math.ceil(Number(wait) / 5) * 5)).toEqual([500, 900, 900]);
    expect([await bare.left('n:a'), await bare.left('n:b')]).toEqual([500, 900]);
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
    const tokens = [
      { kind: 'AccessToken', id: 't', record: 't', ttl: 10 },
      { kind: 'RefreshToken', id: 'b', record: 'b', ttl: 100 },
    ] as const;
    const redemption = { kind: 'RefreshToken', id: 'a', grantId: 'g', now: 1, tokens } as const;
    await store.redeem('school', { ...redemption, replay: { sealed: 's', ttl: 5 } });
    expect([await bare.left('r:a'), await bare.left('t:t'), await bare.left('r:b'), await bare.left('p:r:a')]).toEqual([
      30, 10, 50, 5,
    ]);
  });

  test('of a grant that does not exist are not written', async () => {
    await store.save('school', token('AuthorizationCode', 'a', 'g', 10));
    expect(await bare.keys()).toEqual([]);
  });

  test('of a grant that has ended are left to expire, and not found', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('RefreshToken', 'r', 'g', 60));
    await store.save('school', token('AccessToken', 't', 'g', 20));
    expect(await store.endFamily('school', 'g', 'f')).toBe(true);
    expect(await bare.keys()).toEqual(['r:r', 't:t']);
    expect([await bare.left('r:r'), await bare.left('t:t')]).toEqual([60, 20]);
    expect(await store.find('school', 'AccessToken', 't')).toBeUndefined();
  });

  test('that were saved again for another grant end with that grant only', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', grant('h', 100));
    await store.save('school', token('AccessToken', 't', 'g', 60));
    await store.save('school', token('AccessToken', 't', 'h', 60));
    expect(await store.revoke('school', { memberId: 'sam', grantId: 'g' })).toBe(1);
    expect(await store.find('school', 'AccessToken', 't')).toBeDefined();
    expect(await store.revoke('school', { memberId: 'sam', grantId: 'h' })).toBe(1);
    expect(await store.find('school', 'AccessToken', 't')).toBeUndefined();
  });
});

describe('the families of a grant', () => {
  const families = async (): Promise<string> =>
    ((await bare.client.get('campus:{school}:g:g')) ?? '').split('\n')[1] ?? '';
  const lastSeconds = async (name: string): Promise<number[]> => {
    const { 1: text = '' } = new RegExp(`(?:^|,)${name}((?:=\\d+)+)`).exec(await families()) ?? [];
    return (
      text
        .split('=')
        .slice(1)
        // The last second is a whole one.
        .map((second) => Math.ceil((Number(second) - 1 - Date.now() / 1000) / 5) * 5)
    );
  };

  test('have the last second of their newest token and of their newest refresh token, no later than the grant', async () => {
    await store.save('school', grant('g', 200));
    await store.save('school', token('AuthorizationCode', 'code', 'g', 60));
    expect(await lastSeconds('f')).toEqual([60]);
    const redeem = (kind: 'AuthorizationCode' | 'RefreshToken', id: string, next: string, ttls: [number, number]) =>
      store.redeem('school', {
        kind,
        id,
        grantId: 'g',
        now: 1,
        tokens: [
          { kind: 'AccessToken', id: `t${next}`, record: 't', ttl: ttls[0] },
          { kind: 'RefreshToken', id: next, record: 'r', ttl: ttls[1] },
        ],
      });
    await redeem('AuthorizationCode', 'code', '1', [20, 100]);
    expect(await lastSeconds('f')).toEqual([100, 100]);
    await redeem('RefreshToken', '1', '2', [150, 50]);
    expect(await lastSeconds('f')).toEqual([150, 50]);
    await redeem('RefreshToken', '2', '3', [20, 900]);
    expect(await lastSeconds('f')).toEqual([200, 200]);
    expect(await bare.left('g:g')).toBe(200);
  });

  test('that have expired leave the list with the next write, and are not live', async () => {
    await store.save('school', grant('g', 100));
    for (const family of ['old', 'older', 'live'])
      await store.save('school', token('AccessToken', family, 'g', 60, family));
    const value = (await bare.client.get('campus:{school}:g:g')) ?? '';
    await bare.client.set('campus:{school}:g:g', value.replace(/(old|older)=\d+/g, '$1=1'), 'KEEPTTL');
    expect(await store.endFamily('school', 'g', 'old')).toBe(false);
    await store.save('school', token('AccessToken', 'new', 'g', 60, 'new'));
    expect((await families()).replace(/=\d+/g, '')).toBe('live,new');
    expect(await store.endFamily('school', 'g', 'new')).toBe(true);
    expect(await bare.left('g:g')).toBe(100);
  });

  test('do not grow with refreshes: 300 of them change one word', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('RefreshToken', 'r0', 'g', 60));
    const before = (await families()).length;
    for (let i = 0; i < 300; i += 1) {
      const tokens = [{ kind: 'RefreshToken', id: `r${i + 1}`, record: 'r', ttl: 60 }] as const;
      await store.redeem('school', { kind: 'RefreshToken', id: `r${i}`, grantId: 'g', now: 1, tokens });
    }
    expect(await families()).toHaveLength(before);
  });

  test('can be ended, and grants removed, when memory is full', async () => {
    await store.save('school', grant('g', 100));
    for (const family of ['phone', 'laptop']) await store.save('school', token('AccessToken', family, 'g', 60, family));
    await bare.client.config('SET', 'maxmemory', '1');
    try {
      await expect(store.save('school', grant('other'))).rejects.toThrow('OOM');
      expect(await store.endFamily('school', 'g', 'phone')).toBe(true);
      expect(await store.find('school', 'AccessToken', 'phone')).toBeUndefined();
      expect(await store.find('school', 'AccessToken', 'laptop')).toBeDefined();
      expect(await bare.left('g:g')).toBe(100);
      expect(await store.revoke('school', { clientId: 'app' })).toBe(1);
      expect(await store.find('school', 'AccessToken', 'laptop')).toBeUndefined();
    } finally {
      await bare.client.config('SET', 'maxmemory', '0');
    }
  });
});
