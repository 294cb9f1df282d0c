import { type DocumentScopes, isPermitted } from '../clients/allowance.ts';
import type { MetadataDocumentPolicy } from '../contracts/registration.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import { type DocumentCache, shippedCopy } from './cache.ts';
import type { ReviewFinder } from './reviews.ts';
import { isApproved } from './seen-documents.ts';

interface ScopesOptions {
  readonly policy: MetadataDocumentPolicy;
  readonly catalogue: ScopeCatalogue;
  readonly cache: Pick<DocumentCache, 'find'>;
  readonly reviewOf: ReviewFinder;
}

/**
 * What the clients of documents may get now, by what is stored: until a version is approved, the scopes of an unreviewed one.
 * Specification: Registration rules 3.
 */
export function documentScopes({ policy, catalogue, cache, reviewOf }: ScopesOptions): DocumentScopes {
  return async (siteId, clientId) => {
    if (!isPermitted(policy, clientId)) return undefined;
    const [review, cached] = await Promise.all([reviewOf(siteId, clientId), cache.find(clientId)]);
    if (review?.decision === 'rejected') return undefined;
    const { digest = '' } = shippedCopy(policy, clientId, cached) ?? cached ?? {};
    if (isApproved(review, digest) && review.scopes === undefined) return catalogue.all;
    const scopes = await policy.allowedScopes(clientId, digest, catalogue.rows);
    return isApproved(review, digest) ? [...scopes, ...splitScope(review.scopes)] : scopes;
  };
}
