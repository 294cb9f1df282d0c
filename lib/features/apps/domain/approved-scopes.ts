import type { ApprovedScopes } from '../../../core/access/look-ups.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import { approvedBy, type ReviewFinder } from '../../../core/access/version-approvals.ts';
import type { ClientVersions } from '../../../core/access/client-versions.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';

interface ApprovedScopesOptions {
  readonly catalogue: ScopeCatalogue;
  readonly versions: ClientVersions;
  readonly reviewOf: ReviewFinder;
}

/** What administrators have approved of a client that a rule has approved by them, whatever kind of client it is. */
export function approvedScopes({ catalogue, versions, reviewOf }: ApprovedScopesOptions): ApprovedScopes {
  return async (siteId, { clientId, digest }) => {
    const review = await reviewOf(siteId, clientId);
    if (review?.decision === 'rejected') return undefined;
    const version = isMetadataDocumentId(clientId) ? ((await versions.find(clientId))?.digest ?? '') : digest?.();
    return approvedBy(review, version ?? review?.version?.digest ?? '', catalogue);
  };
}
