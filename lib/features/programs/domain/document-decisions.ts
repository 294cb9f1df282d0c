import type { DocumentReviews } from '../../../core/reviews/document-review.ts';
import type { Site } from '../../../host/school-platform.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import { usedProgram } from '../../../core/decisions/allowance.ts';
import type { ProgramRule } from '../../../core/decisions/program-rule.ts';
import { noRule, ruleOf, type SchoolRuleFinder } from '../../../core/decisions/program-rules.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';
import type { FoundRecord, RecordStore } from '../../../records/record-store.ts';
import { approvedVersion } from '../../../core/reviews/approvals.ts';
import type { ApprovedVersion } from '../../../core/reviews/review.ts';
import type { ClientVersions } from '../../../core/reviews/client-versions.ts';
import { shownRecords, versionOf } from './seen-documents.ts';
import { readDecision, saveDecision, type StoredDecision } from './stored-decision.ts';
import type { AtSite } from '../../../host/per-site.ts';
import type { Lifetimes } from '../../../core/limits/limits.ts';
import type { OnAudit } from '../../../observe/audit-event.ts';
import { ReviewConflict } from '../../../core/reviews/review-conflict.ts';

export interface DecisionOptions {
  readonly store: RecordStore;
  readonly lifetimes: AtSite<Lifetimes>;
  readonly onAudit: OnAudit;
  readonly versions: ClientVersions;
  readonly schoolRule: SchoolRuleFinder;
}

const administrator = { kind: 'administrator' } as const;

export function documentDecisions(options: DecisionOptions): Pick<DocumentReviews, 'approve' | 'reject'> {
  const { store, versions, onAudit } = options;
  const { find, save } = shownRecords(store);

  async function demandShown({ id, name }: Site, clientId: string): Promise<FoundRecord<'DocumentReview'>> {
    const shown = await find(id, clientId);
    if (shown) return shown;
    throw new OAuthError('invalid_request', `no operator of ${name} was shown ${clientId}`, { status: 404 });
  }

  return {
    async approve(site, clientId, digest, beside) {
      const [{ record: shown, text }, cached, stored] = await Promise.all([
        demandShown(site, clientId),
        versions.find(clientId),
        readDecision(store, site.id, { clientId }),
      ]);
      const version = versionOf(shown, cached);
      if (version.digest !== digest) throw new ReviewConflict(clientId, 'version');
      // The same approval again, as by a second click, is not a decision of somebody else.
      const before = approvedVersion(stored.review, digest);
      const scopes = approvedScopes(before, beside?.scopes);
      const isSame = before && before.logoDigest === beside?.logo?.digest && before.scopes === scopes;
      if (beside && !isSame && beside.decidedAt !== stored.review?.at) throw new ReviewConflict(clientId, 'decision');
      const logoUri = beside?.logo && version.logoUri;
      const logo = logoUri === undefined ? undefined : await versions.findLogo(site.id, logoUri);
      if (beside?.logo?.digest !== logo?.digest) throw new ReviewConflict(clientId, 'logo');
      const { clientName, redirectUris } = version;
      const approved = { clientName, redirectUris, digest, scopes, logoUri, logoDigest: logo?.digest };
      const decision = {
        ...(await ruleBeside(options, site, clientId, stored)),
        approved,
        note: { by: beside?.by, reason: beside?.reason },
      };
      if ((await saveDecision(store, site.id, { clientId }, decision, stored)) === undefined)
        throw new ReviewConflict(clientId, 'decision');
      // From now on every other version is news. What was shown in the meantime stays.
      if (shown.reported !== undefined || shown.digest !== digest) {
        const current = { client_name: clientName, redirect_uris: redirectUris, digest, reported: undefined };
        await save(site.id, { ...shown, ...current }, text);
      }
      await versions.markUsed(clientId, digest, options.lifetimes(site).grant);
      onAudit({ action: 'document.approved', siteId: site.id, actor: administrator, clientId });
    },
    async reject(site, clientId, note) {
      await demandShown(site, clientId);
      for (;;) {
        const stored = await readDecision(store, site.id, { clientId });
        const decision = { rule: { ...ownRule(stored), access: 'blocked' }, note } as const;
        if ((await saveDecision(store, site.id, { clientId }, decision, stored)) !== undefined) break;
      }
      onAudit({ action: 'document.rejected', siteId: site.id, actor: administrator, clientId });
      const details = { actor: administrator, reason: 'document_rejected', clientId };
      return { connections: await endGrants(options, site.id, { clientId }, details) };
    },
  };
}

function ownRule({ record }: StoredDecision): ProgramRule | undefined {
  return record && ruleOf(record);
}

/** The rule that an approval leaves as it is: the client's own, which no longer blocks it, otherwise that of its program. */
async function ruleBeside(
  { store, versions, schoolRule }: DecisionOptions,
  { id: siteId }: Site,
  clientId: string,
  stored: StoredDecision,
): Promise<{ readonly rule: ProgramRule; readonly inherits: boolean }> {
  const own = ownRule(stored);
  if (own) return { rule: own.access === 'blocked' ? { ...own, access: 'allowed' } : own, inherits: false };
  const registered = await store.find(siteId, 'Client', clientId);
  const known = versions.programOf(clientId);
  const program = known ? { id: known.id, verified: true } : usedProgram(registered?.record.campus_program);
  return { rule: (await schoolRule(siteId, { program })) ?? noRule, inherits: true };
}

/** An approval takes nothing away that was approved of the same version before; `undefined` for every scope. */
function approvedScopes(
  before: ApprovedVersion | undefined,
  scopes: readonly string[] | undefined,
): string | undefined {
  if (scopes === undefined || (before && before.scopes === undefined)) return undefined;
  return [...new Set([...splitScope(before?.scopes), ...scopes])].join(' ');
}
