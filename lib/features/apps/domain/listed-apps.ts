import { listedPermission, type ListedPermission, statusIn } from '../../../core/access/listed-permission.ts';
import { decidedIn, ruleVersion } from '../../../core/access/rule-version.ts';
import type { AllowedPersonFinder } from '../../../core/access/allowed-people.ts';
import { appOf } from '../../../core/clients/client-metadata.ts';
import { ruleTarget, ruleOf, rulesOfSchool, targetName } from '../../../core/access/school-rules.ts';
import type { AppRuleFinders } from '../../../core/access/rule-finders.ts';
import { isStricter, noRule } from '../../../core/access/rule.ts';
import {
  clientRecords,
  type DocumentRecords,
  schoolRecords,
  type VersionStates,
} from '../../../core/access/school-records.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import type { ListedApp } from '../../../core/apps/apps.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import type { RecordOf } from '../../../records/record.ts';
import { isKnownAppId, knownApp, knownApps } from '../../../core/known-apps/known-apps.ts';
import type { ClientMetadata, ConnectedClientRecord } from '../../../records/codec.ts';
import {
  type ClientListOptions,
  type IdentifiedClient,
  identifyClient,
  describer,
} from '../../../core/access/client-rows.ts';
import type { OnAudit } from '../../../observe/audit-event.ts';
import { reviewedVersion } from './reviewed-version.ts';

export interface AppsOptions extends ClientListOptions {
  readonly onAudit: OnAudit;
  readonly rules: AppRuleFinders;
}

type RuleRecord = RecordOf<'AppRule'>;

/** What is stored of apps at a school. */
export interface Stored {
  readonly connected: readonly ConnectedClientRecord[];
  readonly rules: readonly RuleRecord[];
  /** What is decided about the versions of clients. Absent where only apps are described. */
  readonly versionOf?: VersionStates;
}

/** What the school reviews of a client, and what was decided on it. */
type ReviewedOf = (clientId: string) => Promise<DocumentRecords | undefined>;

export async function stored(options: AppsOptions, site: Pick<Site, 'id'>): Promise<Stored> {
  const connected = options.store.list(site.id, 'ConnectedClient');
  const [noted, rules] = await Promise.all([connected, options.store.list(site.id, 'AppRule')]);
  return { connected: noted, rules: latestFirst(rules) };
}

export function latestFirst(rules: readonly RuleRecord[]): RuleRecord[] {
  return [...rules].sort((a, b) => b.at - a.at);
}

/** The clients of each target. A client is noted before its first consent is written. */
export function clientsOf(options: AppsOptions, known: Stored, targets: readonly AppTarget[]): (readonly string[])[] {
  return targets.map(clientsByTarget(options, known));
}

export function clientsByTarget(
  { rules: { appIdOf } }: AppsOptions,
  { connected, rules }: Stored,
): (target: AppTarget) => readonly string[] {
  const ruled = new Set(rules.filter((rule) => ruleOf(rule)).map(({ client_id: clientId }) => clientId));
  const others = connected.filter(({ client_id: clientId }) => !ruled.has(clientId));
  const byApp = Map.groupBy(others, ({ client_id: clientId, app = appIdOf(clientId) }) => app);
  return (target) =>
    'clientId' in target ? [target.clientId] : (byApp.get(target.app) ?? []).map(({ client_id: clientId }) => clientId);
}

/** Those with a rule first, the latest before the others; then what is in use, clients that people were shown, and the known apps. */
function listedTargets(
  { rules: { appIdOf } }: AppsOptions,
  { connected, rules }: Stored,
  shown: readonly string[],
): AppTarget[] {
  const used = connected.map(({ client_id: clientId, app = appIdOf(clientId) }) =>
    app === undefined ? { clientId } : { app },
  );
  const clients = shown.map((clientId) => ({ clientId }));
  const all = [...rules.map(ruleTarget), ...used, ...clients, ...knownApps.map(({ id: app }) => ({ app }))];
  return [...new Map(all.map((target) => [targetName(target), target])).values()];
}

