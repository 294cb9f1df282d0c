import { type ApprovedScopes, type DocumentScopes } from '../../../core/clients/allowance.ts';
import type { MetadataDocumentPolicy } from './document-policy.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import { type ScopeCatalogue, splitScope } from '../../../core/scopes/scopes.ts';
import type { DocumentReviewRecord } from '../../../records/codec.ts';
import { shippedCopy } from './cache.ts';
import type { FinderOptions } from './finder.ts';
import { isApproved } from './seen-documents.ts';
import { OAuthError, TemporarilyUnavailable } from '../../../kernel/errors.ts';

type ScopesOptions = Pick<FinderOptions, 'catalogue' | 'cache' | 'reviewOf'>;

/**
 * What the clients of documents may get now, by what is stored: until a version is approved, the scopes of an unreviewed one.
 * Specification: Registration rules 3.
 */
export function documentScopes(
  { catalogue, cache, reviewOf }: ScopesOptions,
  policy: MetadataDocumentPolicy,
): DocumentScopes {
  return async (siteId, clientId) => {
    if (!isPermitted(policy, clientId)) return undefined;
    const [review, cached] = await Promise.all([reviewOf(siteId, clientId), cache.find(clientId)]);
    if (review?.decision === 'rejected') return undefined;
    const { digest = '' } = shippedCopy(policy, clientId, cached) ?? cached ?? {};
    const approved = approvedBy(review, digest, catalogue);
    if (approved === catalogue.all) return approved;
    return [...(await policy.allowedScopes(clientId, digest, catalogue.rows)), ...approved];
  };
}

/** What administrators have approved of a client that a rule has approved by them, whatever kind of client it is. */
export function approvedScopes({ catalogue, cache, reviewOf }: ScopesOptions): ApprovedScopes {
  return async (siteId, { clientId, digest }) => {
    const review = await reviewOf(siteId, clientId);
    if (review?.decision === 'rejected') return undefined;
    const version = isMetadataDocumentId(clientId) ? ((await cache.find(clientId))?.digest ?? '') : digest?.();
    return approvedBy(review, version ?? review?.digest ?? '', catalogue);
  };
}

function approvedBy(
  review: DocumentReviewRecord | undefined,
  digest: string,
  { all }: ScopeCatalogue,
): readonly string[] {
  if (!isApproved(review, digest)) return [];
  return review.scopes === undefined ? all : splitScope(review.scopes);
}

export function isPermitted(policy: Pick<MetadataDocumentPolicy, 'checkClientId'>, clientId: string): boolean {
  try {
    policy.checkClientId(clientId);
    return true;
  } catch (error) {
    if (error instanceof OAuthError && !(error instanceof TemporarilyUnavailable)) return false;
    throw error;
  }
}
