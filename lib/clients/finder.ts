import type { Context } from 'koa';
import type { StaticClient } from '../contracts/client.ts';
import { digest } from '../runtime/crypto.ts';
import type { ClientMetadata } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';
import { clientMetadata } from './metadata.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';

/** To `start`, a metadata document must be fresh; to `continue`, its last good copy is enough; to `identify`, nothing is fetched. */
export type Lookup = 'identify' | { readonly purpose: 'start' | 'continue'; readonly ctx: Context };

export type ClientFinder = (siteId: string, clientId: string, lookup: Lookup) => Promise<ClientMetadata | undefined>;

export function clientFinder(
  clients: readonly StaticClient[],
  store: Pick<RecordStore, 'find'>,
  documents: ClientFinder | undefined,
  catalogue: ScopeCatalogue,
): ClientFinder {
  const staticClients = new Map(
    clients.map(({ clientSecret, sites, ...client }) => {
      const secretDigest = clientSecret === undefined ? undefined : digest(clientSecret);
      return [client.clientId, { sites, metadata: clientMetadata({ ...client, secretDigest }) }];
    }),
  );
  return async (siteId, clientId, lookup) => {
    const row = staticClients.get(clientId);
    if (row) return row.sites?.includes(siteId) === false ? undefined : row.metadata;
    // A client_id that is a URL is never looked up in the store: neither kind of client can take the other's id.
    if (isMetadataDocumentId(clientId)) return documents?.(siteId, clientId, lookup);
    const found = await store.find(siteId, 'Client', clientId);
    return found && withExistingScopes(found.record, catalogue);
  };
}

/** The engine refuses a client with an undeclared scope; and without a scope, a client may have all. */
function withExistingScopes(client: ClientMetadata, { mayHave }: ScopeCatalogue): ClientMetadata {
  const { scope, campus_audience: audience = 'operator' } = client;
  const scopes = splitScope(scope).filter((each) => mayHave(audience, each));
  if (scopes.length > 0) return { ...client, scope: scopes.join(' ') };
  return { ...client, scope: undefined, grant_types: [], response_types: [] };
}
