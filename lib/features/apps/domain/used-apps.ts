import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import type { ClientFinder } from '../../../core/clients/client-finder.ts';
import { notedClients, recordsOf, type ActiveClients } from '../../../core/access/school-records.ts';
import { describerOf } from '../../../core/access/client-rows.ts';
import { granteesOf, appOfKey } from '../../../core/access/grantees.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import type { Site } from '../../../host/school-platform.ts';
import { type Grantee, granteeName } from '../../../records/grantee.ts';
import type { RecordOf } from '../../../records/record.ts';
import type { UsedGrantee } from '../../../records/store.ts';
import { type AppsOptions, appTimes } from './listed-apps.ts';
import { type AppUse, describeApps, knownAppFacts, type SchoolApp } from './school-apps.ts';

/** Some apps that people have connected. */
export interface UsedApps {
  readonly apps: readonly SchoolApp[];
  /** The start of the next page. Absent from the last page. */
  readonly next: string | undefined;
}

/** Finds the apps that people have connected, those with the most people first, from `next` of the page before on. */
export type UsedAppFinder = (site: Site, after: string) => Promise<UsedApps>;

const pageSize = 20;

/** How often the order is read for one page: an app of several clients has a place for each and is shown at the first. */
const maxReads = 3;

/** Reads the records of one page, however many clients and rules a school has. */
export function usedAppFinder(options: AppsOptions): UsedAppFinder {
  return async (site, after) => {
    const used: UsedTarget[] = [];
    let next: string | undefined = after;
    for (let reads = 0; next !== undefined && used.length < pageSize && reads < maxReads; reads += 1) {
      const page = await options.store.clientsByUse(site.id, { after: next, limit: pageSize - used.length });
      used.push(...(await usedTargets(options, site, page.entries)));
      next = page.next ?? undefined;
    }
    return { apps: await describeUsed(options, site, used), next };
  };
}

/** An app in the order, with its clients and the apps of the store that have people. */
interface UsedTarget {
  readonly target: AppTarget;
  readonly people: number;
  readonly grantees: readonly Grantee[];
}

/** The apps that have their place here. What is one app has its place where most of its people are. */
async function usedTargets(
  { store, rules }: AppsOptions,
  site: Site,
  entries: readonly UsedGrantee[],
): Promise<UsedTarget[]> {
  const all = entries.map((entry) => {
    const target = targetOf(entry, rules.appIdOf);
    return { target, entry, grantees: granteesOf(target, rules.clientsInCode) };
  });
  const apps = all.filter(({ target }) => 'app' in target);
  const counts = (
    await store.countGrants(
      site.id,
      apps.flatMap(({ grantees }) => grantees),
    )
  ).values();
  return all.flatMap(({ target, entry, grantees }) => {
    if ('clientId' in target) return { target, people: entry.grants, grantees };
    const counted = grantees.map((grantee) => ({ grantee, people: counts.next().value ?? 0 }));
    const used = counted.filter(({ people }) => people > 0).sort((a, b) => b.people - a.people);
    const [first] = used;
    const isHere = first !== undefined && granteeName(first.grantee) === granteeName(entry);
    const people = used.reduce((sum, each) => sum + each.people, 0);
    return isHere ? { target, people, grantees: used.map(({ grantee }) => grantee) } : [];
  });
}

/** What is known of a known app, by who is connected to it now: the same as in the list. */
export type AppFactsFinder = (site: Site, app: string) => Promise<Pick<SchoolApp, 'source' | 'known'>>;

export function appFactsFinder({ store, rules }: AppsOptions): AppFactsFinder {
  return async (site, app) => {
    const grantees = granteesOf({ app }, rules.clientsInCode);
    const counts = await store.countGrants(site.id, grantees);
    const used = grantees.filter((_grantee, i) => (counts[i] ?? 0) > 0);
    const use = used.length > 0 ? { isUsed: true, verified: areVerified(used) } : {};
    return knownAppFacts(rules.waysOf(app), app, use);
  };
}

function areVerified(grantees: readonly Grantee[]): boolean {
  return grantees.every((grantee) => !('app' in grantee) || appOfKey(grantee.app).verified);
}

function targetOf(grantee: Grantee, appIdOf: (clientId: string) => string | undefined): AppTarget {
  if ('app' in grantee) return { app: appOfKey(grantee.app).id };
  const { clientId } = grantee;
  // A metadata document is an app of its own, whatever app it is.
  const app = isMetadataDocumentId(clientId) ? undefined : appIdOf(clientId);
  return app === undefined ? { clientId } : { app };
}

async function describeUsed(options: AppsOptions, site: Site, used: readonly UsedTarget[]): Promise<SchoolApp[]> {
  const grantees = used.flatMap((each) => each.grantees);
  const [active, apps] = await Promise.all([
    notedClients(
      options,
      site,
      grantees.flatMap((grantee) => ('clientId' in grantee ? grantee.clientId : [])),
    ),
    notedApps(
      options,
      site,
      grantees.flatMap((grantee) => ('app' in grantee ? grantee.app : [])),
    ),
  ]);
  const targets = used.map(({ target }) => target);
  const { describe, records } = await clientsOfPage(options, site, active, targets);
  const known = { connected: [], rules: records.rules, versionOf: records.versionOf };
  const countPeople = async (): Promise<number[]> => used.map(({ people }) => people);
  const uses = used.map((each) => useOf(each, active, apps));
  return describeApps({ ...options, describe, countPeople }, site, known, targets, uses);
}

type NotedApps = ReadonlyMap<string, RecordOf<'ConnectedApp'>>;

/** When apps of many clients were last active and first connected. */
async function notedApps({ store }: AppsOptions, site: Site, apps: readonly string[]): Promise<NotedApps> {
  const found = await Promise.all(
    apps.map(async (app) => [app, (await store.find(site.id, 'ConnectedApp', app))?.record] as const),
  );
  return new Map(found.flatMap(([app, record]) => (record === undefined ? [] : [[app, record] as const])));
}

/** The clients on a page, and the rules for them and for their apps. */
async function clientsOfPage(options: AppsOptions, site: Site, active: ActiveClients, targets: readonly AppTarget[]) {
  const clients = rememberedClients(options.clients);
  const noNames = { active, shownName: () => undefined };
  const describe = describerOf({ ...options, clients }, site, noNames, new Map());
  const clientIds = targets.flatMap((target) => ('clientId' in target ? target.clientId : []));
  const apps = await Promise.all(
    targets.map(async (target) => {
      if ('app' in target) return target.app;
      const { app } = (await describe(target.clientId)).client;
      return app?.id ?? options.rules.appIdOf(target.clientId) ?? [];
    }),
  );
  const wanted = { clientIds, apps: [...new Set(apps.flat())] };
  const records = await recordsOf(options, site, active, wanted);
  return { records, describe: describerOf({ ...options, clients }, site, records, new Map()) };
}

function rememberedClients(find: ClientFinder): ClientFinder {
  const found = new Map<string, ReturnType<ClientFinder>>();
  return (siteId, clientId, lookup) => {
    const before = found.get(clientId) ?? find(siteId, clientId, lookup);
    found.set(clientId, before);
    return before;
  };
}

function useOf({ grantees }: UsedTarget, active: ActiveClients, apps: NotedApps): AppUse {
  const noted = grantees.flatMap(
    (grantee) => ('app' in grantee ? apps.get(grantee.app) : active.get(grantee.clientId)) ?? [],
  );
  return { ...appTimes(noted), isUsed: true, verified: areVerified(grantees) };
}
