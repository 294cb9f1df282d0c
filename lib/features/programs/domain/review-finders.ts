import { boundedCache } from '../../../kernel/bounded-cache.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import type { ReviewFinder } from '../../../core/reviews/approvals.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import { readDecision } from './stored-decision.ts';

/** Seconds for which a process trusts that no older release has decided about a client. */
const trusted = 60;

const maxClients = 10_000;

export interface ReviewFinders {
  readonly reviewOf: ReviewFinder;
  /**
   * The same after `reviewOf` was asked where a request for access begins: without a second look-up for each use of a token where nothing
   * is decided. A process of an older release that rejects a client meanwhile ends its grants, and anyone who asks for it next asks `reviewOf`.
   */
  readonly reviewInUse: ReviewFinder;
}

export function reviewFinders(store: Pick<RecordStore, 'find'>): ReviewFinders {
  /** When it was last seen that no older release has decided, in seconds since the epoch, by school and client. */
  const none = boundedCache<number>(maxClients);
  const read = async (siteId: string, clientId: string, isInUse: boolean) => {
    const name = JSON.stringify([siteId, clientId]);
    const isTrusted = isInUse && (none.get(name) ?? -Infinity) + trusted > epochSeconds();
    const { before, review } = await readDecision(store, siteId, { clientId }, { isOnlyNew: isTrusted });
    if (before) none.delete(name);
    else if (!isTrusted) none.set(name, epochSeconds());
    return review;
  };
  return {
    reviewOf: (siteId, clientId) => read(siteId, clientId, false),
    reviewInUse: (siteId, clientId) => read(siteId, clientId, true),
  };
}