/** All that a list can have, and what the school reviews of the clients in it. */
export interface AppSource {
  readonly keys: readonly AppTarget[];
  readonly read: (targets: readonly AppTarget[]) => Promise<readonly ListedApp[]>;
  /** Looks up a client that nobody was shown to review. */
  readonly reviewedOf: ReviewedOf;
  /** Those that people are connected to now. */
  readonly usedOf: (targets: readonly AppTarget[]) => Promise<AppTarget[]>;
}

/** Reads lists only, however many clients the apps have. */
export async function appSource(options: AppsOptions, site: Site): Promise<AppSource> {
  const records = await schoolRecords(options, site);
  const known = {
    connected: [...records.active.values()],
    rules: latestFirst(records.rules),
    versionOf: records.versionOf,
  };
  const describe = await describer(options, site, records);
  return {
    keys: listedTargets(options, known, records.shown),
    read: (targets) => describeTargets({ ...options, describe }, site, known, targets),
    async reviewedOf(clientId) {
      const shown = records.shownOf(clientId);
      if (shown || !records.active.has(clientId)) return shown;
      return reviewedVersion(records, clientId, await options.clients(site.id, clientId, 'identify'));
    },
    async usedOf(targets) {
      const people = await peopleReached(options, site, clientsOf(options, known, targets));
      return targets.filter((_target, i) => (people[i] ?? 0) > 0);
    },
  };
}

/** An app or client, and what the school reviews of it. */
interface FoundApp {
  readonly listed: ListedApp;
  readonly reviewed: DocumentRecords | undefined;
}

/** Reads no list for a client. */
export async function findApp(options: AppsOptions, site: Site, target: AppTarget): Promise<FoundApp> {
  const client = 'clientId' in target ? await options.clients(site.id, target.clientId, 'identify') : undefined;
  const describing = {
    ...options,
    describe: async (clientId: string) => identifyClient(options.rules, clientId, client),
  };
  const { known, reviewed } =
    'clientId' in target
      ? await storedOf(describing, site, target.clientId, client)
      : { known: await stored(options, site), reviewed: undefined };
  const [listed] = await describeTargets(describing, site, known, [target]);
  if (!listed) throw new Error('a target was not described');
  return { listed, reviewed };
}

/** What is stored for a client, with the rule of its app. */
async function storedOf(options: Describing, site: Site, clientId: string, client: ClientMetadata | undefined) {
  const { app } = await partiesOf(options, { clientId });
  const records = await clientRecords(options, site, clientId, app);
  const { active, rules, versionOf } = records;
  const known = { connected: [...active.values()], rules, versionOf };
  return { known, reviewed: reviewedVersion(records, clientId, client) };
}

export interface Describing extends AppsOptions {
  readonly describe: (clientId: string) => Promise<IdentifiedClient>;
  /** How many people each target has. @default all whom a decision on it reaches */
  readonly countPeople?: ((targets: readonly AppTarget[]) => Promise<readonly number[]>) | undefined;
}

export async function describeTargets(
  options: Describing,
  site: Site,
  known: Stored,
  targets: readonly AppTarget[],
): Promise<ListedApp[]> {
  const { recordOf, schoolRule } = rulesOfSchool(known.rules);
  const { countPeople = (all) => peopleReached(options, site, clientsOf(options, known, all)) } = options;
  const people = await countPeople(targets);
  const timesOf = activity(options, known);
  return Promise.all(
    targets.map(async (target, i) => {
      const record = recordOf(target);
      const own = record && ruleOf(record);
      const { app, client, ways } = await partiesOf(options, target);
      const school = schoolRule({ clientId: client?.clientId, app: app?.id });
      const version = client && (await known.versionOf?.(client.clientId));
      const question = { site, ways, app: app?.id, client, version, school };
      const decision = await listedPermission(options.rules.sources, question);
      const inForce = { rule: decision.rule, from: decision.from };
      const shared = {
        ...(own && { own }),
        ...(record && { decided: decidedIn(record) }),
        ...(record?.incidents && { incidents: record.incidents }),
        version: ruleVersion({
          own: record,
          ofApp: client && app ? recordOf({ app: app.id }) : undefined,
        }),
        status: statusIn(decision),
        people: people[i] ?? 0,
        ...timesOf(target),
      };
      if ('app' in target) {
        const { app: id } = target;
        return { app: id, clientName: isKnownAppId(id) ? knownApp(id).name : id, ...inForce, ...shared };
      }
      const { clientId } = target;
      const { clientName = clientId, source, audience, host } = client ?? {};
      return { clientId, clientName, app: app?.id, source, audience, host, ...inForce, ...shared };
    }),
  );
}

