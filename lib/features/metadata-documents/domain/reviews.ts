import { personAudience } from '../../../core/clients/metadata.ts';
import { decisionId, shownDocuments, shownId } from '../../../core/clients/school-records.ts';
import type { DocumentReviews } from '../../../core/reviews/document-review.ts';
import type { DocumentReviewRecord } from '../../../records/codec.ts';
import { type DecisionOptions, documentDecisions } from './decisions.ts';
import { reviewRecords, seenDocuments, type SeenOptions } from './seen-documents.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { DocumentSeen } from '../../../core/reviews/shown.ts';

/** The decision of a school on a document. */
export type ReviewFinder = (siteId: string, clientId: string) => Promise<DocumentReviewRecord | undefined>;

/** Writes to the school's audit log that a document has changed, once for a version that its operators can look at. */
export type ReportChange = (siteId: string, clientId: string, digest: string) => Promise<void>;

/** Documents of one school that no operator has decided on. */
const maxUndecided = 1000;

interface Reviews {
  readonly reviews: DocumentReviews;
  readonly reviewOf: ReviewFinder;
  readonly recordShown: DocumentSeen;
  readonly reportChange: ReportChange;
}

export function createDocumentReviews(options: DecisionOptions & SeenOptions): Reviews {
  const { store, onAudit } = options;
  const { find, save } = reviewRecords(store);

  return {
    reviews: { ...seenDocuments(options), ...documentDecisions(options) },
    reviewOf: async (siteId, clientId) => (await find(siteId, decisionId(clientId)))?.record,
    async recordShown({ id: siteId }, memberId, { clientId, clientName, audience, program, redirectUris, digest }) {
      const before = (await find(siteId, shownId(clientId)))?.record;
      if (before?.digest === digest) return;
      if (!before) await makeRoom(store, siteId);
      const version = { client_id: clientId, digest, client_name: clientName, redirect_uris: redirectUris };
      await save(siteId, shownId(clientId), { ...version, reported: before?.reported });
      const first = before ? undefined : true;
      const actor = { kind: personAudience(audience), id: memberId };
      onAudit({ action: 'document.seen', siteId, actor, clientId, program: program?.id, memberId, first });
    },
    async reportChange(siteId, clientId, digest) {
      const ids = [shownId(clientId), decisionId(clientId)];
      const [shown, decided] = await Promise.all(ids.map(async (id) => (await find(siteId, id))?.record));
      if (shown?.reported === digest) return;
      if (shown) await save(siteId, shownId(clientId), { ...shown, reported: digest });
      const first = decided?.decision === 'approved' && shown?.reported === undefined ? true : undefined;
      onAudit({ action: 'document.changed', siteId, clientId, first });
    },
  };
}

/** The document that has waited longest for a decision makes room for another. */
async function makeRoom(store: RecordStore, siteId: string): Promise<void> {
  const undecided = shownDocuments(await store.list(siteId, 'DocumentReview')).filter(({ review }) => !review);
  const oldest = undecided.at(-1);
  if (!oldest || undecided.length < maxUndecided) return;
  await store.remove(siteId, 'DocumentReview', shownId(oldest.shown.client_id));
}
