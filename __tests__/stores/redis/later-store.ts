import type { Store } from '../../../lib/store.ts';

/** A store whose records look as if a later release had written them: each has a member that this release does not know. */
export function laterStore(inner: Store): Store {
  const later = <T extends { readonly record: string }>(entry: T): T => ({
    ...entry,
    record: JSON.stringify({ ...JSON.parse(entry.record), later_member: { known: ['to', 'the', 'next', 'release'] } }),
  });
  return {
    ...inner,
    save: (siteId, entry) => inner.save(siteId, later(entry)),
    redeem: (siteId, redemption) =>
      inner.redeem(siteId, { ...redemption, tokens: redemption.tokens.map((token) => later(token)) }),
  };
}
