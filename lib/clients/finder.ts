import type { StaticClient } from '../contracts/client.ts';
import type { MetadataDocumentPolicy } from '../contracts/registration.ts';
import { digest } from '../runtime/crypto.ts';
import type { ClientMetadata } from '../records/kinds.ts';
import type { RecordStore } from '../records/record-store.ts';
import { clientMetadata } from './metadata.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';

/** Finds a client of a site. */
export type ClientFinder = (siteId: string, clientId: string) => Promise<ClientMetadata | undefined>;

/** Finds static clients, metadata documents and stored clients. */
export function clientFinder(
  clients: readonly StaticClient[],
  store: Pick<RecordStore, 'find'>,
  documents: ClientFinder | undefined,
): ClientFinder {
  const staticClients = new Map(
    clients.map((client) => [client.clientId, { sites: client.sites, metadata: staticClientMetadata(client) }]),
  );
  return async (siteId, clientId) => {
    const row = staticClients.get(clientId);
    if (row) return row.sites?.includes(siteId) === false ? undefined : row.metadata;
    // A client_id that is a URL is never looked up in the store: neither kind of client can take the other's id.
    if (isMetadataDocumentId(clientId)) return documents?.(siteId, clientId);
    return (await store.find(siteId, 'Client', clientId))?.record;
  };
}

function staticClientMetadata({ clientSecret, ...client }: StaticClient): ClientMetadata {
  const digested = clientSecret === undefined ? {} : { secretDigest: digest(clientSecret) };
  return clientMetadata({ ...client, ...digested });
}

/** Whether tokens of this client are still valid: those of a metadata document only while its host is permitted. */
export type ClientCheck = (clientId: string) => boolean;

/** The check by a policy for metadata documents; it needs no look-up. */
export function permittedClients(policy: Pick<MetadataDocumentPolicy, 'permits'> | undefined): ClientCheck {
  return (clientId) =>
    !isMetadataDocumentId(clientId) || (policy !== undefined && policy.permits(clientId) === undefined);
}
