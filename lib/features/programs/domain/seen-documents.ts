import { textOf, textsOf } from '../../../kernel/json.ts';
import { oneByOne, pageOf } from '../../../core/clients/listing.ts';
import { programOf, verifiedProgram } from '../../../core/clients/metadata.ts';
import {
  decisionId,
  type DocumentRecords,
  isWaiting,
  shownDocuments,
  shownId,
} from '../../../core/decisions/school-records.ts';
import type { ClientVersions } from '../../../core/reviews/client-versions.ts';
import type { DocumentReviews, SeenDocument } from '../../../core/reviews/document-review.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';
import { type DocumentRecord, type DocumentReviewRecord, serializeRecord } from '../../../records/codec.ts';
import type { FoundRecord, RecordStore } from '../../../records/record-store.ts';
import { epochSeconds } from '../../../kernel/clock.ts';

interface SeenOptions {
  readonly store: RecordStore;
  readonly versions: ClientVersions;
}

export function seenDocuments(options: SeenOptions): Pick<DocumentReviews, 'list' | 'find'> {
  const { store, versions } = options;
  return {
    async list({ id }, { part, ...query } = {}) {
      const all = shownDocuments(await store.list(id, 'DocumentReview'));
      const listed = part === undefined ? all : all.filter((each) => isWaiting(each) === (part === 'waiting'));
      return pageOf({ keys: listed, read: oneByOne((each) => describeDocument(each, versions)) }, query);
    },
    async find({ id }, clientId) {
      const ids = [shownId(clientId), decisionId(clientId)];
      const found = await Promise.all(ids.map((each) => store.find(id, 'DocumentReview', each)));
      const [shown, review] = found.map((each) => each?.record);
      if (!shown) return undefined;
      const document = await describeDocument({ shown, review }, versions);
      const logo = document.logoUri === undefined ? undefined : await versions.findLogo(id, document.logoUri);
      const approved = document.status === 'approved' && review?.logo_digest === logo?.digest;
      return { ...document, ...(logo && { logo: { ...logo, approved } }) };
    },
  };
}

async function describeDocument({ shown, review }: DocumentRecords, versions: ClientVersions): Promise<SeenDocument> {
  const { client_id: clientId, at: seenAt } = shown;
  const cached = await versions.find(clientId);
  const version = versionOf(shown, cached);
  const shipped = versions.shipped(clientId, cached);
  const status = statusOf(review, version.digest);
  const { redirect_uris: redirectUris, client_name: clientName } = review ?? {};
  const approved = status === 'changed' && redirectUris ? { clientName, redirectUris } : undefined;
  return {
    clientId,
    program: programOf(verifiedProgram(versions.programOf(clientId))),
    ...version,
    ...(shipped?.digest === version.digest && { copyDate: shipped.date }),
    seenAt,
    status,
    ...(approved && { approved }),
    ...(status === 'approved' && review?.scopes !== undefined && { approvedScopes: splitScope(review.scopes) }),
    ...(review && { decidedAt: review.at }),
  };
}

type DocumentVersion = Pick<SeenDocument, 'clientName' | 'redirectUris' | 'logoUri' | 'digest'>;

/**
 * The version that an administrator decides on: the one that was last fetched, or after that was withdrawn the one that was
 * shown. All of it comes from one record, so that nobody approves by a digest what they were not shown.
 */
export function versionOf(shown: DocumentReviewRecord, cached: DocumentRecord | undefined): DocumentVersion {
  if (cached?.document) {
    const { document, digest } = cached;
    return {
      clientName: textOf(document, 'client_name'),
      redirectUris: textsOf(document, 'redirect_uris'),
      logoUri: textOf(document, 'logo_uri'),
      digest,
    };
  }
  return { clientName: shown.client_name, redirectUris: shown.redirect_uris ?? [], digest: shown.digest ?? '' };
}

function statusOf(review: DocumentReviewRecord | undefined, digest: string): SeenDocument['status'] {
  if (review?.decision === 'approved') return review.digest === digest ? 'approved' : 'changed';
  return review?.decision ?? 'unreviewed';
}

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
    async save(siteId, id, review, replaces) {
      const record = serializeRecord('DocumentReview', { at: epochSeconds(), ...review });
      return (await store.save(siteId, { kind: 'DocumentReview', id, record, listed: true, replaces })) !== undefined;
    },
  };
}
