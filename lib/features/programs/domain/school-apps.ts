import type { ClientAudience, ClientSource, ProgramInfo } from '../../../core/clients/client.ts';
import type { ProgramStatus } from '../../../core/clients/client-status.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import { programOf } from '../../../core/clients/client-metadata.ts';
import type { DescribedClient, ListPage, ListQuery } from '../../../core/clients/listed-client.ts';
import { pageOf, select } from '../../../core/clients/paging.ts';
import { applicationsOf, describerOf } from '../../../core/decisions/client-rows.ts';
import type { ListedProgram, ProgramTarget } from '../../../core/decisions/program-rule.ts';
import { decisionTarget, targetName } from '../../../core/decisions/program-rules.ts';
import { type SchoolRecords, schoolRecords } from '../../../core/decisions/school-records.ts';
import { isProgramId, knownProgram, knownPrograms } from '../../../core/known-programs/known-programs.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { ClientMetadata, ConnectedClientRecord } from '../../../records/codec.ts';
import { clientsOf, type Describing, describeTargets, latestFirst, type ProgramsOptions } from './listed-programs.ts';

/** An app as administrators see it: all that they decide on at once. */
export interface SchoolApp extends ListedProgram {
  /** Where its metadata comes from; absent for a known program that nobody has connected. */
  readonly source?: ClientSource | undefined;
  readonly audience?: ClientAudience | undefined;
  readonly host?: string | undefined;
  readonly firstParty?: boolean | undefined;
  /** What is known of its program, and whether that is verified. */
  readonly known?: ProgramInfo | undefined;
  readonly lastActiveAt?: number | undefined;
  /** When the school has added it. */
  readonly createdAt?: number | undefined;
}

export interface AppQuery extends ListQuery {
  /** Only apps that people with this role can connect. @default all */
  readonly role?: string | undefined;
}

export interface SchoolApps {
  readonly list: ListPage<SchoolApp>;
  /** How many there are of each status, whichever status the query is for. */
  readonly counts: Readonly<Record<ProgramStatus, number>>;
}

/** The apps of a school. Reads four lists and the people of one page, however many apps there are. */
export type AppFinder = (site: Site, query: AppQuery) => Promise<SchoolApps>;

interface AppFinderOptions extends ProgramsOptions {
  /** Who can connect an app for operators. */
  readonly operatorRoles: ReadonlySet<string>;
}

export function appFinder(options: AppFinderOptions): AppFinder {
  return async (site, { role, status, page, size, ...query }) => {
    // What a file has of unused apps is about to be disconnected: another process may know better.
    if (query.unusedDays !== undefined && size === undefined) options.connected.forget(site.id);
    const { targets, describe } = await appSource(options, site);
    const all = await describe(targets, query.sort === 'people');
    const keyed = all.map((app, i) => ({ ...app, key: targets[i] }));
    const found = select(keyed, query).filter((app) => role === undefined || isFor(options, app, role));
    const counts = { allowed: 0, view_only: 0, needs_approval: 0, blocked: 0 };
    for (const app of found) counts[app.status] += 1;
    const keys = found.flatMap((app) => (app.key && (status === undefined || app.status === status) ? app.key : []));
    return { list: await pageOf({ keys, read: (some) => describe(some, true) }, { page, size }), counts };
  };
}

/** An app for operators is only for the roles of those; nobody connects a service. */
function isFor({ operatorRoles }: AppFinderOptions, { rule, status, audience }: SchoolApp, role: string): boolean {
  if (status === 'blocked' || audience === 'service') return false;
  return (audience !== 'operator' || operatorRoles.has(role)) && (rule.roles?.includes(role) ?? true);
}

interface AppSource {
  readonly targets: readonly ProgramTarget[];
  readonly describe: (targets: readonly ProgramTarget[], counts: boolean) => Promise<SchoolApp[]>;
}

async function appSource(options: ProgramsOptions, site: Site): Promise<AppSource> {
  const [records, applications] = await Promise.all([schoolRecords(options, site), applicationsOf(options, site)]);
  const known = {
    connected: [...records.active.values()],
    rules: latestFirst(records.rules),
    versionOf: records.versionOf,
  };
  const describeClient = remembered(describerOf(options, site, records, applications));
  return {
    targets: appTargets(options, records, applications),
    describe: async (targets: readonly ProgramTarget[], counts: boolean): Promise<SchoolApp[]> => {
      const describing: Describing = { ...options, describe: describeClient, counts };
      const listed = await describeTargets(describing, site, known, targets);
      const noted = clientsOf(options, known, targets).map((ids) => ids.flatMap((id) => records.active.get(id) ?? []));
      return Promise.all(
        listed.map(async (app, i) => {
          const { clientId, program: id = '' } = app;
          const clients = noted[i] ?? [];
          const lastActiveAt = clients.reduce((latest, { at }) => Math.max(latest, at), 0) || undefined;
          if (clientId === undefined) return { ...app, ...programFacts(id, clients), lastActiveAt };
          const { source, audience, host, firstParty, program } = await describeClient(clientId);
          const createdAt = applications.get(clientId)?.client_id_issued_at;
          return { ...app, source, audience, host, firstParty, known: program, lastActiveAt, createdAt };
        }),
      );
    },
  };
}

/** It is verified unless a client only claims to be it. */
function programFacts(id: string, clients: readonly ConnectedClientRecord[]): Partial<SchoolApp> {
  const source = clients.length > 0 ? 'registered' : undefined;
  if (!isProgramId(id)) return { source };
  const { name, publisher } = knownProgram(id);
  const verified = clients.every((each) => programOf(each)?.verified !== false);
  return { source, known: { id, name, publisher, verified } };
}

/**
 * What the school decides on: those with a decision first, the latest before the others. A metadata document, of which the school
 * decides on versions, and what the school has added itself are apps of their own. A known program is one as well, with all else that
 * is known to be it, unless all of that is in the list already.
 */
function appTargets(
  { rules: { programIdOf } }: ProgramsOptions,
  { active, rules, shown }: SchoolRecords,
  applications: ReadonlyMap<string, ClientMetadata>,
): ProgramTarget[] {
  const isOwn = (clientId: string): boolean => applications.has(clientId) || isMetadataDocumentId(clientId);
  const programIn = (clientId: string): string | undefined => {
    const application = applications.get(clientId);
    return (application && programOf(application)?.id) ?? active.get(clientId)?.program ?? programIdOf(clientId);
  };
  const used = [...active.keys()].map((clientId): ProgramTarget => {
    const program = programIn(clientId);
    return isOwn(clientId) || program === undefined ? { clientId } : { program };
  });
  const clients = [...shown, ...applications.keys()].map((clientId) => ({ clientId }));
  const all = unique([...latestFirst(rules).map(decisionTarget), ...used, ...clients]);
  const named = new Set(all.map((target) => ('program' in target ? target.program : programIn(target.clientId))));
  const others = knownPrograms.filter(({ id }) => !named.has(id)).map(({ id }) => ({ program: id }));
  return [...all, ...others];
}

function unique(targets: readonly ProgramTarget[]): ProgramTarget[] {
  return [...new Map(targets.map((target) => [targetName(target), target])).values()];
}

function remembered(
  describe: (clientId: string) => Promise<DescribedClient>,
): (clientId: string) => Promise<DescribedClient> {
  const found = new Map<string, Promise<DescribedClient>>();
  return (clientId) => {
    const before = found.get(clientId) ?? describe(clientId);
    found.set(clientId, before);
    return before;
  };
}
