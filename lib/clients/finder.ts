import type { AdapterPayload } from 'oidc-provider';
import type { StaticClient } from '../contracts/client.ts';
import type { MetadataDocumentPolicy } from '../contracts/registration.ts';
import type { Store } from '../contracts/store.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';
import { digest } from '../runtime/crypto.ts';
import { clientMetadata } from './metadata.ts';

/** Returns a site's client in the engine's format. */
export type ClientFinder = (siteId: string, clientId: string) => Promise<AdapterPayload | undefined>;

/** Looks among the static clients, then the metadata documents or the stored clients. */
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
    // A URL is never looked up in the store: a stored client cannot impersonate a metadata document, nor the reverse.
    if (isMetadataDocumentId(clientId)) return documents?.(siteId, clientId);
    const found = await store.find(siteId, 'Client', clientId);
    return found && JSON.parse(found.record);
  };
}

function staticClientMetadata({ clientSecret, ...client }: StaticClient): AdapterPayload {
  const digested = clientSecret === undefined ? {} : { secretDigest: digest(clientSecret) };
  return clientMetadata({ ...client, ...digested });
}

/** Whether a client's tokens are still accepted: for a metadata document, only while the policy permits its URL. */
export type ClientCheck = (clientId: string) => boolean;

export function permittedClients(policy: Pick<MetadataDocumentPolicy, 'permits'> | undefined): ClientCheck {
  return (clientId) =>
    !isMetadataDocumentId(clientId) || (policy !== undefined && policy.permits(clientId) === undefined);
}
