import type { DocumentScopes } from '../../../core/clients/client-source.ts';
import { approvedBy, approvedIn, type ReviewFinder } from '../../../core/access/version-approvals.ts';
import type { MetadataDocumentPolicy } from './document-policy.ts';
import { shippedCopy, type DocumentCache } from './document-cache.ts';
import { OAuthError, TemporarilyUnavailable } from '../../../kernel/errors.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';

interface ScopesOptions {
  readonly catalogue: ScopeCatalogue;
  readonly cache: DocumentCache;
  readonly reviewOf: ReviewFinder;
}

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
    if (review?.decision === 'rejected') return 'rejected';
    const { digest = '' } = shippedCopy(policy, clientId, cached) ?? cached ?? {};
    const approved = approvedBy(review, digest, catalogue);
    if (approved === catalogue.all) return { scopes: approved, reviewed: true };
    const allowed = await policy.allowedScopes(clientId, digest, catalogue.rows);
    // An unreviewed document has no write scope. Specification: Registration rules 3.
    const isReviewed = allowed.some((scope) => catalogue.row(scope)?.access === 'write');
    return {
      scopes: [...allowed, ...approved],
      reviewed: isReviewed || approvedIn(review, digest) !== undefined,
    };
  };
}

export function isPermitted(policy: MetadataDocumentPolicy, clientId: string): boolean {
  try {
    policy.checkClientId(clientId);
    return true;
  } catch (error) {
    if (error instanceof OAuthError && !(error instanceof TemporarilyUnavailable)) return false;
    throw error;
  }
}
