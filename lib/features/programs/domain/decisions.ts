import { decisionId, shownId } from '../../../core/decisions/school-records.ts';
import type { DocumentReviews } from '../../../core/reviews/document-review.ts';
import type { Site } from '../../../host/school-platform.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';
import type { DocumentReviewRecord } from '../../../records/codec.ts';
import type { FoundRecord, RecordStore } from '../../../records/record-store.ts';
import { isApproved } from '../../../core/reviews/approvals.ts';
import type { ClientVersions } from '../../../core/reviews/client-versions.ts';
import { reviewRecords, versionOf } from './seen-documents.ts';
import type { AtSite } from '../../../host/at-site.ts';
import type { Lifetimes } from '../../../core/limits/limits.ts';
import type { OnAudit } from '../../../observe/audit-event.ts';
import { ReviewConflict } from '../../../core/reviews/review-conflict.ts';

interface DecisionOptions {
  readonly store: RecordStore;
  readonly lifetimes: AtSite<Lifetimes>;
  readonly onAudit: OnAudit;
  readonly versions: ClientVersions;
}

const administrator = { kind: 'administrator' } as const;

export function documentDecisions(options: DecisionOptions): Pick<DocumentReviews, 'approve' | 'reject'> {
  const { store, versions, onAudit } = options;
  const { find, save } = reviewRecords(store);

  async function demandShown({ id, name }: Site, clientId: string): Promise<FoundRecord<'DocumentReview'>> {
    const shown = await find(id, shownId(clientId));
    if (shown) return shown;
    throw new OAuthError('invalid_request', `no operator of ${name} was shown ${clientId}`, { status: 404 });
  }

  return {
    async approve(site, clientId, digest, beside) {
      const [{ record: shown, text }, cached, decided] = await Promise.all([
        demandShown(site, clientId),
        versions.find(clientId),
        find(site.id, decisionId(clientId)),
      ]);
      const version = versionOf(shown, cached);
      if (version.digest !== digest) throw new ReviewConflict(clientId, 'version');
      // The same approval again, as by a second click, is not a decision of somebody else.
      const before = isApproved(decided?.record, digest) ? decided?.record : undefined;
      const scopes = approvedScopes(before, beside?.scopes);
      const isSame = before && before.logo_digest === beside?.logo?.digest && before.scopes === scopes;
      if (beside && !isSame && beside.decidedAt !== decided?.record.at) throw new ReviewConflict(clientId, 'decision');
      const logoUri = beside?.logo && version.logoUri;
      const logo = logoUri === undefined ? undefined : await versions.findLogo(site.id, logoUri);
      if (beside?.logo?.digest !== logo?.digest) throw new ReviewConflict(clientId, 'logo');
      const approved = { client_name: version.clientName, redirect_uris: version.redirectUris, digest };
      const withLogo = { ...approved, client_id: clientId, scopes, logo_uri: logoUri, logo_digest: logo?.digest };
      const decision = { ...withLogo, decision: 'approved' } as const;
      if (!(await save(site.id, decisionId(clientId), decision, decided?.text ?? null)))
        throw new ReviewConflict(clientId, 'decision');
      // From now on every other version is news. What was shown in the meantime stays.
      if (shown.reported !== undefined || shown.digest !== digest) {
        await save(site.id, shownId(clientId), { ...shown, ...approved, reported: undefined }, text);
      }
      await versions.markUsed(clientId, digest, options.lifetimes(site).grant);
      onAudit({ action: 'document.approved', siteId: site.id, actor: administrator, clientId });
    },
    async reject(site, clientId) {
      await demandShown(site, clientId);
      await save(site.id, decisionId(clientId), { client_id: clientId, decision: 'rejected' });
      onAudit({ action: 'document.rejected', siteId: site.id, actor: administrator, clientId });
      const details = { actor: administrator, reason: 'document_rejected', clientId };
      return { connections: await endGrants(options, site.id, { clientId }, details) };
    },
  };
}

/** An approval takes nothing away that was approved of the same version before; `undefined` for every scope. */
function approvedScopes(
  before: DocumentReviewRecord | undefined,
  scopes: readonly string[] | undefined,
): string | undefined {
  if (scopes === undefined || (before && before.scopes === undefined)) return undefined;
  return [...new Set([...splitScope(before?.scopes), ...scopes])].join(' ');
}
