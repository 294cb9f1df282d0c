import type { AppStatus } from '../../../core/clients/client-status.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import { appOf } from '../../../core/clients/client-metadata.ts';
import type { ListQuery } from '../../../core/clients/listed-client.ts';
import { matches, orderOf } from '../../../core/clients/paging.ts';
import { applicationsOf, describerOf } from '../../../core/access/client-rows.ts';
import { granteesOf } from '../../../core/access/grantees.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { ruleTarget, targetName } from '../../../core/access/school-rules.ts';
import { type SchoolRecords, schoolRecords } from '../../../core/access/school-records.ts';
import { knownApps } from '../../../core/known-apps/known-apps.ts';
import type { Site } from '../../../host/school-platform.ts';
import { inParts, sortedInParts } from '../../../kernel/in-parts.ts';
import type { ClientMetadata } from '../../../records/codec.ts';
import { clientsByTarget, latestFirst, type AppsOptions } from './listed-apps.ts';
import { type AppUse, describeApps, type SchoolApp } from './school-apps.ts';

export interface AppQuery extends ListQuery {
  /** Only apps that people with this role can connect. @default all */
  readonly role?: string | undefined;
}

export interface FoundApps {
  /** All that the query is for, in its order. */
  readonly apps: readonly SchoolApp[];
  /** How many there are of each status, whichever status the query is for. */
  readonly counts: StatusCounts;
}

/** How many apps have each status. */
export type StatusCounts = Readonly<Record<AppStatus, number>>;

/** Finds apps among all of a school, those with the most people first. It reads everything, some at a time, so that other requests go on. */
export type AppFinder = (site: Site, query: AppQuery) => Promise<FoundApps>;

interface AppFinderOptions extends AppsOptions {
  /** Who can connect an app for operators. */
  readonly operatorRoles: ReadonlySet<string>;
}

export function appFinder(options: AppFinderOptions): AppFinder {
  return async (site, { role, status, sort = 'people', ...query }) => {
    // What a file has of unused apps is about to be disconnected: another process may know better.
    if (query.unusedDays !== undefined && query.size === undefined) options.connected.forget(site.id);
    const { targets, describe } = await appSource(options, site);
    const isWanted = matches(query);
    const all: SchoolApp[] = [];
    for await (const some of inParts(targets)) {
      const apps = await describe(some);
      all.push(...apps.filter((app) => isWanted(app) && (role === undefined || isFor(options, app, role))));
    }
    const counts = { allowed: 0, view_only: 0, needs_approval: 0, blocked: 0 };
    for (const app of all) counts[app.status] += 1;
    const wanted = all.filter((app) => status === undefined || app.status === status);
    return { apps: await sortedInParts(wanted, orderOf(sort)), counts };
  };
}

/** An app for operators is only for the roles of those; nobody connects a service. */
function isFor({ operatorRoles }: AppFinderOptions, { rule, status, audience }: SchoolApp, role: string): boolean {
  if (status === 'blocked' || audience === 'service') return false;
  return (audience !== 'operator' || operatorRoles.has(role)) && (rule.roles?.includes(role) ?? true);
}

interface AppSource {
  readonly targets: readonly AppTarget[];
  readonly describe: (targets: readonly AppTarget[]) => Promise<SchoolApp[]>;
}

async function appSource(options: AppsOptions, site: Site): Promise<AppSource> {
  const [records, applications] = await Promise.all([schoolRecords(options, site), applicationsOf(options, site)]);
  const { active, versionOf } = records;
  const known = { connected: [...active.values()], rules: latestFirst(records.rules), versionOf };
  const clientsOf = clientsByTarget(options, known);
  const useOf = (target: AppTarget): AppUse => {
    const noted = clientsOf(target).flatMap((clientId) => active.get(clientId) ?? []);
    const lastActiveAt = noted.reduce((latest, { at }) => Math.max(latest, at), 0) || undefined;
    if ('clientId' in target)
      return { lastActiveAt, createdAt: applications.get(target.clientId)?.client_id_issued_at };
    return {
      lastActiveAt,
      isUsed: noted.length > 0,
      verified: noted.every((each) => appOf(each)?.verified !== false),
    };
  };
  const describing = { ...options, describe: describerOf(options, site, records, applications) };
  const countPeople = peopleOf(options, site);
  return {
    targets: appTargets(options, records, applications),
    describe: (targets) => describeApps({ ...describing, countPeople }, site, known, targets, targets.map(useOf)),
  };
}

/** How many people have connected each: those of clients that are apps of their own do not count for their app. */
function peopleOf(
  { store, rules }: AppsOptions,
  site: Site,
): (targets: readonly AppTarget[]) => Promise<readonly number[]> {
  return async (targets) => {
    const grantees = targets.map((target) => granteesOf(target, rules.clientsInCode));
    const counts = (await store.countGrants(site.id, grantees.flat())).values();
    return grantees.map((all) => all.reduce((sum) => sum + (counts.next().value ?? 0), 0));
  };
}

/**
 * What the school decides on: those with a decision first, the latest before the others. A metadata document, of which the school
 * decides on versions, and what the school has added itself are apps of their own. A known app is one as well, with all else that
 * is known to be it, unless all of that is in the list already.
 */
function appTargets(
  { rules: { appIdOf } }: AppsOptions,
  { active, rules, shown }: SchoolRecords,
  applications: ReadonlyMap<string, ClientMetadata>,
): AppTarget[] {
  const isOwn = (clientId: string): boolean => applications.has(clientId) || isMetadataDocumentId(clientId);
  const appIn = (clientId: string): string | undefined => {
    const application = applications.get(clientId);
    return (application && appOf(application)?.id) ?? active.get(clientId)?.app ?? appIdOf(clientId);
  };
  const used = [...active.keys()].map((clientId): AppTarget => {
    const app = appIn(clientId);
    return isOwn(clientId) || app === undefined ? { clientId } : { app };
  });
  const clients = [...shown, ...applications.keys()].map((clientId) => ({ clientId }));
  const all = unique([...latestFirst(rules).map(ruleTarget), ...used, ...clients]);
  const named = new Set(all.map((target) => ('app' in target ? target.app : appIn(target.clientId))));
  const others = knownApps.filter(({ id }) => !named.has(id)).map(({ id }) => ({ app: id }));
  return [...all, ...others];
}

function unique(targets: readonly AppTarget[]): AppTarget[] {
  return [...new Map(targets.map((target) => [targetName(target), target])).values()];
}
