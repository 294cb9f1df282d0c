import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Store } from '../../lib/store.ts';
import { storeContract } from '../../lib/testing/index.ts';
import { recordPerTokenStore } from '../helpers/stores.ts';

describe('memoryStore', () => {
  for (const { name, run } of storeContract(memoryStore)) test(name, run);
});

describe('a store of a host, which does not know lines of refresh tokens', () => {
  for (const { name, run } of storeContract(recordPerTokenStore)) test(name, run);

  test('keeps a record for each token, live or redeemed', async () => {
    const kept = async (store: Store): Promise<number | undefined> => {
      await store.save('s', { kind: 'Grant', id: 'g', record: 'x', memberId: 'sam', clientId: 'app' });
      const idOf = (i: number): string => `${'line'.padEnd(22, '-')}~${`token ${i}`.padEnd(22, '-')}`.replace(' ', '_');
      await store.save('s', { kind: 'RefreshToken', id: idOf(0), record: 'x', grantId: 'g', familyId: 'f' });
      for (let i = 0; i < 5; i += 1) {
        const tokens = [{ kind: 'RefreshToken', id: idOf(i + 1), record: 'x' }] as const;
        const redemption = { kind: 'RefreshToken', id: idOf(i), grantId: 'g', now: 1000, tokens } as const;
        expect(await store.redeem('s', redemption)).toEqual({ won: true });
      }
      return (await store.sweep?.('s', '', false))?.records.RefreshToken;
    };
    expect([await kept(recordPerTokenStore()), await kept(memoryStore())]).toEqual([6, 1]);
  });
});

describe('memoryStore and expiry', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('an expired record is not found, listed or redeemed', async () => {
    const store = memoryStore();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    await store.save('s', { kind: 'Grant', id: 'g', record: 'x', ttl: 10, memberId: 'sam', clientId: 'app' });
    await store.save('s', { kind: 'RefreshToken', id: 'r', record: 'x', ttl: 20, grantId: 'g', familyId: 'f' });
    clock.mockReturnValue(9999);
    expect(await store.find('s', 'Grant', 'g')).toBeDefined();
    clock.mockReturnValue(10_000);
    expect(await store.find('s', 'Grant', 'g')).toBeUndefined();
    expect(await store.find('s', 'RefreshToken', 'r')).toBeUndefined();
    expect(await store.grantIds('s', { memberId: 'sam' })).toEqual([]);
    expect(await store.countGrants('s', [{ clientId: 'app' }])).toEqual([0]);
    expect((await store.redeem('s', { kind: 'RefreshToken', id: 'r', grantId: 'g', now: 10, tokens: [] })).won).toBe(
      false,
    );
  });

  test('an expired replay is not returned', async () => {
    const store = memoryStore();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    await store.save('s', { kind: 'Grant', id: 'g', record: 'x', memberId: 'sam', clientId: 'app' });
    await store.save('s', { kind: 'RefreshToken', id: 'r', record: 'x', grantId: 'g', familyId: 'f' });
    const redemption = {
      kind: 'RefreshToken',
      id: 'r',
      grantId: 'g',
      now: 0,
      tokens: [],
      replay: { sealed: 'response', ttl: 10 },
    } as const;
    await store.redeem('s', redemption);
    clock.mockReturnValue(9999);
    expect(await store.redeem('s', redemption)).toEqual({ won: false, replay: 'response' });
    clock.mockReturnValue(10_000);
    expect(await store.redeem('s', redemption)).toEqual({ won: false });
  });
});
