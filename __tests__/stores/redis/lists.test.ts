import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Store } from '../../../lib/store.ts';
import { type BareStore, grant, startBareStore, token } from './bare-store.ts';

let bare: BareStore;
let store: Store;
beforeAll(async () => {
  bare = await startBareStore();
  store = bare.store;
});
afterAll(() => bare.close());
beforeEach(() => bare.client.flushall());

describe('lists of grants', () => {
  test('live as long as their longest-lived grant', async () => {
    await store.save('school', grant('a', 50));
    await store.save('school', grant('b', 20));
    for (const list of ['x', 'm:sam']) expect(await bare.left(list)).toBeGreaterThanOrEqual(50);
    for (const list of ['x', 'm:sam']) expect(await bare.left(list)).toBeLessThanOrEqual(52);
    await store.save('school', grant('b', 200));
    for (const list of ['x', 'm:sam']) expect(await bare.left(list)).toBeGreaterThanOrEqual(200);
    await store.save('school', grant('c', undefined, 'olivia'));
    expect([await bare.left('x'), await bare.left('m:olivia'), (await bare.left('m:sam')) > 0]).toEqual([-1, -1, true]);
  });

  test('lose expired grants with the next write', async () => {
    await store.save('school', grant('old', 50));
    for (const list of ['x', 'm:sam']) await bare.client.zadd(`campus:{school}:${list}`, 1, 'app old');
    expect(await store.grantIds('school', { memberId: 'sam' })).toEqual([]);
    await store.save('school', grant('new', 50));
    for (const list of ['x', 'm:sam'])
      expect(await bare.client.zrange(`campus:{school}:${list}`, '0', '-1')).toEqual(['app new']);
  });

  test('follow a grant that is saved for another member and client', async () => {
    await store.save('school', grant('g', 50));
    await store.save('school', grant('g', 50, 'olivia', 'a client whose name is longer than it should be'));
    expect(await store.grantIds('school', { memberId: 'sam' })).toEqual([]);
    expect(await store.grantIds('school', { memberId: 'olivia' })).toEqual(['g']);
    expect(await bare.client.zcard('campus:{school}:x')).toBe(1);
    expect(await store.revoke('school', { clientId: 'app' })).toBe(0);
    expect(await store.revoke('school', { clientId: 'a client whose name is longer than it should be' })).toBe(1);
    expect(await bare.keys()).toEqual([]);
  });

  test('a grant that is saved with a shorter ttl lives as long as its tokens', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('AccessToken', 't', 'g', 60));
    await store.save('school', grant('g', 10));
    expect(await bare.left('g:g')).toBeGreaterThanOrEqual(60);
    expect(await store.revoke('school', { grantId: 'g' })).toBe(1);
    expect(await bare.keys()).toEqual([]);
  });

  test('a grant is removed with its tokens', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('AccessToken', 't', 'g', 60));
    await store.remove('school', 'Grant', 'g');
    expect(await bare.keys()).toEqual([]);
  });

  test('of a school with very many grants are revoked completely, in several steps', async () => {
    const saves = Array.from({ length: 1500 }, async (_, i) => {
      await store.save('school', grant(`g${i}`, 100, `member ${i % 500}`, i % 3 === 0 ? 'app' : 'other'));
      await store.save('school', token('RefreshToken', `r${i}`, `g${i}`, 60));
      await store.save('school', token('AccessToken', `t${i}`, `g${i}`, 60));
    });
    await Promise.all(saves);
    await store.save('school', { kind: 'Client', id: 'app', record: 'x', listed: true });
    expect(await store.revoke('school', { clientId: 'app' })).toBe(500);
    expect(await store.revoke('school', {})).toBe(1000);
    expect(await bare.keys()).toEqual(['l']);
  });
});
