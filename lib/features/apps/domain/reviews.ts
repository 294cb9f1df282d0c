import type { AppRuleFinders } from '../../../core/access/rule-finders.ts';
import type { ApprovedScopes } from '../../../core/access/look-ups.ts';
import type { LimitManager } from '../../../core/limits/limit-manager.ts';
import { approvedIn, type ReportChange, type ReviewFinder } from '../../../core/access/version-approvals.ts';
import type { ApprovalFinder } from '../../../core/access/version-approvals.ts';
import type { ClientVersions } from '../../../core/access/client-versions.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { Audit } from '../../../observe/audit.ts';
import type { Records } from '../../../records/records.ts';
import { approvedScopes } from './approved-scopes.ts';
import { personAudience } from '../../../core/clients/client-metadata.ts';
import { type DocumentRecords, shownDocuments, shownId } from '../../../core/access/school-records.ts';
import type { AppReview, ShownVersions } from '../../../core/access/app-review.ts';
import { approval } from './approval.ts';
import { describeReview, reviewRecords, reviewWithLogo, shownVersions, shownRecords } from './shown-versions.ts';
import type { RuleChecks } from './rule-check.ts';
import { type WaitingCounter, waitingCounter } from './waiting-count.ts';
import { shownApp } from './shown-app.ts';
import type { Decided } from '../../../core/clients/client-status.ts';
import { latestChange } from '../../../core/access/rule-version.ts';
import { readRule } from './stored-rule.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { DocumentSeen, LogoFinder } from '../../../core/access/shown-documents.ts';

/** Documents of one school that no administrator has decided on. */
const maxUndecided = 1000;

/** What a school has decided about clients, whatever kind they are, and what its people were shown. */
export interface Reviews {
  readonly documents: ShownVersions;
  /** What a school reviews of a client. `describeOne` fetches its logo as well. */
  readonly describe: (records: DocumentRecords) => Promise<AppReview>;
  readonly describeOne: (siteId: string, records: DocumentRecords) => Promise<AppReview>;
  readonly countWaiting: WaitingCounter;
  readonly reviewOf: ReviewFinder;
  readonly approvedScopes: ApprovedScopes;
  readonly approvalOf: ApprovalFinder;
  readonly isRejected: (siteId: string, clientId: string) => Promise<boolean>;
  /** Who made the decision that applies to a client, and when. */
  readonly decidedOn: (siteId: string, clientId: string) => Promise<Decided | undefined>;
  readonly recordShown: DocumentSeen;
  /** The same for a document that an administrator has looked up: nobody has asked for it, and nothing waits. */
  readonly recordLookedUp: DocumentSeen;
  readonly reportChange: ReportChange;
  readonly findLogo: LogoFinder;
  /** Called for each consent to a client whose versions are decided on, with the digest of what the person was shown. */
  readonly markUsed: (site: Site, clientId: string, digest: string) => Promise<void>;
}

declare module '../../parts.ts' {
  interface School {
    readonly reviews: Reviews;
  }
}

interface ReviewSettings {
  readonly catalogue: ScopeCatalogue;
}

interface ReviewSources {
  readonly versions: ClientVersions;
  readonly records: Records;
  readonly rules: AppRuleFinders;
  readonly limits: LimitManager;
  readonly checks: RuleChecks;
  readonly audit: Audit;
}

export function createReviews(
  { catalogue }: ReviewSettings,
  { versions, records, rules, limits: { lifetimes }, checks, audit: { onAudit } }: ReviewSources,
): Reviews {
  const { store } = records;
  const { find, save } = shownRecords(store);
  const { checkRule } = checks;
  const reviewOf: ReviewFinder = async (siteId, clientId) => (await readRule(store, siteId, { clientId })).review;

  /** Returns nothing if this version was noted before. */
  async function note(
    { id: siteId }: Site,
    { clientId, clientName, redirectUris, digest }: Parameters<DocumentSeen>[2],
  ): Promise<{ readonly first: true | undefined } | undefined> {
    const before = (await find(siteId, clientId))?.record;
    if (before?.digest === digest) return undefined;
    if (!before) await makeRoom(store, siteId);
    const version = { client_id: clientId, digest, client_name: clientName, redirect_uris: redirectUris };
    await save(siteId, { ...version, reported: before?.reported });
    return { first: before ? undefined : true };
  }

  const documents = {
    ...shownVersions({ store, versions, rules }),
    approve: approval({ store, lifetimes, onAudit, versions, rules, checkRule }),
  };
  return {
    documents,
    describe: (shown) => describeReview(shown, versions),
    describeOne: (siteId, shown) => reviewWithLogo(siteId, shown, versions),
    countWaiting: waitingCounter(documents, records),
    reviewOf,
    approvedScopes: approvedScopes({ catalogue, versions, reviewOf }),
    async approvalOf(siteId, clientId, digest) {
      const review = await reviewOf(siteId, clientId);
      if (!review || !approvedIn(review, digest)) return undefined;
      return { at: review.at, ...(review.by !== undefined && { by: review.by }) };
    },
    isRejected: async (siteId, clientId) => (await reviewOf(siteId, clientId))?.decision === 'rejected',
    async decidedOn(siteId, clientId) {
      const app = await shownApp({ store, versions, rules }, siteId, clientId);
      const [{ record: own }, ofApp] = await Promise.all([
        readRule(store, siteId, { clientId }),
        app && readRule(store, siteId, { app: app.id }),
      ]);
      return latestChange({ own, ofApp: ofApp?.record });
    },
    findLogo: versions.findLogo,
    markUsed: (site, clientId, digest) => versions.markUsed(clientId, digest, lifetimes(site).grant),
    recordLookedUp: async (site, _memberId, shown) => void (await note(site, shown)),
    async recordShown(site, memberId, shown) {
      const noted = await note(site, shown);
      if (!noted) return;
      const { id: siteId } = site;
      const { clientId, audience, app } = shown;
      const { first } = noted;
      const actor = { kind: personAudience(audience), id: memberId };
      onAudit({ action: 'document.seen', siteId, actor, clientId, app: app?.id, memberId, first });
    },
    async reportChange(siteId, clientId, digest) {
      const [found, review] = await Promise.all([find(siteId, clientId), reviewOf(siteId, clientId)]);
      const shown = found?.record;
      if (shown?.reported === digest) return;
      if (shown) await save(siteId, { ...shown, reported: digest });
      const first = review?.decision === 'approved' && shown?.reported === undefined ? true : undefined;
      onAudit({ action: 'document.changed', siteId, clientId, first });
    },
  };
}

/** The document that has waited longest for a decision makes room for another. */
async function makeRoom(store: RecordStore, siteId: string): Promise<void> {
  const undecided = shownDocuments(...(await reviewRecords(store, siteId))).filter(({ review }) => !review);
  const oldest = undecided.at(-1);
  if (!oldest || undecided.length < maxUndecided) return;
  await store.remove(siteId, 'DocumentReview', shownId(oldest.shown.client_id));
}