type AppTimes = Pick<ListedApp, 'lastActiveAt' | 'connectedAt'>;

/** When the clients of a target were last active and first connected, those with a rule of their own as well. */
function activity(options: AppsOptions, { connected }: Stored): (target: AppTarget) => AppTimes {
  const records = new Map(connected.map((record) => [record.client_id, record]));
  const clientsIn = clientsByTarget(options, { connected, rules: [] });
  return (target) => appTimes(clientsIn(target).flatMap((id) => records.get(id) ?? []));
}

/** If the beginning of one of them is not known, that of the app is not. */
export function appTimes(noted: readonly Pick<ConnectedClientRecord, 'at' | 'since'>[]): AppTimes {
  const lastActiveAt = noted.reduce((latest, { at }) => Math.max(latest, at), 0);
  const connectedAt = noted.reduce((first, { since = 0 }) => Math.min(first, since), Infinity);
  return {
    ...(lastActiveAt > 0 && { lastActiveAt }),
    ...(connectedAt > 0 && connectedAt < Infinity && { connectedAt }),
  };
}

async function peopleReached(
  { store }: AppsOptions,
  { id: siteId }: Site,
  ofTargets: readonly (readonly string[])[],
): Promise<number[]> {
  const clients = ofTargets.flat().map((clientId) => ({ clientId }));
  const counts = (await store.countGrants(siteId, clients)).values();
  return ofTargets.map((ids) => ids.reduce((sum) => sum + (counts.next().value ?? 0), 0));
}

async function partiesOf({ describe, rules: { appIdOf, waysOf } }: Describing, target: AppTarget) {
  if ('app' in target) {
    const { app: id } = target;
    return { app: { id, verified: true }, client: undefined, ways: waysOf(id) };
  }
  const { client, identity } = await describe(target.clientId);
  const id = appIdOf(target.clientId);
  const app = client.app ?? (id === undefined ? undefined : { id, verified: true });
  return { app, client, ways: identity ? [{ identity, audience: client.audience }] : [] };
}

/** What is decided about the known apps at a school, without those of which nothing is taken away. */
export type AppPermissions = (site: Site, member?: Member) => Promise<ReadonlyMap<string, ListedPermission>>;

/** Reads lists only: what `campus.explain` says of each app to somebody whose roles are enough for its client. */
export function appPermissions({ store, rules: { sources, waysOf } }: AppsOptions): AppPermissions {
  return async (site, member) => {
    const [rules, people] = await Promise.all([
      store.list(site.id, 'AppRule'),
      member ? store.list(site.id, 'AllowedPerson') : [],
    ]);
    const { schoolRule } = rulesOfSchool(rules);
    const allowed = new Set(people.flatMap((each) => (each.member_id === member?.id ? [each.app] : [])));
    const isPersonAllowed: AllowedPersonFinder = async (_site, { app }) => allowed.has(app);
    // Whether it will act for an operator is up to the client, so no role is missing yet.
    const person = member && { member, isPersonAllowed };
    const found = knownApps.map(async ({ id }) => {
      const question = { site, ways: waysOf(id), app: id, school: schoolRule({ app: id }), person };
      const decision = await listedPermission(sources, question);
      return isStricter(decision.rule, noRule) ? [[id, decision] as const] : [];
    });
    return new Map((await Promise.all(found)).flat());
  };
}

/** What applies to a client without a rule of its own, and the app of that client. */
export async function fallbackRule(
  { clients, rules: { appIdOf, schoolRule } }: AppsOptions,
  { id: siteId }: Pick<Site, 'id'>,
  target: AppTarget,
): Promise<{ readonly rule: AppRule; readonly app: string | undefined }> {
  if ('app' in target) return { rule: noRule, app: undefined };
  const id = appIdOf(target.clientId);
  // A document whose host is no longer permitted is not found, and can still have a rule.
  const client = await clients(siteId, target.clientId, 'identify');
  const app = appOf(client ?? {})?.id ?? id;
  return { rule: (await schoolRule(siteId, { app })).rule ?? noRule, app };
}
