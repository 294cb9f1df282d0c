import type { IssuedToken, NewRecord, Store } from '../../../../lib/store.ts';

const elapsed = (): number => Number(process.hrtime.bigint()) / 1e9;
const start = Date.now() / 1000 - elapsed();

/** Seconds by which a test has set its clock ahead. */
function ahead(): number {
  return Date.now() / 1000 - elapsed() - start;
}

/**
 * Tests set the clock of their process ahead, but not that of a database. Records that have expired by it are not found, and a
 * counter of a window that has passed by it is another one. How long ago something was redeemed is counted by it, too.
 */
export function withTestClock(store: Store): Store {
  const ends = new Map<string, number>();
  const redeemed = new Map<string, number>();
  const windows = new Map<string, number>();
  const nameOf = (siteId: string, kind: string, id: string): string => JSON.stringify([siteId, kind, id]);
  // A code or token lives no longer than its grant.
  const note = (siteId: string, { kind, id, ttl = Infinity }: NewRecord | IssuedToken, grantId?: string): void => {
    const grantEnds = grantId === undefined ? Infinity : (ends.get(nameOf(siteId, 'Grant', grantId)) ?? Infinity);
    ends.set(nameOf(siteId, kind, id), Math.min(Date.now() + ttl * 1000, grantEnds));
  };
  return {
    ...store,
    find: async (siteId, kind, id, options) => {
      const ended = (ends.get(nameOf(siteId, kind, id)) ?? Infinity) <= Date.now();
      const found = ended ? undefined : await store.find(siteId, kind, id, options);
      if (typeof found?.consumed !== 'number') return found;
      // 1 is a store's word for long ago.
      const known = redeemed.get(nameOf(siteId, kind, id));
      const consumed = known ?? (found.consumed === 1 ? 1 : Math.floor(Date.now() / 1000));
      return { ...found, consumed, now: Date.now() / 1000 };
    },
    save: async (siteId, entry) => {
      note(siteId, entry, entry.grantId);
      return store.save(siteId, entry);
    },
    consumeQuota: (siteId, quotas, window, ...rest) => {
      const named = quotas.map((quota) => {
        const counter = nameOf(siteId, 'counter', quota.name);
        // A counter keeps the window of its first use.
        const first = windows.get(counter) ?? window;
        windows.set(counter, first);
        const passed = Math.round(ahead() / first);
        return { ...quota, name: passed > 0 ? `${quota.name}@${passed}` : quota.name };
      });
      return store.consumeQuota(siteId, named, window, ...rest);
    },
    redeem: async (siteId, redemption) => {
      for (const token of redemption.tokens) note(siteId, token, redemption.grantId);
      const outcome = await store.redeem(siteId, redemption);
      if (outcome.won) redeemed.set(nameOf(siteId, redemption.kind, redemption.id), redemption.now);
      return outcome;
    },
  };
}
