import type { AdapterPayload } from 'oidc-provider';
import type { StaticClient } from '../contracts/client.ts';
import type { MetadataDocumentPolicy } from '../contracts/registration.ts';
import type { Store } from '../contracts/store.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';
import { digest } from '../runtime/crypto.ts';
import { clientMetadata } from './metadata.ts';

/** Finds a client of a site as the engine wants it. */
export type ClientFinder = (siteId: string, clientId: string) => Promise<AdapterPayload | undefined>;

/** Clients that are written down in code, stored clients, and metadata documents: asked in this order. */
export function clientFinder(
  clients: readonly StaticClient[],
  store: Pick<Store, 'find'>,
  documents: ClientFinder | undefined,
): ClientFinder {
  const staticClients = new Map(
    clients.map((client) => [client.clientId, { sites: client.sites, metadata: staticClientMetadata(client) }]),
  );
  return async (siteId, clientId) => {
    const row = staticClients.get(clientId);
    if (row) return row.sites?.includes(siteId) === false ? undefined : row.metadata;
    // A name that is an address is never looked up in the store, so neither kind can take over the other's.
    if (isMetadataDocumentId(clientId)) return documents?.(siteId, clientId);
    const found = await store.find(siteId, 'Client', clientId);
    return found && JSON.parse(found.record);
  };
}

function staticClientMetadata({ clientSecret, ...client }: StaticClient): AdapterPayload {
  const digested = clientSecret === undefined ? {} : { secretDigest: digest(clientSecret) };
  return clientMetadata({ ...client, ...digested });
}

/** Whether tokens of this client are still good: those of a metadata document only while its host is permitted. */
export type ClientCheck = (clientId: string) => boolean;

/** The gate of a policy for metadata documents; it asks nobody else and costs no look-up. */
export function permittedClients(policy: Pick<MetadataDocumentPolicy, 'permits'> | undefined): ClientCheck {
  return (clientId) =>
    !isMetadataDocumentId(clientId) || (policy !== undefined && policy.permits(clientId) === undefined);
}
