import type { DocumentReviews } from '../../../core/access/document-review.ts';
import type { Site } from '../../../host/school-platform.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import type { RuledApp } from '../../../core/access/app-rule.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import { keepsApproval, ruleOf, takesAway } from '../../../core/access/app-rules.ts';
import { isSameRule, noRule, stricter } from '../../../core/access/rule.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { InvalidRequest, OAuthError } from '../../../kernel/errors.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';
import type { FoundRecord } from '../../../records/record-store.ts';
import { approvedVersion } from '../../../core/access/approvals.ts';
import type { ApprovedVersion } from '../../../core/access/review.ts';
import { shownRecords, versionOf } from './seen-documents.ts';
import { shownApp, type ShownAppSources } from './shown-app.ts';
import type { RuleCheck } from './rule-check.ts';
import {
  changeDecision,
  checkVersion,
  conflictOn,
  markEnded,
  type NewDecision,
  readDecision,
  saveDecision,
  type StoredDecision,
} from './stored-decision.ts';
import type { AtSite } from '../../../host/per-site.ts';
import type { Lifetimes } from '../../../core/limits/limits.ts';
import type { OnAudit } from '../../../observe/audit-event.ts';
import { ReviewConflict } from '../../../core/access/review-conflict.ts';

export interface DecisionOptions extends ShownAppSources {
  readonly lifetimes: AtSite<Lifetimes>;
  readonly onAudit: OnAudit;
  readonly checkRule: RuleCheck;
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
      if (beside?.rule) await demandApproving(options, site, clientId, beside.rule);
      const [{ record: shown, text }, cached, stored] = await Promise.all([
        demandShown(site, clientId),
        versions.find(clientId),
        readDecision(store, site.id, { clientId }),
      ]);
      const version = versionOf(shown, cached);
      if (version.digest !== digest) throw new ReviewConflict(clientId, 'version');
      const app = await shownApp(options, site.id, clientId);
      const chosen = beside?.rule;
      const { rule, inherits, was } = await ruleBeside(options, site, { app, stored, chosen });
      // The same approval again, as by a second click, is not a decision of somebody else.
      const before = approvedVersion(stored.review, digest);
      const scopes = approvedScopes(before, beside?.scopes);
      const isSameVersion = before && before.logoDigest === beside?.logo?.digest && before.scopes === scopes;
      const isSame = isSameVersion && isSameRule(rule, was);
      const target = { clientId };
      const seen = { target, app: app?.id, version: beside?.version };
      if (!isSame) await checkVersion(store, site.id, seen, stored);
      const logoUri = beside?.logo && version.logoUri;
      const logo = logoUri === undefined ? undefined : await versions.findLogo(site.id, logoUri);
      if (beside?.logo?.digest !== logo?.digest) throw new ReviewConflict(clientId, 'logo');
      const { clientName, redirectUris } = version;
      const approved = { clientName, redirectUris, digest, scopes, logoUri, logoDigest: logo?.digest };
      const ending =
        stored.record?.ending === true ||
        takesAway({ rule: was, hasApproval: false }, { rule, fallback: was, clientId });
      const note = { by: beside?.by, reason: beside?.reason };
      const decision: NewDecision = {
        rule: inherits ? undefined : rule,
        approved,
        ending,
        note,
        at: epochSeconds(),
      };
      const written = await saveDecision(store, site.id, target, decision, stored.text);
      if (written === undefined) throw conflictOn(target, { own: (await readDecision(store, site.id, target)).record });
      // From now on every other version is news. What was shown in the meantime stays.
      if (shown.reported !== undefined || shown.digest !== digest) {
        const current = { client_name: clientName, redirect_uris: redirectUris, digest, reported: undefined };
        await save(site.id, { ...shown, ...current }, text);
      }
      await versions.markUsed(clientId, digest, options.lifetimes(site).grant);
      const { ask, limited } = rule;
      // Where each person needs an approval as well, that of the version alone lets nobody connect it.
      const reason = ask ? 'ask' : undefined;
      onAudit({
        action: 'document.approved',
        siteId: site.id,
        actor: administrator,
        reason,
        clientId,
        app: app?.id,
        limited,
      });
      if (!ending) return;
      const details = { actor: administrator, reason: 'rule_changed', clientId, app: app?.id };
      await endGrants(options, site.id, target, details);
      await markEnded(store, site.id, target, { decision, text: written });
    },
    async reject(site, clientId, { version, ...note } = {}) {
      await demandShown(site, clientId);
      const app = version === undefined ? undefined : await shownApp(options, site.id, clientId);
      const seen = { target: { clientId }, app: app?.id, version };
      // It stays marked until the connections have ended: the next decision ends those that a failure has left.
      const written = await changeDecision(store, site.id, seen, (before) => ({
        rule: { ...ownRule(before), access: 'blocked' },
        ending: true,
        note,
      }));
      onAudit({ action: 'document.rejected', siteId: site.id, actor: administrator, clientId });
      const details = { actor: administrator, reason: 'document_rejected', clientId };
      const connections = await endGrants(options, site.id, { clientId }, details);
      await markEnded(store, site.id, { clientId }, written);
      return { connections };
    },
  };
}

function ownRule({ record }: StoredDecision): AppRule | undefined {
  return record && ruleOf(record);
}

async function demandApproving(
  { checkRule }: DecisionOptions,
  site: Site,
  clientId: string,
  rule: AppRule,
): Promise<void> {
  if (!keepsApproval(rule))
    throw new InvalidRequest(`a version is approved with the access "allowed", not "${rule.access}"`);
  await checkRule(site, { clientId }, rule);
}

interface ApprovedClient {
  readonly app: RuledApp | undefined;
  readonly stored: StoredDecision;
  /** The rule that was chosen with the approval. @default none */
  readonly chosen: AppRule | undefined;
}

interface RuleBeside {
  readonly rule: AppRule;
  /** Whether it is that of its app, and follows it. */
  readonly inherits: boolean;
  /** What applied until now. */
  readonly was: AppRule;
}

/** The rule of an approval: the chosen one, unless the approval leaves just that, as the client's own rule or that of its app. */
async function ruleBeside(
  { rules: { schoolRule } }: DecisionOptions,
  { id: siteId }: Site,
  { app, stored, chosen }: ApprovedClient,
): Promise<RuleBeside> {
  const own = ownRule(stored);
  const ofApp = (await schoolRule(siteId, { app: app?.id })).rule ?? noRule;
  const was = own ?? ofApp;
  const left = own?.access === 'blocked' ? unblocked(own, ofApp) : was;
  // An approval lets the client do all that is approved, also where the rule lets it only view without one.
  const effect = left.access === 'view_only' ? { ...left, access: 'allowed' as const } : left;
  const isChosen = chosen !== undefined && !isSameRule(chosen, effect);
  return { rule: isChosen ? chosen : left, inherits: !isChosen && !own, was };
}

/** What is left once a block ends: its other limits, and those of the rule of the app. */
function unblocked(own: AppRule, ofApp: AppRule): AppRule {
  const allowed = { access: 'allowed' } as const;
  return stricter({ ...own, ...allowed }, ofApp.access === 'blocked' ? { ...ofApp, ...allowed } : ofApp);
}

/** An approval takes nothing away that was approved of the same version before; `undefined` for every scope. */
function approvedScopes(
  before: ApprovedVersion | undefined,
  scopes: readonly string[] | undefined,
): string | undefined {
  if (scopes === undefined || (before && before.scopes === undefined)) return undefined;
  return [...new Set([...splitScope(before?.scopes), ...scopes])].join(' ');
}
