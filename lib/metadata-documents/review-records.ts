import { type DocumentReviewRecord, serializeRecord } from '../records/codec.ts';
import type { FoundRecord, RecordStore } from '../records/record-store.ts';
import { epochSeconds } from '../runtime/timeout.ts';

/** A record to save, now unless it says when. */
type NewReview = Omit<DocumentReviewRecord, 'at'> & Partial<Pick<DocumentReviewRecord, 'at'>>;

interface ReviewRecords {
  readonly find: (siteId: string, id: string) => Promise<FoundRecord<'DocumentReview'> | undefined>;
  /** Returns whether it was saved: not if something else than `replaces` is stored. */
  readonly save: (siteId: string, id: string, review: NewReview, replaces?: string | null) => Promise<boolean>;
}

export function reviewRecords(store: Pick<RecordStore, 'find' | 'save'>): ReviewRecords {
  return {
    find: (siteId, id) => store.find(siteId, 'DocumentReview', id),
    save(siteId, id, review, replaces) {
      const record = serializeRecord({ at: epochSeconds(), ...review });
      return store.save(siteId, { kind: 'DocumentReview', id, record, listed: true, replaces });
    },
  };
}
