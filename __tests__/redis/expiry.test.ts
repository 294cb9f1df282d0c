import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { redisStore } from '../../adapters/redis/index.ts';
import type { Entry, RecordKind, Store } from '../../lib/index.ts';
import { type RedisNode, startRedis } from '../helpers/redis.ts';
import { connectTo } from './campus.ts';
import { dump } from './dump.ts';

let server: RedisNode;
let client: Redis;
let store: Store;
beforeAll(async () => {
  server = await startRedis();
  client = connectTo(server.port);
  store = redisStore(client);
});
afterAll(async () => {
  client.disconnect();
  await server.stop();
});
beforeEach(() => client.flushall());

const grant = (id: string, ttl?: number, memberId = 'sam', clientId = 'app'): Entry => ({
  kind: 'Grant',
  id,
  record: `grant ${id}`,
  ttl,
  memberId,
  clientId,
});
const token = (kind: RecordKind, id: string, grantId: string, ttl?: number): Entry => ({
  kind,
  id,
  record: `${kind} ${id}`,
  ttl,
  grantId,
});

/** Seconds that a key of the school has left, rounded up; -1 for no end, -2 for no key. */
async function left(key: string): Promise<number> {
  const milliseconds = await client.pttl(`campus:{school}:${key}`);
  return milliseconds < 0 ? milliseconds : Math.ceil(milliseconds / 1000);
}

async function keysLeft(): Promise<string[]> {
  return (await dump(client)).map(({ key }) => key.replace('campus:{school}:', ''));
}

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
  ] as const)(
    '%s lives as long as it is told, anew when it is saved again, and without an end if none was given',
    async (kind) => {
      const entry: Entry = { kind, id: 'a', record: 'x', ttl: 100 };
      await store.save('school', entry);
      const [key] = (await keysLeft()).filter((name) => name.endsWith(':a'));
      expect(await left(key ?? '')).toBe(100);
      await store.save('school', { ...entry, ttl: 200 });
      expect(await left(key ?? '')).toBe(200);
      const { ttl: _ttl, ...endless } = entry;
      await store.save('school', endless);
      expect(await left(key ?? '')).toBe(-1);
    },
  );

  test('that has no time left is not kept for ever', async () => {
    await store.save('school', { kind: 'Interaction', id: 'a', record: 'x', ttl: -5 });
    expect(await left('i:a')).not.toBe(-1);
  });

  test('a listed client has no end, and cannot be given one', async () => {
    const entry: Entry = { kind: 'Client', id: 'a', record: 'x', listed: true };
    await store.save('school', entry);
    expect(await left('l')).toBe(-1);
    await expect(store.save('school', { ...entry, ttl: 5 })).rejects.toThrow('listed');
  });

  test('a client that is listed no more is in one place, and so is one that is listed from now on', async () => {
    await store.save('school', { kind: 'Client', id: 'a', record: 'x', listed: true });
    await store.save('school', { kind: 'Client', id: 'a', record: 'y', ttl: 60 });
    expect(await keysLeft()).toEqual(['c:a']);
    await store.save('school', { kind: 'Client', id: 'a', record: 'z', listed: true });
    expect(await keysLeft()).toEqual(['l']);
  });

  test('a counter lives for one window, however often it counts', async () => {
    await store.count('school', 'a', 100);
    await client.pexpire('campus:{school}:n:a', 5000);
    expect(await store.count('school', 'a', 100)).toEqual({ count: 2, resetIn: 5 });
  });
});

