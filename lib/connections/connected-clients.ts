import { LRUCache } from 'lru-cache';
import type { ClientFinder } from '../clients/finder.ts';
import { pageOf } from '../clients/listing.ts';
import { describeClient, markOf, withUse } from '../clients/metadata.ts';
import type { ConnectedClient, Connections } from '../contracts/connection.ts';
import type { Site } from '../contracts/platform.ts';
import { endGrants } from '../grants/changes.ts';
import type { ClientActive } from '../grants/redemption.ts';
import { splitScope } from '../protocol/scopes.ts';
import { type ConnectedClientRecord, serializeRecord } from '../records/codec.ts';
import type { Core } from '../records/core.ts';
import { epochSeconds } from '../runtime/timeout.ts';
import { digest } from '../runtime/crypto.ts';
import { boundedCache } from '../runtime/bounded-cache.ts';

export interface ConnectionsOptions extends Pick<Core, 'store' | 'catalogue' | 'lifetimes' | 'onAudit'> {
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
}

interface ConnectedClients extends Pick<Connections, 'listAll' | 'findClient' | 'revokeClient'> {
  readonly clientActive: ClientActive;
}

/** Clients of one school. The one that was active longest ago makes room for another. */
const maxClients = 2000;

/** A process writes at most once a day that a client is active. */
const noteSeconds = 24 * 60 * 60;

const kind = 'ConnectedClient';

/** The clients that people have connected. Each has a small record, written when it gets tokens: no search through the grants. */
export function createConnectedClients(options: ConnectionsOptions): ConnectedClients {
  const { store, clients, catalogue } = options;
  const noted = boundedCache<number>(10_000);

  async function describe(site: Site, clientId: string, record?: ConnectedClientRecord): Promise<ConnectedClient> {
    const [people, client, block] = await Promise.all([
      store.countGrants(site.id, { clientId }),
      // A document whose host is no longer permitted is not found, and may still have connections.
      clients(site.id, clientId, 'identify'),
      store.find(site.id, 'ClientBlock', digest(clientId)),
    ]);
    return {
      ...describeClient(clientId, client),
      scopes: splitScope(client?.scope).filter(catalogue.has),
      redirectUris: client?.redirect_uris ?? [],
      people,
      lastActiveAt: record?.at,
      blockedAt: block?.record.at,
    };
  }

  return {
    clientActive: (siteId, clientId, secret) => note(options, noted, { siteId, clientId, secret }).catch(() => {}),
    async listAll(site, query) {
      const now = epochSeconds();
      const [active, blocks] = await Promise.all([store.list(site.id, kind), store.list(site.id, 'ClientBlock')]);
      const current = active.filter(({ at }) => at + options.lifetimes.grant + noteSeconds > now);
      const known = new Set(current.map(({ client_id: id }) => id));
      const all = [...current, ...blocks.filter(({ client_id: id }) => !known.has(id)).map(withoutActivity)];
      const sorted = all.sort((a, b) => b.at - a.at || a.client_id.localeCompare(b.client_id));
      return pageOf(sorted, (record) => describe(site, record.client_id, record.at > 0 ? record : undefined), query);
    },
    async findClient(site, clientId) {
      const found = await store.find(site.id, kind, digest(clientId));
      const client = await describe(site, clientId, found?.record);
      return found || client.people > 0 || client.blockedAt !== undefined ? client : undefined;
    },
    async revokeClient({ id: siteId }, clientId) {
      const details = { actor: { kind: 'operator' }, reason: 'client_disconnected', clientId } as const;
      return { connections: await endGrants(options, siteId, { clientId }, details) };
    },
  };
}

function withoutActivity({ client_id }: { readonly client_id: string }): ConnectedClientRecord {
  return { client_id, at: 0 };
}

interface Activity {
  readonly siteId: string;
  readonly clientId: string;
  readonly secret: string | undefined;
}

async function note(
  { store }: ConnectionsOptions,
  noted: LRUCache<string, number>,
  { siteId, clientId, secret }: Activity,
): Promise<void> {
  const mark = secret === undefined ? undefined : markOf(digest(secret));
  const name = JSON.stringify([siteId, clientId, mark]);
  const now = epochSeconds();
  if ((noted.get(name) ?? 0) + noteSeconds > now) return;
  noted.set(name, now);
  const id = digest(clientId);
  try {
    const found = await store.find(siteId, kind, id);
    if (!found) await makeRoom(store, siteId);
    const secrets = mark === undefined ? undefined : withUse(found?.record, mark, now);
    const record = serializeRecord({ client_id: clientId, at: now, secrets });
    const replaces = found?.text ?? null;
    // Another process may have noted another secret.
    if (!(await store.save(siteId, { kind, id, record, listed: true, replaces }))) noted.delete(name);
  } catch (error) {
    noted.delete(name);
    throw error;
  }
}

async function makeRoom(store: Core['store'], siteId: string): Promise<void> {
  const all = await store.list(siteId, kind);
  if (all.length < maxClients) return;
  const [oldest] = all.sort((a, b) => a.at - b.at);
  if (oldest) await store.remove(siteId, kind, digest(oldest.client_id));
}
