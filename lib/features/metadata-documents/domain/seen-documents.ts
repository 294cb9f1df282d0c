import { textOf, textsOf } from '../../../kernel/json.ts';
import type { ClientFinder } from '../../../core/clients/finder.ts';
import { oneByOne, pageOf } from '../../../core/clients/listing.ts';
import { programOf, verifiedProgram } from '../../../core/clients/metadata.ts';
import {
  decisionId,
  type DocumentRecords,
  isWaiting,
  shownDocuments,
  shownId,
} from '../../../core/clients/school-records.ts';
import type { MetadataDocumentPolicy } from './document-policy.ts';
import type { DocumentReviews, SeenDocument } from '../../../core/reviews/document-review.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';
import { type DocumentRecord, type DocumentReviewRecord, serializeRecord } from '../../../records/codec.ts';
import type { FoundRecord, RecordStore } from '../../../records/record-store.ts';
import { type DocumentCache, shippedCopy } from './cache.ts';
import type { LogoFinder } from '../../../core/reviews/shown.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import type { Offered } from '../../../core/offered/offered.ts';

/** A finder that only looks into the cache: what a document said when it was last fetched, for a page to show. */
export function cachedDocuments({
  cache,
  policy,
  offered,
}: DocumentSources & { readonly offered: Offered }): ClientFinder {
  return async (_siteId, clientId) => {
    const document = (await cache.find(clientId))?.document ?? {};
    const name = textOf(document, 'client_name');
    const method = textOf(document, 'token_endpoint_auth_method');
    const signed = offered.authentication.some((row) => row.isSigned === true && row.name === method);
    const proof = signed && { token_endpoint_auth_method: method };
    const program = verifiedProgram(policy?.known?.(clientId)?.program);
    const names = name !== undefined && { client_name: name };
    return { client_id: clientId, ...names, ...proof, ...program, campus_source: 'document' };
  };
}

/** What is stored of documents, and what the host's policy knows of them. */
interface DocumentSources {
  readonly cache: Pick<DocumentCache, 'find'>;
  readonly policy: Pick<MetadataDocumentPolicy, 'known' | 'checkDocument'> | undefined;
}

export interface SeenOptions extends DocumentSources {
  readonly store: RecordStore;
  readonly findLogo: LogoFinder;
}

export function seenDocuments(options: SeenOptions): Pick<DocumentReviews, 'list' | 'find'> {
  const { store, findLogo } = options;
  return {
    async list({ id }, { part, ...query } = {}) {
      const all = shownDocuments(await store.list(id, 'DocumentReview'));
      const listed = part === undefined ? all : all.filter((each) => isWaiting(each) === (part === 'waiting'));
      return pageOf({ keys: listed, read: oneByOne((each) => describeDocument(each, options)) }, query);
    },
    async find({ id }, clientId) {
      const ids = [shownId(clientId), decisionId(clientId)];
      const found = await Promise.all(ids.map((each) => store.find(id, 'DocumentReview', each)));
      const [shown, review] = found.map((each) => each?.record);
      if (!shown) return undefined;
      const document = await describeDocument({ shown, review }, options);
      const logo = document.logoUri === undefined ? undefined : await findLogo(id, document.logoUri);
      const approved = document.status === 'approved' && review?.logo_digest === logo?.digest;
      return { ...document, ...(logo && { logo: { ...logo, approved } }) };
    },
  };
}

async function describeDocument(
  { shown, review }: DocumentRecords,
  { cache, policy }: DocumentSources,
): Promise<SeenDocument> {
  const { client_id: clientId, at: seenAt } = shown;
  const cached = await cache.find(clientId);
  const version = versionOf(shown, cached);
  const shipped = policy && shippedCopy(policy, clientId, cached);
  const status = statusOf(review, version.digest);
  const { redirect_uris: redirectUris, client_name: clientName } = review ?? {};
  const approved = status === 'changed' && redirectUris ? { clientName, redirectUris } : undefined;
  return {
    clientId,
    program: programOf(verifiedProgram(policy?.known?.(clientId)?.program)),
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

/** Whether an administrator has approved the version with this digest. */
export function isApproved(review: DocumentReviewRecord | undefined, digest: string): review is DocumentReviewRecord {
  return review?.decision === 'approved' && review.digest === digest;
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
