import type { LRUCache } from 'lru-cache';
import { pageOf } from '../clients/listing.ts';
import { markOf, withUse } from '../clients/metadata.ts';
import { noteSeconds, schoolRecords } from '../clients/school-records.ts';
import type { Connections, ListQuery } from '../contracts/connection.ts';
import type { Site } from '../contracts/platform.ts';
import { endGrants } from '../grants/changes.ts';
import type { ConsentOptions } from '../grants/consent.ts';
import type { ClientActive } from '../grants/redemption.ts';
import { type ClientMetadata, type ConnectedClientRecord, serializeRecord } from '../records/codec.ts';
import type { Core } from '../records/core.ts';
import { currentTrace, epochSeconds } from '../runtime/timeout.ts';
import { digest } from '../runtime/crypto.ts';
import { boundedCache } from '../runtime/bounded-cache.ts';
import { type ClientListOptions, type ClientRow, clientSource, readClients } from './client-list.ts';

export type ConnectionsOptions = ClientListOptions & Pick<Core, 'onAudit'>;

export interface ConnectedClients extends Pick<Connections, 'listAll' | 'findClient' | 'revokeClient'> {
  readonly clientActive: ClientActive;
  readonly noteClient: ConsentOptions['noteClient'];
  /** All that a query is for, with a constant number of look-ups. */
  readonly clientRows: (site: Site, query: ListQuery) => Promise<ClientRow[]>;
}

/** Clients of one school. The one that was active longest ago makes room for another. */
const maxClients = 2000;

/** Characters of a name that lists are searched by. */
const maxName = 200;

const kind = 'ConnectedClient';

/** The clients that people have connected. Each has a small record, written when it gets tokens: no search through the grants. */
export function createConnectedClients(options: ConnectionsOptions): ConnectedClients {
  const noted = boundedCache<number>(10_000);

  return {
    noteClient: (siteId, clientId) => note(options, noted, { siteId, clientId, consented: true }),
    clientActive: (siteId, clientId, secret) => note(options, noted, { siteId, clientId, secret }).catch(() => {}),
    listAll: async (site, query) => pageOf(await clientSource(options, site), query),
    async clientRows(site, query) {
      const { rows } = await clientSource(options, site);
      return rows(query);
    },
    async findClient(site, clientId) {
      const records = await schoolRecords(options, site);
      const [client] = await readClients(options, site, records, [clientId]);
      const isListed = records.active.has(clientId) || records.ruleFor(clientId) !== undefined;
      return isListed || (client && client.people > 0) ? client : undefined;
    },
    async revokeClient({ id: siteId }, clientId) {
      const details = { actor: { kind: 'operator' }, reason: 'client_disconnected', clientId } as const;
      return { connections: await endGrants(options, siteId, { clientId }, details) };
    },
  };
}

interface Activity {
  readonly siteId: string;
  readonly clientId: string;
  readonly secret?: string | undefined;
  /** Whether a person allows it, and not a program gets tokens: then its name is looked up as well. */
  readonly consented?: boolean | undefined;
}

async function note(
  { store, clients }: ConnectionsOptions,
  noted: LRUCache<string, number>,
  { siteId, clientId, secret, consented }: Activity,
): Promise<void> {
  const mark = secret === undefined ? undefined : markOf(digest(secret));
  const name = JSON.stringify([siteId, clientId, mark]);
  const now = epochSeconds();
  if ((noted.get(name) ?? 0) + noteSeconds > now) return;
  const id = digest(clientId);
  const [found, names] = await Promise.all([
    store.find(siteId, kind, id),
    consented && clients(siteId, clientId, 'identify').then(namesOf),
  ]);
  if (!found) await makeRoom(store, siteId);
  const { record: before, text: replaces = null } = found ?? {};
  const secrets = mark === undefined ? before?.secrets : withUse(before, mark, now);
  const program = currentTrace()?.programs.get(clientId) ?? before?.program;
  const record = serializeRecord({ ...before, client_id: clientId, at: now, program, secrets, ...names });
  // Another process may have noted another secret.
  if (await store.save(siteId, { kind, id, record, listed: true, replaces })) noted.set(name, now);
}

/** What lists show of a client that is neither in code nor an application. */
function namesOf(client: ClientMetadata | undefined): Partial<ConnectedClientRecord> {
  const { campus_source: source, client_name = '', campus_audience, campus_program } = client ?? {};
  if (source !== 'registered' && source !== 'document') return {};
  return { client_name: client_name.slice(0, maxName), campus_audience, campus_program };
}

async function makeRoom(store: Core['store'], siteId: string): Promise<void> {
  const all = await store.list(siteId, kind);
  if (all.length < maxClients) return;
  const [oldest] = all.sort((a, b) => a.at - b.at);
  if (oldest) await store.remove(siteId, kind, digest(oldest.client_id));
}
