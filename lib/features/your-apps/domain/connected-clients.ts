import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import { describeClient, withUse } from '../../../core/clients/client-metadata.ts';
import { noteSeconds } from '../../../core/clients/connected-clients-cache.ts';
import { usedApp } from '../../../core/access/used-client.ts';
import { appKey } from '../../../core/access/grantees.ts';
import { clientRecords } from '../../../core/access/school-records.ts';
import type { ConnectedClient, ListQuery } from '../../../core/clients/listed-client.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import type { Site } from '../../../host/school-platform.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import type { ClientActive, NotedClient, NoteClient } from '../../../core/grants/redemption.ts';
import { type ClientMetadata, type ConnectedClientRecord, serializeRecord } from '../../../records/codec.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { digest } from '../../../kernel/crypto.ts';
import { boundedCache } from '../../../kernel/bounded-cache.ts';
import { type ClientListOptions, type ClientRow, clientRows, readClients } from '../../../core/access/client-rows.ts';
import type { OnAudit } from '../../../observe/audit-event.ts';

export type ConnectionsOptions = ClientListOptions & { readonly catalogue: ScopeCatalogue; readonly onAudit: OnAudit };

export interface ConnectedClients {
  readonly clientActive: ClientActive;
  readonly noteClient: NoteClient;
  readonly clientRows: ClientRows;
  readonly findClient: ConnectedClientFinder;
}

/** A client that people have connected, or that has a rule; `undefined` for any other. */
export type ConnectedClientFinder = (site: Site, clientId: string) => Promise<ConnectedClient | undefined>;

/** All clients that a query is for, with a constant number of look-ups. */
export type ClientRows = (site: Site, query: ListQuery) => Promise<ClientRow[]>;

/** Clients of one school. When there are more, one of the least recently active is removed. */
const maxClients = 5000;

/** How many of the clients that were least recently active are compared: the one with the fewest people is removed. A client is added by a consent, not by its registration. */
const maxCandidates = 20;

/** Characters of a name that lists are searched by. */
const maxName = 200;

const kind = 'ConnectedClient';

/** The clients that people have connected. Each has a small record, written when it gets tokens: no search through the grants. */
export function createConnectedClients(options: ConnectionsOptions): ConnectedClients {
  const noted = boundedCache<number>(10_000);

  return {
    // Every consent looks: another process may have taken the record away since this one noted it.
    noteClient: async (siteId, client) => void (await note(options, { siteId, ...client, consented: true })),
    async clientActive(siteId, client, mark) {
      const name = JSON.stringify([siteId, client.clientId, mark]);
      const now = epochSeconds();
      if ((noted.get(name) ?? 0) + noteSeconds > now) return;
      if (await note(options, { siteId, ...client, mark }).catch(() => false)) noted.set(name, now);
    },
    async clientRows(site, query) {
      // What is unused is about to be disconnected: another process may know better.
      if (query.unusedDays !== undefined) options.connected.forget(site.id);
      return clientRows(options, site, query);
    },
    async findClient(site, clientId) {
      const found = await options.clients(site.id, clientId, 'identify');
      const records = await clientRecords(options, site, clientId, describeClient(clientId, found).app);
      const [client] = await readClients({ ...options, clients: async () => found }, site, records, [clientId]);
      const isListed = records.active.has(clientId) || records.ofSchool.recordOf({ clientId }) !== undefined;
      return isListed || (client && client.people > 0) ? client : undefined;
    },
  };
}

interface Activity extends NotedClient {
  readonly siteId: string;
  /** The mark of the secret that the client has used. */
  readonly mark?: string | undefined;
  /** Whether a person allows it, and not an app gets tokens: then its name is looked up as well. */
  readonly consented?: boolean | undefined;
}

/** Writes that a client is active, unless that was written less than a day ago. Returns false if another process wrote meanwhile. */
async function note(
  options: ConnectionsOptions,
  { siteId, clientId, mark, consented, ...given }: Activity,
): Promise<boolean> {
  const { store, clients } = options;
  const now = epochSeconds();
  const id = digest(clientId);
  const found = await store.find(siteId, kind, id);
  if (!found) await makeRoom(options, siteId, clientId);
  const { record: before, text: replaces = null } = found ?? {};
  if (mark === undefined && before && before.at + noteSeconds > now) return true;
  const secrets = mark === undefined ? before?.secrets : withUse(before, mark, now);
  const names = consented && namesOf(await clients(siteId, clientId, 'identify'));
  const noted = {
    ...before,
    client_id: clientId,
    at: now,
    since: before ? before.since : now,
    app: given.app ?? before?.app,
    secrets,
    ...names,
  };
  const record = serializeRecord(kind, noted);
  const saved = await store.save(siteId, { kind, id, record, listed: true, replaces });
  options.connected.forget(siteId);
  const app = isMetadataDocumentId(clientId) ? undefined : usedApp(noted.campus_app);
  if (app) await noteApp(options, siteId, appKey(app), now);
  return saved;
}

/** As often as a client of it is noted, the app is; most of the time that was today already. */
async function noteApp({ store }: ConnectionsOptions, siteId: string, id: string, at: number): Promise<void> {
  const found = await store.find(siteId, 'ConnectedApp', id);
  if (found && found.record.at + noteSeconds > at) return;
  const record = serializeRecord('ConnectedApp', { at, since: found ? found.record.since : at });
  await store.save(siteId, { kind: 'ConnectedApp', id, record, listed: true });
}

/** What lists show of a client that is neither in code nor an application. */
function namesOf(client: ClientMetadata | undefined): Partial<ConnectedClientRecord> {
  const { campus_source: source, client_name = '', campus_audience, campus_app } = client ?? {};
  if (source !== 'registered' && source !== 'document') return {};
  return { client_name: client_name.slice(0, maxName), campus_audience, campus_app };
}

/** A rule for an app reaches the clients that have a record, so one that loses it keeps no connection. */
async function makeRoom(options: ConnectionsOptions, siteId: string, newcomer: string): Promise<void> {
  const { store } = options;
  const all = await store.list(siteId, kind);
  if (all.length < maxClients) return;
  const candidates = all.sort((a, b) => a.at - b.at).slice(0, maxCandidates);
  const clients = candidates.map((each) => ({ clientId: each.client_id }));
  const people = await store.countGrants(siteId, clients);
  const { clientId } = clients[people.indexOf(Math.min(...people))] ?? {};
  if (clientId === undefined) return;
  const details = { actor: { kind: 'client', id: newcomer }, reason: 'client_limit', clientId } as const;
  await endGrants(options, siteId, { clientId }, details);
  await store.remove(siteId, kind, digest(clientId));
}
