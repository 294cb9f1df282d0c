import type { LimitManager } from '../limits/limit-manager.ts';
import type { Records } from '../../records/records.ts';
import type { Enabled } from '../enabled/enabled.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import type { KeyFinder } from './client-keys.ts';
import type { ClientSource } from './client-source.ts';
import type { ConfiguredClient } from './client.ts';
import { type ResourceServer, type ResourceServerFinder, resourceServerFinder } from './resource-server.ts';
import { type ConnectedList, connectedList } from './connected-clients-cache.ts';
import { type ClientFinder, clientFinder } from './client-finder.ts';

/** Which clients there are. */
export interface Clients {
  readonly find: ClientFinder;
  /** The same by what is stored: nothing is fetched. */
  readonly findStored: ClientFinder;
  /** Who may introspect, and nothing else. */
  readonly resourceServer: ResourceServerFinder;
  readonly keysAt: KeyFinder;
  /** Those that people have connected, for pages. */
  readonly connected: ConnectedList;
}

interface ClientSettings {
  readonly clients: readonly ConfiguredClient[];
  readonly resourceServers: readonly ResourceServer[];
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
}

interface ClientParts {
  readonly records: Records;
  readonly source: ClientSource;
  readonly outbound: { readonly keysAt: KeyFinder };
  readonly limits: LimitManager;
}

export function createClients(
  { clients, resourceServers, catalogue, enabled }: ClientSettings,
  { records, source, outbound, limits }: ClientParts,
): Clients {
  const finder = (findByUrl: ClientFinder | undefined): ClientFinder =>
    clientFinder(clients, records.store, findByUrl, { catalogue, enabled });
  return {
    find: finder(source.find),
    findStored: finder(source.findStored),
    resourceServer: resourceServerFinder(resourceServers, enabled.known),
    keysAt: outbound.keysAt,
    connected: connectedList({ store: records.store, lifetimes: limits.lifetimes }),
  };
}
