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
import { appTimes, clientsByTarget, latestFirst, type AppsOptions } from './listed-apps.ts';
import { type AppUse, describeApps, type SchoolApp } from './school-apps.ts';

export interface AppQuery extends ListQuery {
  /** Only apps that people with this role can connect. @default all */
  readonly role?: string | undefined;
  /** Only what can change data, or what the school has decided on. @default all */
  readonly only?: 'changes' | 'decided' | undefined;
}

export interface FoundApps {
  /** All that the query is for, in its order. */
  readonly apps: readonly SchoolApp[];
  /** How many each of these lists has, whichever of them the query is for. */
  readonly counts: AppCounts;
}

/** How many apps can change data, have a decision or are blocked, and how many there are. */
export type AppCounts = Readonly<Record<'changes' | 'decided' | 'blocked' | 'all', number>>;

/** Finds apps among all of a school, those with the most people first. It reads everything, some at a time, so that other requests go on. */
export type AppFinder = (site: Site, query: AppQuery) => Promise<FoundApps>;

interface AppFinderOptions extends AppsOptions {
  /** Who can connect an app for operators. */
  readonly operatorRoles: ReadonlySet<string>;
  /** The clients that the platform has set up at a school. */
  readonly setUpAt: (siteId: string) => readonly string[];
}

export function appFinder(options: AppFinderOptions): AppFinder {
  const { catalogue } = options.rules.sources;
  return async (site, { role, status, only, sort = 'people', ...query }) => {
    // What a file has of unused apps is about to be disconnected: another process may know better.
    if (query.unusedDays !== undefined && query.size === undefined) options.connected.forget(site.id);
    const { targets, describe } = await appSource(options, site);
    const isWanted = matches(query);
    const all: SchoolApp[] = [];
    for await (const some of inParts(targets)) {
      const apps = await describe(some);
      all.push(...apps.filter((app) => isWanted(app) && (role === undefined || isFor(options, app, role))));
    }
    const changing = all.filter(({ canGet }) => canGet.some((scope) => catalogue.row(scope)?.access === 'write'));
    const decided = all.filter((app) => app.own !== undefined);
    const blocked = all.filter((app) => app.status === 'blocked').length;
    const counts = { changes: changing.length, decided: decided.length, blocked, all: all.length };
    const listed = only === undefined ? all : { changes: changing, decided }[only];
    const wanted = listed.filter((app) => status === undefined || app.status === status);
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

async function appSource(options: AppFinderOptions, site: Site): Promise<AppSource> {
  const [records, applications] = await Promise.all([schoolRecords(options, site), applicationsOf(options, site)]);
  const { active, versionOf } = records;
  const known = { connected: [...active.values()], rules: latestFirst(records.rules), versionOf };
  const clientsOf = clientsByTarget(options, known);
  const useOf = (target: AppTarget): AppUse => {
    const noted = clientsOf(target).flatMap((clientId) => active.get(clientId) ?? []);
    const times = appTimes(noted);
    if ('clientId' in target) return { ...times, createdAt: applications.get(target.clientId)?.client_id_issued_at };
    return {
      ...times,
      isUsed: noted.length > 0,
      ...(noted.length > 0 && { verified: noted.every((each) => appOf(each)?.verified !== false) }),
    };
  };
  const describing = { ...options, describe: describerOf(options, site, records, applications) };
  const countPeople = peopleOf(options, site);
  return {
    targets: appTargets(options, records, { applications, setUp: options.setUpAt(site.id) }),
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
  { applications, setUp }: { applications: ReadonlyMap<string, ClientMetadata>; setUp: readonly string[] },
): AppTarget[] {
  const isOwn = (clientId: string): boolean => applications.has(clientId) || isMetadataDocumentId(clientId);
  const appIn = (clientId: string): string | undefined => {
    const application = applications.get(clientId);
    return (application && appOf(application)?.id) ?? active.get(clientId)?.app ?? appIdOf(clientId);
  };
  const used = [...active.keys(), ...setUp].map((clientId): AppTarget => {
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
