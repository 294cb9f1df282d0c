import type { Context } from 'koa';
import type { ConfiguredClient, StaticClient } from './client.ts';
import type { Site } from '../../host/school-platform.ts';
import { digest } from '../../kernel/crypto.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { grantTypesLeft } from './client-grant-types.ts';
import { clientMetadata, usesKey } from './client-metadata.ts';
import { type ScopeCatalogue, splitScope } from '../scopes/scopes.ts';
import { isMetadataDocumentId } from './client-id.ts';
import type { Enabled } from '../enabled/enabled.ts';
import { type DescribedApp, appNamed } from '../known-apps/known-apps.ts';

/**
 * To `start`, a metadata document must be fresh; to `continue`, its last good copy is enough; to `identify`, nothing is fetched, and
 * to `authenticate`, what is stored tells how it does that.
 */
export type Lookup =
  'identify' | 'authenticate' | { readonly purpose: 'start' | 'continue'; readonly ctx: Context; readonly site: Site };

export type ClientFinder = (siteId: string, clientId: string, lookup: Lookup) => Promise<ClientMetadata | undefined>;

export function clientFinder(
  clients: readonly ConfiguredClient[],
  store: RecordStore,
  findByUrl: ClientFinder | undefined,
  { catalogue, enabled }: { readonly catalogue: ScopeCatalogue; readonly enabled: Enabled },
): ClientFinder {
  const staticClients = new Map(
    clients.map(({ clientSecret, sites, ...client }) => {
      const secretDigest = clientSecret === undefined ? undefined : digest(clientSecret);
      const metadata = clientMetadata(enabled.known, { ...client, secretDigest });
      return [
        client.clientId,
        { sites, metadata: { ...metadata, ...grantTypesLeft(enabled.known, metadata, enabled.hasGrant) } },
      ];
    }),
  );
  return async (siteId, clientId, lookup) => {
    const row = staticClients.get(clientId);
    if (row) return row.sites?.includes(siteId) === false ? undefined : row.metadata;
    // A client_id that is a URL is never looked up in the store: neither kind of client can take the other's id.
    if (isMetadataDocumentId(clientId)) return findByUrl?.(siteId, clientId, lookup);
    const found = await store.find(siteId, 'Client', clientId);
    if (found && usesKey(found.record) && !enabled.takesKeys) return undefined;
    return found && withExisting(found.record, catalogue, enabled);
  };
}

/** The engine refuses a client with an undeclared scope or a grant type that is off; and without a scope, a client may have all. */
function withExisting(
  client: ClientMetadata,
  { mayHave }: ScopeCatalogue,
  { known, hasGrant, hasServices, registered }: Enabled,
): ClientMetadata {
  const { scope, campus_audience: audience = 'operator' } = client;
  const scopes = splitScope(scope).filter((each) => mayHave(audience, each));
  const isOff = audience === 'service' && !hasServices;
  const isRegistered = client.campus_source === 'registered';
  const left = grantTypesLeft(known, client, (name) => (isRegistered ? registered.includes(name) : hasGrant(name)));
  if (scopes.length > 0 && !isOff) return { ...client, ...left, scope: scopes.join(' ') };
  return { ...client, scope: undefined, grant_types: [], response_types: [] };
}

/** What is known of clients by their ids alone, which are URLs. */
export interface KnownClients {
  readonly known?: ((clientId: string) => { readonly app?: DescribedApp | undefined } | undefined) | undefined;
  /** Whether the platform has reviewed a version of one, so that it needs no approval of a school. */
  readonly reviewed?: ((clientId: string, digest: string) => Promise<boolean>) | undefined;
}

/** The rows of clients whose id alone says which app they are: those in code, and metadata documents. */
export function appRows(
  { known }: KnownClients,
  clients: readonly StaticClient[],
): (clientId: string) => DescribedApp | undefined {
  const own = new Map(clients.map(({ clientId, app }) => [clientId, appNamed(app)]));
  return (clientId) => (isMetadataDocumentId(clientId) ? known?.(clientId)?.app : own.get(clientId));
}

/** The clients in code that are an app. */
export function clientsByApp(clients: readonly StaticClient[]): (app: string) => readonly string[] {
  const byApp = Map.groupBy(clients, ({ app }) => appNamed(app)?.id);
  return (app) => (byApp.get(app) ?? []).map(({ clientId }) => clientId);
}

/** Knows the secrets of clients and resource servers in code, without keeping them. */
export function secretsOf(inCode: readonly Pick<StaticClient, 'clientSecret'>[]): (text: string) => boolean {
  const digests = new Set(
    inCode.flatMap(({ clientSecret }) => (clientSecret === undefined ? [] : digest(clientSecret))),
  );
  return (text) => digests.has(digest(text));
}
