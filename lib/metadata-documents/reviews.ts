import { decisionId, shownDocuments, shownId } from '../clients/school-records.ts';
import type { DocumentReviews } from '../contracts/document-review.ts';
import type { MetadataDocumentPolicy } from '../contracts/registration.ts';
import type { Site } from '../contracts/platform.ts';
import type { DocumentReviewRecord } from '../records/codec.ts';
import type { Core } from '../records/core.ts';
import type { RecordStore } from '../records/record-store.ts';
import type { OnAudit } from '../runtime/audit-event.ts';
import type { DocumentCache } from './cache.ts';
import { documentDecisions } from './decisions.ts';
import type { LogoFinder } from './logos.ts';
import { reviewRecords, seenDocuments } from './seen-documents.ts';

/** The decision of a school on a document. */
export type ReviewFinder = (siteId: string, clientId: string) => Promise<DocumentReviewRecord | undefined>;

/** What the consent page has shown of a document. */
export interface ShownDocument {
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUris: readonly string[];
  readonly digest: string;
}

export type DocumentSeen = (site: Site, memberId: string, shown: ShownDocument) => Promise<void>;

/** Writes to the school's audit log that a document has changed, once for a version that its operators can look at. */
export type ReportChange = (siteId: string, clientId: string, digest: string) => Promise<void>;

interface ReviewOptions extends Pick<Core, 'lifetimes'> {
  readonly store: Pick<RecordStore, 'find' | 'save' | 'remove' | 'list' | 'revoke'>;
  readonly cache: DocumentCache;
  readonly policy: Pick<MetadataDocumentPolicy, 'known' | 'checkDocument'> | undefined;
  readonly findLogo: LogoFinder;
  readonly onAudit: OnAudit;
}

const operator = { kind: 'operator' } as const;

/** Documents of one school that no operator has decided on. */
const maxUndecided = 1000;

interface Reviews {
  readonly documents: DocumentReviews;
  readonly reviewOf: ReviewFinder;
  readonly recordShown: DocumentSeen;
  readonly reportChange: ReportChange;
}

export function createDocumentReviews(options: ReviewOptions): Reviews {
  const { store, cache, policy, findLogo, onAudit } = options;
  const { find, save } = reviewRecords(store);

  return {
    documents: {
      ...seenDocuments(store, { cache, policy }, findLogo),
      ...documentDecisions(options),
    },
    reviewOf: async (siteId, clientId) => (await find(siteId, decisionId(clientId)))?.record,
    async recordShown({ id: siteId }, memberId, { clientId, clientName, redirectUris, digest }) {
      const before = (await find(siteId, shownId(clientId)))?.record;
      if (before?.digest === digest) return;
      if (!before) await makeRoom(store, siteId);
      const version = { client_id: clientId, digest, client_name: clientName, redirect_uris: redirectUris };
      await save(siteId, shownId(clientId), { ...version, reported: before?.reported });
      const first = before ? undefined : true;
      onAudit({ action: 'document.seen', siteId, actor: { ...operator, id: memberId }, clientId, memberId, first });
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
async function makeRoom(store: Pick<RecordStore, 'list' | 'remove'>, siteId: string): Promise<void> {
  const undecided = shownDocuments(await store.list(siteId, 'DocumentReview')).filter(({ review }) => !review);
  const oldest = undecided.at(-1);
  if (!oldest || undecided.length < maxUndecided) return;
  await store.remove(siteId, 'DocumentReview', shownId(oldest.shown.client_id));
}
