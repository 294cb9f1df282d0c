import type { Core } from '../../../core/core.ts';
import type { Apps, ChangeDetails, DecisionEffect, ListedApp, NamedApp } from '../../../core/apps/apps.ts';
import type { Incidents } from '../../../core/apps/incidents.ts';
import { targetOf } from '../../../core/apps/named-app.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import { pageOf } from '../../../core/clients/paging.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { keepsApproval } from '../../../core/access/ended-by-rule.ts';
import type { SchoolAppIds } from '../../../core/access/school-apps.ts';
import type { SchoolRolesFinder } from '../../../core/access/school-roles.ts';
import type { Scope } from '../../../core/scopes/scopes.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { Settings } from '../../../options/options.ts';
import { type AppFinder, appFinder } from './all-apps.ts';
import {
  type AppPermissions,
  appPermissions,
  appSource,
  type AppsOptions,
  fallbackRule,
  findApp,
} from './listed-apps.ts';
import { allowedPeopleMethods } from './allow-person.ts';
import { findReviewed } from './reviewed-version.ts';
import type { Reviews } from './reviews.ts';
import type { JudgeOptions } from './judged-connections.ts';
import { type RuleReach, ruleReach } from './rule-reach.ts';
import { allClients, apply, checkTarget, endOf, finish, noEffect, resetRule, tell } from './rule-change.ts';
import { createIncidents } from './incidents.ts';
import { ruleReplay, type RuleReplay } from './replayed-rule.ts';
import type { RuleChecks } from './rule-check.ts';
import { seenIn, withReview } from './seen-version.ts';
import { administrator } from './stored-rule.ts';
import { type UnusedCounter, unusedCounter } from './unused-count.ts';
import { type AppFactsFinder, appFactsFinder, type UsedAppFinder, usedAppFinder } from './used-apps.ts';

/** What a school has decided about apps and clients. */
export interface AppManager {
  readonly apps: Apps;
  readonly incidents: Incidents;
  readonly replayRule: RuleReplay;
  /** `apps.set`, which also knows for which scopes the administrator can approve a version. @default every operator scope */
  readonly decide: Decide;
  /** `apps.find` without what is to be reviewed: nothing is fetched, and the version says what was decided alone. */
  readonly findListed: Apps['find'];
  /** Ends all connections of an app or client. */
  readonly endAll: (site: Site, app: NamedApp) => Promise<{ readonly connections: number }>;
  /** Whom a rule would refuse if it were in force. */
  readonly reachOf: RuleReach['preview'];
  /** Who is connected, by role. */
  readonly countByRole: RuleReach['count'];
  readonly appPermissions: AppPermissions;
  readonly schoolRoles: SchoolRolesFinder;
  readonly schoolAppIds: SchoolAppIds;
  readonly allApps: AppFinder;
  readonly appFacts: AppFactsFinder;
  readonly usedApps: UsedAppFinder;
  readonly countUnused: UnusedCounter;
}

type Decide = (
  site: Site,
  app: NamedApp,
  rule: AppRule,
  details?: ChangeDetails & { readonly scopes?: readonly Scope[] | undefined },
) => Promise<DecisionEffect>;

declare module '../../parts.ts' {
  interface School {
    readonly apps: AppManager;
  }
}

export function createApps(
  { operatorRoles, clients: inCode }: Settings,
  { host, records, access, clients, limits, audit, rules }: Core,
  { checkRule, schoolRoles }: RuleChecks,
  reviews: Reviews,
): AppManager {
  const { store } = records;
  const listing: AppsOptions = {
    store,
    lifetimes: limits.lifetimes,
    clients: clients.findStored,
    connected: clients.connected,
    rules,
    onAudit: audit.onAudit,
  };
  const setUpAt = (siteId: string): string[] =>
    inCode.flatMap(({ clientId, sites }) => (sites?.includes(siteId) === false ? [] : clientId));
  const findClient: JudgeOptions['findClient'] = (siteId, clientId) => clients.find(siteId, clientId, 'identify');
  const judging = { store, platform: host.platform, access, findClient };
  const options = { ...listing, reach: ruleReach({ ...listing, judging, storeTime: records.time }) };
  const findKnown = async (site: Site, app: NamedApp): ReturnType<typeof findApp> => {
    const target = targetOf(app);
    const found = await findApp(options, site, target);
    if ('app' in target && !found.listed.decided) await rules.apps.check(site.id, target.app);
    return found;
  };
  const decide: Decide = async (site, app, rule, { scopes, version, ...note } = {}) => {
    const target = targetOf(app);
    await checkTarget(options, site, target);
    const seen = version === undefined ? undefined : seenIn(version);
    if ('clientId' in target && seen?.digest !== undefined && keepsApproval(rule)) {
      const logo = seen.logo === undefined ? undefined : { digest: seen.logo };
      const reviewed = await findReviewed(options, site, target.clientId);
      const beside = { rule, scopes, logo, version: seen.decision, reviewed: reviewed?.shown, ...note };
      const { unfinished } = await reviews.documents.approve(site, target.clientId, seen.digest, beside);
      return unfinished ? finish(options, site, target, unfinished) : noEffect;
    }
    await checkRule(site, target, rule);
    const { effect } = await apply(options, site, target, { rule, note, version: seen?.decision }, (ofClient) =>
      tell(options, site, target, { reason: 'set', by: note.by, app: ofClient, rule }),
    );
    return effect;
  };
  const allApps = appFinder({ ...options, operatorRoles, setUpAt });
  return {
    apps: {
      ...lists(options, reviews),
      async find(site, app) {
        const { listed, reviewed } = await findKnown(site, app);
        return reviewed ? withReview(listed, await reviews.describeOne(site.id, reviewed)) : listed;
      },
      set: (site, app, rule, details) => decide(site, app, rule, details),
      reset: (site, app, details) => resetRule(options, site, targetOf(app), details),
      ...allowedPeopleMethods(options),
    },
    incidents: createIncidents(options, host.findSite),
    replayRule: ruleReplay(options),
    decide,
    findListed: async (site, app) => (await findKnown(site, app)).listed,
    endAll: async (site, app) => {
      const { app: ofClient } = await fallbackRule(options, site, targetOf(app));
      const details = { actor: administrator(), reason: 'client_disconnected', app: ofClient } as const;
      return { connections: await endOf(options, site, await allClients(options, site, targetOf(app)), details) };
    },
    appPermissions: appPermissions(options),
    schoolRoles,
    schoolAppIds: rules.apps,
    reachOf: options.reach.preview,
    countByRole: options.reach.count,
    allApps,
    appFacts: appFactsFinder(options),
    usedApps: usedAppFinder(options),
    countUnused: unusedCounter(allApps),
  };
}

function lists(options: AppsOptions, { documents, describe }: Reviews): Pick<Apps, 'list'> {
  return {
    async list(site, { waiting, used, ...query } = {}) {
      const source = await appSource(options, site);
      const all = waiting ? (await documents.waiting(site)).map((clientId) => ({ clientId })) : source.keys;
      const keys = used ? await source.usedOf(all) : all;
      const read = async (targets: readonly AppTarget[]): Promise<ListedApp[]> =>
        Promise.all(
          (await source.read(targets)).map(async (listed) => {
            const reviewed = listed.clientId === undefined ? undefined : await source.reviewedOf(listed.clientId);
            return reviewed ? withReview(listed, await describe(reviewed)) : listed;
          }),
        );
      // No review is searched, filtered or sorted by.
      return pageOf({ keys, read, readListed: source.read }, query);
    },
  };
}
