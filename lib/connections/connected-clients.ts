import { LRUCache } from 'lru-cache';
import type { ClientFinder } from '../clients/finder.ts';
import { pageOf } from '../clients/listing.ts';
import { describeClient, markOf, withUse } from '../clients/metadata.ts';
import { ruleId } from '../clients/program-rules.ts';
import type { ConnectedClient, Connections } from '../contracts/connection.ts';
import type { Site } from '../contracts/platform.ts';
import type { RecordOf } from '../contracts/record.ts';
import { endGrants } from '../grants/changes.ts';
import type { ConsentOptions } from '../grants/consent.ts';
import type { ClientActive } from '../grants/redemption.ts';
import { splitScope } from '../protocol/scopes.ts';
import { type ConnectedClientRecord, serializeRecord } from '../records/codec.ts';
import type { Core } from '../records/core.ts';
import { currentTrace, epochSeconds } from '../runtime/timeout.ts';
import { digest } from '../runtime/crypto.ts';
import { boundedCache } from '../runtime/bounded-cache.ts';

export interface ConnectionsOptions extends Pick<Core, 'store' | 'catalogue' | 'lifetimes' | 'onAudit'> {
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
}

export interface ConnectedClients extends Pick<Connections, 'listAll' | 'findClient' | 'revokeClient'> {
  readonly clientActive: ClientActive;
  readonly noteClient: ConsentOptions['noteClient'];
}

/** What is stored of one client. */
interface Stored {
  readonly record: ConnectedClientRecord | undefined;
  readonly rule: RecordOf<'ProgramRule'> | undefined;
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

  async function describe(site: Site, clientId: string, { record, rule }: Stored): Promise<ConnectedClient> {
    const [people, client] = await Promise.all([
      store.countGrants(site.id, { clientId }),
      // A document whose host is no longer permitted is not found, and may still have connections.
      clients(site.id, clientId, 'identify'),
    ]);
    return {
      ...describeClient(clientId, client),
      scopes: splitScope(client?.scope).filter(catalogue.has),
      redirectUris: client?.redirect_uris ?? [],
      people,
      lastActiveAt: record?.at,
      blockedAt: rule?.access === 'blocked' ? rule.at : undefined,
    };
  }

  return {
    noteClient: (siteId, clientId) => note(options, noted, { siteId, clientId }),
    clientActive: (siteId, clientId, secret) => note(options, noted, { siteId, clientId, secret }).catch(() => {}),
    async listAll(site, query) {
      const now = epochSeconds();
      const [active, all] = await Promise.all([store.list(site.id, kind), store.list(site.id, 'ProgramRule')]);
      const current = active.filter(({ at }) => at + options.lifetimes(site).grant + noteSeconds > now);
      const records = new Map(current.map((record) => [record.client_id, record]));
      const rules = new Map(all.flatMap((rule) => (rule.client_id === undefined ? [] : [[rule.client_id, rule]])));
      const at = (id: string): number => records.get(id)?.at ?? 0;
      const ids = [...new Set([...records.keys(), ...rules.keys()])];
      const sorted = ids.sort((a, b) => at(b) - at(a) || a.localeCompare(b));
      return pageOf(sorted, (id) => describe(site, id, { record: records.get(id), rule: rules.get(id) }), query);
    },
    async findClient(site, clientId) {
      const [found, rule] = await Promise.all([
        store.find(site.id, kind, digest(clientId)),
        store.find(site.id, 'ProgramRule', ruleId({ clientId })),
      ]);
      const client = await describe(site, clientId, { record: found?.record, rule: rule?.record });
      return found || rule || client.people > 0 ? client : undefined;
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
  const id = digest(clientId);
  const found = await store.find(siteId, kind, id);
  if (!found) await makeRoom(store, siteId);
  const { record: before, text: replaces = null } = found ?? {};
  const secrets = mark === undefined ? before?.secrets : withUse(before, mark, now);
  const program = currentTrace()?.programs.get(clientId) ?? before?.program;
  const record = serializeRecord({ client_id: clientId, at: now, program, secrets });
  // Another process may have noted another secret.
  if (await store.save(siteId, { kind, id, record, listed: true, replaces })) noted.set(name, now);
}

async function makeRoom(store: Core['store'], siteId: string): Promise<void> {
  const all = await store.list(siteId, kind);
  if (all.length < maxClients) return;
  const [oldest] = all.sort((a, b) => a.at - b.at);
  if (oldest) await store.remove(siteId, kind, digest(oldest.client_id));
}
