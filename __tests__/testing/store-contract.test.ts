import { AssertionError } from 'node:assert';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { NewRecord, Redemption, Store } from '../../lib/store.ts';
import { storeContract } from '../../lib/testing/index.ts';

/** What a store does wrong, over one that is right. */
type Mutation = (store: Store) => Partial<Store>;

const forever = <T extends { readonly ttl?: number | undefined }>({ ttl: _ttl, ...rest }: T) => rest;
const renamed = (entry: NewRecord): NewRecord => (entry.kind === 'Session' ? { ...entry, kind: 'Interaction' } : entry);

const mutations: Readonly<Record<string, Mutation>> = {
  'finds records of other sites': (store) => ({
    find: async (siteId, kind, id) => (await store.find(siteId, kind, id)) ?? store.find('last', kind, id),
    save: async (siteId, entry) => {
      await store.save('last', entry);
      return store.save(siteId, entry);
    },
  }),
  'mixes kinds': (store) => ({
    save: (siteId, entry) => store.save(siteId, renamed(entry)),
    find: (siteId, kind, id) => store.find(siteId, kind === 'Session' ? 'Interaction' : kind, id),
  }),
  'trims records': (store) => ({
    save: (siteId, entry) => store.save(siteId, { ...entry, record: entry.record.trim() }),
  }),
  'writes over what was changed': (store) => ({
    save: (siteId, { replaces: _replaces, ...entry }) => store.save(siteId, entry),
  }),
  'says that it wrote': (store) => ({
    save: async (siteId, entry) => (await store.save(siteId, entry)) || true,
  }),
  'does not know a write that is sent again': (store) => ({
    save: async (siteId, entry) => {
      const before = await store.find(siteId, entry.kind, entry.id);
      const again = entry.replaces !== undefined && before?.record === entry.record && entry.replaces !== before.record;
      return again ? false : store.save(siteId, entry);
    },
  }),
  'does not say who removed': (store) => ({
    remove: async (...args) => {
      await store.remove(...args);
      return true;
    },
  }),
  'redeems without compare-and-set': (store) => ({
    redeem: async (siteId, redemption) => {
      const found = await store.find(siteId, redemption.kind, redemption.id);
      await Promise.resolve();
      if (!found || found.consumed !== undefined) return store.redeem(siteId, redemption);
      await store.redeem(siteId, redemption);
      return { won: true };
    },
  }),
  'forgets the time of the redemption': (store) => ({
    redeem: (siteId, redemption) => store.redeem(siteId, { ...redemption, now: Math.floor(Date.now() / 1000) }),
  }),
  'ignores the grant of a redemption': (store) => ({
    redeem: async (siteId, redemption) => store.redeem(siteId, { ...redemption, grantId: 'g' }),
  }),
  'ignores epochs': (store) => ({
    save: (siteId, { endsAccessTokens: _ends, ...entry }) => store.save(siteId, entry),
  }),
  'ignores the epoch of a redemption': (store) => ({
    redeem: async (siteId, redemption) => {
      const { epoch } = (await store.find(siteId, 'Grant', redemption.grantId)) ?? {};
      return store.redeem(siteId, { ...redemption, epoch: epoch ?? 0 });
    },
  }),
  'ends all families with one': (store) => ({
    endFamily: async (siteId, grantId, familyId) => {
      const ended = await store.endFamily(siteId, grantId, familyId);
      if (ended) await store.remove(siteId, 'Grant', grantId);
      return ended;
    },
  }),
  'ends no family': () => ({ endFamily: async () => true }),
  'revokes the grants of a member when one is named': (store) => ({
    revoke: (siteId, filter, ...told) =>
      store.revoke(siteId, 'memberId' in filter ? { memberId: filter.memberId } : filter, ...told),
  }),
  'names nobody whose grants it revokes': (store) => ({
    revoke: (siteId, filter) => store.revoke(siteId, filter),
  }),
  'revokes a hundred grants at most': (store) => ({
    revoke: async (...args) => {
      const count = await store.revoke(...args);
      return Math.min(100, count);
    },
  }),
  'lists what is not listed': (store) => ({
    save: (siteId, entry) => store.save(siteId, entry.kind === 'Client' ? { ...entry, listed: true } : entry),
  }),
  'counts quotas one by one': (store) => ({
    consumeQuota: async (siteId, quotas, window) => {
      const waits = await Promise.all(quotas.map((quota) => store.consumeQuota(siteId, [quota], window)));
      const used = waits.filter((wait) => typeof wait === 'number');
      return used.length > 0 ? Math.max(...used) : undefined;
    },
  }),
  'starts a window with each use': (store) => {
    const ends = new Map<string, number>();
    return {
      consumeQuota: async (siteId, quotas, window) => {
        const wait = await store.consumeQuota(siteId, quotas, 1000);
        const key = JSON.stringify([siteId, quotas]);
        ends.set(key, Date.now() + window * 1000);
        return typeof wait === 'number' ? window : undefined;
      },
    };
  },
  'redeems above the quota': (store) => ({
    redeem: (siteId, { quota: _quota, ...redemption }: Redemption) => store.redeem(siteId, redemption),
  }),
  'keeps records forever': (store) => ({
    save: (siteId, entry) => store.save(siteId, forever(entry)),
    redeem: (siteId, { tokens, ...redemption }) => store.redeem(siteId, { ...redemption, tokens: tokens.map(forever) }),
  }),
  'keeps replays forever': (store) => ({
    redeem: (siteId, { replay, ...redemption }) =>
      store.redeem(siteId, { ...redemption, replay: replay && { ...replay, ttl: 1000 } }),
  }),
  'takes seconds for milliseconds': (store) => ({
    save: (siteId, entry) =>
      store.save(siteId, { ...entry, ttl: entry.ttl === undefined ? undefined : entry.ttl / 1000 }),
  }),
  'leaves what has no end': (store) => ({
    sweep: async (siteId, from, removes) =>
      (await store.sweep?.(siteId, from, removes === true ? (kind) => kind !== 'Client' : removes)) ?? { records: {} },
  }),
  'removes what it should count': (store) => ({
    sweep: async (siteId, from, removes) => (await store.sweep?.(siteId, from, removes || true)) ?? { records: {} },
  }),
  'sweeps every site': (store) => {
    const sites = new Set<string>();
    return {
      save: async (siteId, entry) => {
        sites.add(siteId);
        return store.save(siteId, entry);
      },
      sweep: async (siteId, from, removes) => {
        for (const other of sites) await store.sweep?.(other, from, removes);
        return (await store.sweep?.(siteId, from, removes)) ?? { records: {} };
      },
    };
  },
  'does not work': () => ({ ping: () => Promise.reject(new Error('no connection')) }),
};

