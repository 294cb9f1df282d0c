import type { IssuedToken, NewRecord, Store } from '../../../../lib/store.ts';

/** Tests set the clock of their process ahead, but not that of a database. Records that have expired by it are not found. */
export function withTestClock(store: Store): Store {
  const ends = new Map<string, number>();
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
      return ended ? undefined : store.find(siteId, kind, id, options);
    },
    save: async (siteId, entry) => {
      note(siteId, entry, entry.grantId);
      return store.save(siteId, entry);
    },
    redeem: async (siteId, redemption) => {
      for (const token of redemption.tokens) note(siteId, token, redemption.grantId);
      return store.redeem(siteId, redemption);
    },
  };
}
