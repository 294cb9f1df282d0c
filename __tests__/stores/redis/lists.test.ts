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
  const lists = ['x:app', 'm:sam'];

  test('live as long as their longest-lived grant', async () => {
    await store.save('school', grant('a', 5000));
    await store.save('school', grant('b', 2000));
    for (const list of lists) expect(await bare.left(list)).toBeGreaterThan(4900);
    for (const list of lists) expect(await bare.left(list)).toBeLessThanOrEqual(5005);
    await store.save('school', grant('b', 20_000));
    for (const list of lists) expect(await bare.left(list)).toBeGreaterThan(19_900);
    await store.save('school', grant('c', undefined, 'olivia'));
    expect([await bare.left('x:app'), await bare.left('m:olivia'), (await bare.left('m:sam')) > 0]).toEqual([
      -1,
      -1,
      true,
    ]);
  });

  test('do not count expired grants, and lose them with the next writes', async () => {
    await store.save('school', grant('old', 50));
    for (const list of lists) {
      await bare.client.zadd(
        `campus:{school}:${list}`,
        ...Array.from({ length: 150 }, (_, i) => [1, `old${i}`]).flat(),
      );
      await bare.client.zadd(`campus:{school}:${list}`, 1, 'old');
    }
    expect(await store.grantIds('school', { memberId: 'sam' })).toEqual([]);
    expect(await store.countGrants('school', [{ clientId: 'app' }])).toEqual([0]);
    for (let i = 0; i < 2; i += 1) await store.save('school', grant('new', 50));
    for (const list of lists) expect(await bare.client.zrange(`campus:{school}:${list}`, '0', '-1')).toEqual(['new']);
  });

  test('of a client with a long id have a short name', async () => {
    const clientId = 'https://a-client.example/whose-name-is-longer-than-it-should-be.json';
    await store.save('school', grant('g', 50, 'sam', clientId));
    expect(await store.countGrants('school', [{ clientId }])).toEqual([1]);
    expect(await bare.keys()).toEqual([
      expect.stringMatching(/^X:=[\w-]{22}$/),
      'X:use',
      'g:g',
      'm:sam',
      expect.stringMatching(/^x:=[\w-]{22}$/),
    ]);
    expect(await bare.left('X:use')).toBe(await bare.left('m:sam'));
    expect(await store.revoke('school', { clientId })).toBe(1);
    expect(await bare.keys()).toEqual([]);
  });

  test('a grant that is saved with a shorter ttl ends then, and its tokens with it', async () => {
    await store.save('school', grant('g', 100));
    await store.save('school', token('AccessToken', 't', 'g', 60));
    await store.save('school', grant('g', 10));
    expect(await bare.left('g:g')).toBe(10);
    await bare.client.del('campus:{school}:g:g');
    expect(await store.find('school', 'AccessToken', 't')).toBeUndefined();
  });

  test('a grant leaves both lists when it is removed and when its last family ends', async () => {
    for (const end of [
      () => store.remove('school', 'Grant', 'g'),
      () => store.revoke('school', { memberId: 'sam', grantId: 'g' }),
      () => store.endFamily('school', 'g', 'f'),
    ]) {
      await store.save('school', grant('g', 100));
      await store.save('school', token('AccessToken', 't', 'g', 60));
      await end();
      expect(await bare.keys()).toEqual(['t:t']);
    }
  });

  test('very many grants are revoked completely, in steps of one script each', async () => {
    const grants = Array.from({ length: 1500 }, (_, i) =>
      grant(`g${i}`, 100, `member ${i % 500}`, i % 3 === 0 ? 'app' : 'other'),
    );
    // Fewer at once than may wait for a reply.
    for (const some of [grants.slice(0, 750), grants.slice(750)]) {
      await Promise.all(some.map((each) => store.save('school', each)));
    }
    await store.save('school', { kind: 'Client', id: 'app', record: 'x', listed: true });
    // Grants that expired without leaving the list do not stop it.
    const expired = Array.from({ length: 120 }, (_, i) => [1, `expired${i}`]).flat();
    await bare.client.zadd('campus:{school}:x:app', ...expired);
    await bare.client.config('RESETSTAT');
    expect(await store.revoke('school', { clientId: 'app' })).toBe(500);
    const calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(await bare.client.info('commandstats'))?.[1]);
    expect(calls).toBeLessThanOrEqual(13);
    expect(await store.revoke('school', { clientId: 'other' })).toBe(1000);
    expect(await bare.keys()).toEqual(['l']);
  });
});
