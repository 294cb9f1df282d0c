import { type AppIdentity, identityOf, identityOfDocument } from './app.ts';
import { isMetadataDocumentId } from '../clients/client-id.ts';
import type { AppRuleFinders } from './rule-finders.ts';
import { orderOf, select } from '../clients/paging.ts';
import { describeClient } from '../clients/client-metadata.ts';
import { type KnownNames, type SchoolRecords, schoolRecords, type SchoolRecordsOptions } from './school-records.ts';
import type { ClientFinder } from '../clients/client-finder.ts';
import type { ConnectedClient, DescribedClient, ListQuery } from '../clients/listed-client.ts';
import type { Site } from '../../host/school-platform.ts';
import { inParts } from '../../kernel/in-parts.ts';
import { type Scope, splitScope } from '../scopes/scopes.ts';
import type { ClientMetadata } from '../../records/codec.ts';

export interface ClientListOptions extends SchoolRecordsOptions {
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
}

/** A connected client without what only its own record has. */
export type ClientRow = Omit<ConnectedClient, 'scopes' | 'redirectUris'>;

/** A client as lists show it, with who it is for policies, if it still exists. */
export interface IdentifiedClient {
  readonly client: DescribedClient;
  readonly identity: AppIdentity | undefined;
  /** What it can ask for. Absent where that is not stored beside its name: then it is all for its audience. */
  readonly scopes?: readonly Scope[] | undefined;
}

/** Whether it exists or not: it may have a rule, or connections, all the same. */
export function identifyClient(
  { rowOf }: AppRuleFinders,
  clientId: string,
  client: ClientMetadata | undefined,
): IdentifiedClient {
  const identity = isMetadataDocumentId(clientId) ? identityOfDocument(rowOf(clientId)) : client && identityOf(client);
  const scopes = client?.scope === undefined ? undefined : splitScope(client.scope);
  return { client: describeClient(clientId, client), identity, scopes };
}

/** Describes clients of a school from lists. Only those whose record has no name, which are in code, are looked up. */
export async function describer(
  options: ClientListOptions,
  site: Site,
  records: KnownNames,
): Promise<(clientId: string) => Promise<IdentifiedClient>> {
  return describerOf(options, site, records, await applicationsOf(options, site));
}

/** The applications of a school, by id. */
export async function applicationsOf(
  { store }: ClientListOptions,
  { id: siteId }: Site,
): Promise<ReadonlyMap<string, ClientMetadata>> {
  return new Map((await store.list(siteId, 'Client')).map((client) => [client.client_id, client]));
}

/** The same, with applications that are read already. */
export function describerOf(
  { clients, rules }: Pick<ClientListOptions, 'clients' | 'rules'>,
  { id: siteId }: Site,
  { active, shownName }: KnownNames,
  applications: ReadonlyMap<string, ClientMetadata>,
): (clientId: string) => Promise<IdentifiedClient> {
  return async (clientId) => {
    const record = active.get(clientId);
    const noted = record?.client_name === undefined ? undefined : { ...record, campus_source: 'registered' as const };
    const client = applications.get(clientId) ?? noted ?? (await clients(siteId, clientId, 'identify'));
    const name = client?.client_name ?? shownName(clientId);
    return identifyClient(rules, clientId, client && name !== undefined ? { ...client, client_name: name } : client);
  };
}

/** All clients of a school that a query is for, with a constant number of look-ups. */
export async function clientRows(
  options: ClientListOptions,
  site: Site,
  { sort, ...query }: ListQuery,
): Promise<ClientRow[]> {
  const records = await schoolRecords(options, site);
  const describe = await describer(options, site, records);
  const all: Omit<ClientRow, 'people'>[] = [];
  for await (const some of inParts([...new Set([...records.active.keys(), ...records.ruled])]))
    all.push(...(await Promise.all(some.map(async (id) => withUse(records, await describe(id))))));
  const rows = select(all, query);
  const counts = await countPeople(
    options,
    site,
    rows.map(({ clientId }) => clientId),
  );
  const counted = rows.map((row, i) => ({ ...row, people: counts[i] ?? 0 }));
  return sort === undefined ? counted : counted.sort(orderOf(sort));
}

/** Reads clients completely, each from its own record. */
export async function readClients(
  options: ClientListOptions,
  site: Site,
  records: SchoolRecords,
  clientIds: readonly string[],
): Promise<ConnectedClient[]> {
  const { clients, rules } = options;
  const counts = await countPeople(options, site, clientIds);
  return Promise.all(
    clientIds.map(async (clientId, i) => {
      // A document whose host is no longer permitted is not found, and may still have connections.
      const client = await clients(site.id, clientId, 'identify');
      return {
        ...(await withUse(records, identifyClient(rules, clientId, client))),
        scopes: splitScope(client?.scope).filter(rules.sources.catalogue.has),
        redirectUris: client?.redirect_uris ?? [],
        people: counts[i] ?? 0,
      };
    }),
  );
}

/** How many people have connected each client. */
function countPeople({ store }: ClientListOptions, { id }: Site, ids: readonly string[]) {
  return store.countGrants(
    id,
    ids.map((clientId) => ({ clientId })),
  );
}

async function withUse({ active, ofSchool, statusFor }: SchoolRecords, app: IdentifiedClient) {
  const { client } = app;
  const rule = ofSchool.recordOf({ clientId: client.clientId });
  return {
    ...client,
    lastActiveAt: active.get(client.clientId)?.at,
    blockedAt: rule?.access === 'blocked' ? rule.at : undefined,
    status: await statusFor(app),
  };
}
