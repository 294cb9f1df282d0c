import type { ShownVersions } from '../../../core/access/app-review.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { RuledApp } from '../../../core/access/app-rule.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import { isSameRule, noRule } from '../../../core/access/rule.ts';
import { ruleOf } from '../../../core/access/school-rules.ts';
import { refusesAll, takesAway } from '../../../core/access/ended-by-rule.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';
import { approvedIn } from '../../../core/access/version-approvals.ts';
import type { ApprovedVersion } from '../../../core/access/review.ts';
import { shownRecords, versionOf } from './shown-versions.ts';
import { shownApp, type ShownAppSources } from './shown-app.ts';
import type { RuleCheck } from './rule-check.ts';
import {
  administrator,
  checkVersion,
  conflictOn,
  markEnded,
  type NewRule,
  readRule,
  saveRule,
  type StoredRule,
} from './stored-rule.ts';
import type { AtSite } from '../../../host/per-site.ts';
import type { Lifetimes } from '../../../core/limits/limits.ts';
import type { OnAudit } from '../../../observe/audit-event.ts';

export interface ApprovalOptions extends ShownAppSources {
  readonly lifetimes: AtSite<Lifetimes>;
  readonly onAudit: OnAudit;
  readonly checkRule: RuleCheck;
}

/** Approves what people were shown of a client. */
export function approval(options: ApprovalOptions): ShownVersions['approve'] {
  const { store, versions, onAudit } = options;
  const { find, save } = shownRecords(store);
  return async (site, clientId, digest, beside = {}) => {
    const { rule: chosen, logo: shownLogo, reviewed, by, note } = beside;
    const target = { clientId };
    if (chosen) await options.checkRule(site, target, chosen);
    const [found, cached, stored] = await Promise.all([
      find(site.id, clientId),
      versions.find(clientId),
      readRule(store, site.id, target),
    ]);
    const shown = found?.record ?? reviewed;
    const version = shown && versionOf(shown, cached);
    if (!shown || version?.digest !== digest) throw conflictOn(target, { own: stored.record }, 'version');
    const app = await shownApp(options, site.id, clientId);
    const { rule, effect, inherits, was } = await ruleBeside(options, site, { app, stored, chosen });
    // The same approval again, as by a second click, is not a decision of somebody else.
    const before = approvedIn(stored.review, digest);
    const scopes = approvedScopes(before, beside.scopes);
    const isSameVersion = before && before.logoDigest === shownLogo?.digest && before.scopes === scopes;
    const isSame = isSameVersion && isSameRule(rule, was);
    const seen = { target, app: app?.id, version: beside.version };
    if (!isSame) await checkVersion(store, site.id, seen, stored);
    const logoUri = shownLogo && version.logoUri;
    const logo = logoUri === undefined ? undefined : await versions.findLogo(site.id, logoUri);
    if (shownLogo?.digest !== logo?.digest) throw conflictOn(target, { own: stored.record }, 'logo');
    const { clientName, redirectUris } = version;
    const approved = { clientName, redirectUris, digest, scopes, logoUri, logoDigest: logo?.digest };
    const ending =
      stored.record?.ending === true || takesAway({ rule: was, hasApproval: false }, { rule, fallback: was, clientId });
    const decision: NewRule = {
      rule: inherits ? undefined : rule,
      approved,
      ending,
      note: { by, note },
      at: epochSeconds(),
    };
    if (!found) await save(site.id, shown, null);
    const written = await saveRule(store, site.id, target, decision, stored.text);
    if (written === undefined) throw conflictOn(target, { own: (await readRule(store, site.id, target)).record });
    // From now on every other version is news. What was shown in the meantime stays.
    if (shown.reported !== undefined || shown.digest !== digest) {
      const current = { client_name: clientName, redirect_uris: redirectUris, digest, reported: undefined };
      await save(site.id, { ...shown, ...current }, found?.text);
    }
    await versions.markUsed(clientId, digest, options.lifetimes(site).grant);
    const actor = administrator(by);
    const audited = { ...approved, scopes: scopes === undefined ? undefined : splitScope(scopes) };
    const details = { siteId: site.id, actor, clientId, app: app?.id };
    onAudit({ action: 'app.decided', reason: 'approved', ...details, rule: effect, approved: audited });
    if (!ending) return {};
    const finished = () => markEnded(store, site.id, target, { decision, text: written });
    return { unfinished: { refusesAll: refusesAll(was, rule), by, app: app?.id, finished } };
  };
}

function ownRule({ record }: StoredRule): AppRule | undefined {
  return record && ruleOf(record);
}

interface ApprovedClient {
  readonly app: RuledApp | undefined;
  readonly stored: StoredRule;
  /** The rule that was chosen with the approval. @default none */
  readonly chosen: AppRule | undefined;
}

interface RuleBeside {
  readonly rule: AppRule;
  /** What that is with the approval: it allows. */
  readonly effect: AppRule;
  /** Whether it is that of its app, and follows it. */
  readonly inherits: boolean;
  /** What applied until now. */
  readonly was: AppRule;
}

/** The rule of an approval: the chosen one, unless the approval leaves just that, as the client's own rule or that of its app. */
async function ruleBeside(
  { rules: { schoolRule } }: ApprovalOptions,
  { id: siteId }: Site,
  { app, stored, chosen }: ApprovedClient,
): Promise<RuleBeside> {
  const own = ownRule(stored);
  const was = own ?? (await schoolRule(siteId, { app: app?.id })).rule ?? noRule;
  // An approval lets the client do all that is approved, also where the rule lets it only view without one.
  const effect = was.access === 'view_only' ? { ...was, access: 'allowed' as const } : was;
  const isChosen = chosen !== undefined && !isSameRule(chosen, effect);
  return { rule: isChosen ? chosen : was, effect: isChosen ? chosen : effect, inherits: !isChosen && !own, was };
}

/** An approval takes nothing away that was approved of the same version before; `undefined` for every scope. */
function approvedScopes(
  before: ApprovedVersion | undefined,
  scopes: readonly string[] | undefined,
): string | undefined {
  if (scopes === undefined || (before && before.scopes === undefined)) return undefined;
  return [...new Set([...splitScope(before?.scopes), ...scopes])].join(' ');
}