/** The first case that a store fails, with what it says. */
async function firstFailure(store: Store): Promise<{ readonly name: string; readonly error: unknown } | undefined> {
  for (const { name, run } of storeContract(() => store)) {
    try {
      await run();
    } catch (error) {
      return { name, error };
    }
  }
  return undefined;
}

describe('storeContract', () => {
  test('has a name of its own for each case', () => {
    const names = storeContract(memoryStore).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(90);
    expect(new Set(names).size).toBe(names.length);
  });

  test('takes a promise of a store, asks for it once for each case, and accepts null where there is no value', async () => {
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      find: async (...args) => {
        const found = await inner.find(...args);
        return found ? { ...found, consumed: found.consumed ?? null, familyId: found.familyId ?? null } : null;
      },
      redeem: async (...args) => {
        const outcome = await inner.redeem(...args);
        return outcome.won ? outcome : { replay: null, ...outcome };
      },
      consumeQuota: async (...args) => (await inner.consumeQuota(...args)) ?? null,
    };
    let made = 0;
    const cases = storeContract(async () => {
      made += 1;
      return store;
    });
    await Promise.all(cases.map(({ run }) => run()));
    expect(made).toBe(cases.length);
  });

  describe('catches a store that', () => {
    let failures: ReadonlyMap<string, Awaited<ReturnType<typeof firstFailure>>>;
    // All at once: those that keep what expires are caught by cases that wait.
    beforeAll(async () => {
      const all = Object.entries(mutations).map(async ([what, mutation]) => {
        const store = memoryStore();
        return [what, await firstFailure({ ...store, ...mutation(store) })] as const;
      });
      failures = new Map(await Promise.all(all));
    });

    test.each(Object.keys(mutations))('%s', (what) => {
      const { error, name = '' } = failures.get(what) ?? {};
      expect(error instanceof AssertionError || name.startsWith('ping')).toBe(true);
    });
  });
});