describe('codes and tokens', () => {
  test('live no longer than their grant', async () => {
    await store.save('school', grant('g', 50));
    await store.save('school', token('RefreshToken', 'long', 'g', 100));
    await store.save('school', token('RefreshToken', 'endless', 'g'));
    await store.save('school', token('RefreshToken', 'short', 'g', 20));
    expect([await left('r:long'), await left('r:endless'), await left('r:short')]).toEqual([50, 50, 20]);
  });

  test('that were redeemed live on as long as they would have, and those issued for them as long as told', async () => {
    await store.save('school', grant('g', 50));
    await store.save('school', token('RefreshToken', 'a', 'g', 30));
    const entries = [token('AccessToken', 't', 'g', 10), token('RefreshToken', 'b', 'g', 100)];
    await store.redeem('school', { kind: 'RefreshToken', id: 'a', now: 1, entries, replay: { sealed: 's', ttl: 5 } });
    expect([await left('r:a'), await left('t:t'), await left('r:b'), await left('p:ra')]).toEqual([30, 10, 50, 5]);
  });

  test('of a grant that is not there expire, and cannot be redeemed', async () => {
    await store.save('school', token('AuthorizationCode', 'a', 'g', 10));
    expect(await left('a:a')).toBe(10);
    const redemption = { kind: 'AuthorizationCode', id: 'a', now: 1, entries: [] } as const;
    expect(await store.redeem('school', redemption)).toEqual({ won: false });
  });

  test('leave the list of their grant when they have expired', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('AccessToken', 'old', 'g', 60));
    const before = (await client.get('campus:{school}:g:g')) ?? '';
    expect(before).toContain('told');
    await client.set('campus:{school}:g:g', before.replace(/[\da-f]{8}told/, '00000001told'), 'KEEPTTL');
    await store.save('school', token('AccessToken', 'new', 'g', 60));
    const after = await client.get('campus:{school}:g:g');
    expect(after).toContain('tnew');
    expect(after).not.toContain('told');
    expect(await left('g:g')).toBe(100);
  });

  test('that were saved again for another grant die with that one only', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', grant('h', 100));
    await store.save('school', token('AccessToken', 't', 'g', 60));
    await store.save('school', token('AccessToken', 't', 'h', 60));
    expect(await store.revoke('school', { grantId: 'g' })).toBe(1);
    expect(await store.find('school', 'AccessToken', 't')).toBeDefined();
    expect(await store.revoke('school', { grantId: 'h' })).toBe(1);
    expect(await store.find('school', 'AccessToken', 't')).toBeUndefined();
  });

  test('that were redeemed leave it at once, and are still removed with it', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('AuthorizationCode', 'code', 'g', 60));
    const redeem = (kind: 'AuthorizationCode' | 'RefreshToken', id: string, next: string) =>
      store.redeem('school', { kind, id, now: 1, entries: [token('RefreshToken', next, 'g', 60)] });
    await redeem('AuthorizationCode', 'code', 'r0');
    for (let i = 0; i < 300; i += 1) await redeem('RefreshToken', `r${i}`, `r${i + 1}`);
    const value = (await client.get('campus:{school}:g:g')) ?? '';
    expect([value.length < 80, value.includes('r300'), value.includes('r299')]).toEqual([true, true, false]);
    expect(await keysLeft()).toHaveLength(305);
    await store.revoke('school', { grantId: 'g' });
    expect(await keysLeft()).toEqual([]);
  });

  test('that are very many have a list of their own, which expires, forgets and is revoked like the other', async () => {
    await store.save('school', grant('g', 100));
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => store.save('school', token('AccessToken', `${i}`, 'g', 60))),
    );
    expect(((await client.get('campus:{school}:g:g')) ?? '').length).toBeLessThan(80);
    expect(await client.zcard('campus:{school}:o:g')).toBe(100);
    expect(await left('o:g')).toBe(100);
    await client.zadd('campus:{school}:o:g', 1, 't0');
    await store.save('school', token('RefreshToken', 'a', 'g', 60));
    await store.redeem('school', {
      kind: 'RefreshToken',
      id: 'a',
      now: 1,
      entries: [token('RefreshToken', 'b', 'g', 60)],
    });
    const listed = await client.zrange('campus:{school}:o:g', '0', '-1');
    expect([listed.length, listed.includes('ra'), listed.includes('t0')]).toEqual([100, false, false]);
    await store.remove('school', 'AccessToken', '0');
    expect(await store.revoke('school', {})).toBe(1);
    expect(await keysLeft()).toEqual([]);
  });
});

describe('lists of grants', () => {
  test('live as long as the longest of them', async () => {
    await store.save('school', grant('a', 50));
    await store.save('school', grant('b', 20));
    for (const list of ['x', 'm:sam']) expect(await left(list)).toBeGreaterThanOrEqual(50);
    for (const list of ['x', 'm:sam']) expect(await left(list)).toBeLessThanOrEqual(52);
    await store.save('school', grant('b', 200));
    for (const list of ['x', 'm:sam']) expect(await left(list)).toBeGreaterThanOrEqual(200);
    await store.save('school', grant('c', undefined, 'olivia'));
    expect([await left('x'), await left('m:olivia'), (await left('m:sam')) > 0]).toEqual([-1, -1, true]);
  });

  test('forget what has expired, with the next write', async () => {
    await store.save('school', grant('old', 50));
    for (const list of ['x', 'm:sam']) await client.zadd(`campus:{school}:${list}`, 1, 'app old');
    expect(await store.grantIds('school', { memberId: 'sam' })).toEqual([]);
    await store.save('school', grant('new', 50));
    for (const list of ['x', 'm:sam'])
      expect(await client.zrange(`campus:{school}:${list}`, '0', '-1')).toEqual(['app new']);
  });

  test('follow a grant to another member and client', async () => {
    await store.save('school', grant('g', 50));
    await store.save('school', grant('g', 50, 'olivia', 'a client whose name is longer than it should be'));
    expect(await store.grantIds('school', { memberId: 'sam' })).toEqual([]);
    expect(await store.grantIds('school', { memberId: 'olivia' })).toEqual(['g']);
    expect(await client.zcard('campus:{school}:x')).toBe(1);
    expect(await store.revoke('school', { clientId: 'app' })).toBe(0);
    expect(await store.revoke('school', { clientId: 'a client whose name is longer than it should be' })).toBe(1);
    expect(await keysLeft()).toEqual([]);
  });

  test('a grant that is saved to live shorter lives as long as what hangs on it', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('AccessToken', 't', 'g', 60));
    await store.save('school', grant('g', 10));
    expect(await left('g:g')).toBeGreaterThanOrEqual(60);
    expect(await store.revoke('school', { grantId: 'g' })).toBe(1);
    expect(await keysLeft()).toEqual([]);
  });

  test('a grant that is removed takes along what hangs on it', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('AccessToken', 't', 'g', 60));
    await store.remove('school', 'Grant', 'g');
    expect(await keysLeft()).toEqual([]);
  });

  test('of a school with very many grants are revoked in several steps, none of them left', async () => {
    const saves = Array.from({ length: 1500 }, async (_, i) => {
      await store.save('school', grant(`g${i}`, 100, `member ${i % 500}`, i % 3 === 0 ? 'app' : 'other'));
      await store.save('school', token('RefreshToken', `r${i}`, `g${i}`, 60));
      await store.save('school', token('AccessToken', `t${i}`, `g${i}`, 60));
    });
    await Promise.all(saves);
    await store.save('school', { kind: 'Client', id: 'app', record: 'x', listed: true });
    expect(await store.revoke('school', { clientId: 'app' })).toBe(500);
    expect(await store.revoke('school', {})).toBe(1000);
    expect(await keysLeft()).toEqual(['l']);
  });
});
