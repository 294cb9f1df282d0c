import type { DocumentReviews, SeenDocument } from '../contracts/document-review.ts';
import type { Site } from '../contracts/platform.ts';
import { OAuthError } from '../protocol/errors.ts';
import { type DocumentReviewRecord, serializeRecord } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';
import { epochSeconds } from '../runtime/timeout.ts';
import type { OnAudit } from '../runtime/audit-event.ts';
import type { DocumentCache } from './cache.ts';
import { decisionId, describeDocuments, seenDocuments, shownId, versionOf } from './seen-documents.ts';

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

interface ReviewOptions {
  readonly store: Pick<RecordStore, 'find' | 'save' | 'remove' | 'list' | 'revoke'>;
  readonly cache: DocumentCache;
  readonly onAudit: OnAudit;
}

/** A record to save, now unless it says when. */
type NewReview = Omit<DocumentReviewRecord, 'at'> & Partial<Pick<DocumentReviewRecord, 'at'>>;

const operator = { kind: 'operator' } as const;

/** Documents of one school that no operator has decided on. */
const maxUndecided = 1000;

export function createDocumentReviews({ store, cache, onAudit }: ReviewOptions): DocumentReviews & {
  readonly reviewOf: ReviewFinder;
  readonly seen: DocumentSeen;
  readonly reportChange: ReportChange;
} {
  const find = async (siteId: string, id: string): Promise<DocumentReviewRecord | undefined> =>
    (await store.find(siteId, 'DocumentReview', id))?.record;

  const save = async (siteId: string, id: string, review: NewReview): Promise<void> => {
    const record = serializeRecord({ at: epochSeconds(), ...review });
    await store.save(siteId, { kind: 'DocumentReview', id, record, listed: true });
  };

  const demandShown = async (site: Site, clientId: string): Promise<DocumentReviewRecord> =>
    mustBeShown(await find(site.id, shownId(clientId)), site, clientId);

  return {
    reviewOf: (siteId, clientId) => find(siteId, decisionId(clientId)),
    async seen({ id: siteId }, memberId, { clientId, clientName, redirectUris, digest }) {
      const before = await find(siteId, shownId(clientId));
      if (before?.digest === digest) return;
      if (!before) await makeRoom({ store, cache }, siteId);
      const version = { client_id: clientId, digest, client_name: clientName, redirect_uris: redirectUris };
      await save(siteId, shownId(clientId), { ...version, reported: before?.reported });
      onAudit({ action: 'document.seen', siteId, actor: { ...operator, id: memberId }, clientId, memberId });
    },
    async reportChange(siteId, clientId, digest) {
      const shown = await find(siteId, shownId(clientId));
      if (shown?.reported === digest) return;
      if (shown) await save(siteId, shownId(clientId), { ...shown, reported: digest });
      onAudit({ action: 'document.changed', siteId, clientId });
    },
    ...seenDocuments(store, cache),
    async approve(site, clientId, digest) {
      const [shown, cached] = await Promise.all([demandShown(site, clientId), cache.find(clientId)]);
      const version = versionOf(shown, cached);
      if (version.digest !== digest) {
        throw new OAuthError('invalid_request', `${clientId} has changed; look at it again`, { status: 409 });
      }
      // From now on every other version is news.
      const approved = { client_name: version.clientName, redirect_uris: version.redirectUris, digest };
      if (shown.reported !== undefined || shown.digest !== digest) {
        await save(site.id, shownId(clientId), { ...shown, ...approved, reported: undefined });
      }
      await save(site.id, decisionId(clientId), { ...approval(clientId, version), ...approved });
      await cache.markUsed(clientId, digest);
      onAudit({ action: 'document.approved', siteId: site.id, actor: operator, clientId });
    },
    async reject(site, clientId) {
      await demandShown(site, clientId);
      await save(site.id, decisionId(clientId), { client_id: clientId, decision: 'rejected' });
      const event = { siteId: site.id, actor: operator, clientId } as const;
      onAudit({ action: 'document.rejected', ...event });
      const connections = await store.revoke(site.id, { clientId });
      const reason = 'document_rejected';
      if (connections > 0) onAudit({ action: 'connection.ended', reason, ...event, connections });
      return { connections };
    },
  };
}

function approval(clientId: string, { logoUri }: Pick<SeenDocument, 'logoUri'>): NewReview {
  return { client_id: clientId, decision: 'approved', logo_uri: logoUri };
}

function mustBeShown(shown: DocumentReviewRecord | undefined, { name }: Site, clientId: string): DocumentReviewRecord {
  if (shown) return shown;
  throw new OAuthError('invalid_request', `no operator of ${name} was shown ${clientId}`, { status: 404 });
}

/** The document that has waited longest for a decision makes room for another. */
async function makeRoom({ store, cache }: Pick<ReviewOptions, 'store' | 'cache'>, siteId: string): Promise<void> {
  const records = await store.list(siteId, 'DocumentReview');
  if (records.length < maxUndecided) return;
  const undecided = (await describeDocuments(records, cache)).filter(({ status }) => status === 'unreviewed');
  const oldest = undecided.at(-1);
  if (!oldest || undecided.length < maxUndecided) return;
  await store.remove(siteId, 'DocumentReview', shownId(oldest.clientId));
}
