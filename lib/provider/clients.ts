import { timingSafeEqual } from 'node:crypto';
import type { AdapterPayload, Client } from 'oidc-provider';
import type { ClientAudience, ClientInfo, FixedClient } from '../contracts/client.ts';
import { isLoopbackRedirect } from '../redirect-uri.ts';
import { digest } from './record.ts';

/** Members of a client's metadata that are ours; the engine keeps them without looking. */
export const ownMetadata = ['campus_audience', 'campus_resource_server'] as const;

/** Finds a client of a site as the engine wants it. */
export type ClientFinder = (siteId: string, clientId: string) => Promise<AdapterPayload | undefined>;

/** The clients that are written down in code. */
export function fixedClients(clients: readonly FixedClient[]): ClientFinder {
  const rows = new Map(
    clients.map((client) => [client.clientId, { sites: client.sites, metadata: metadataOf(client) }]),
  );
  return async (siteId, clientId) => {
    const row = rows.get(clientId);
    return row && row.sites?.includes(siteId) !== false ? row.metadata : undefined;
  };
}

function metadataOf(client: FixedClient): AdapterPayload {
  const redirects = client.redirectUris.length > 0;
  return {
    client_id: client.clientId,
    client_name: client.clientName,
    application_type: applicationType(client.redirectUris),
    redirect_uris: client.redirectUris,
    grant_types: redirects ? ['authorization_code', 'refresh_token'] : [],
    response_types: redirects ? ['code'] : [],
    scope: client.scopes.join(' '),
    token_endpoint_auth_method: client.clientSecret === undefined ? 'none' : 'client_secret_post',
    client_secret: client.clientSecret === undefined ? undefined : digest(client.clientSecret),
    client_uri: client.clientUri,
    campus_audience: client.audience,
    campus_resource_server: client.resourceServer === true,
  };
}

/** `native` lets the port of a loopback redirect vary. RFC 8252 section 7.3. */
export function applicationType(redirectUris: readonly string[]): 'native' | 'web' {
  const https = redirectUris.every((uri) => uri.startsWith('https:'));
  return https && !redirectUris.some((uri) => isLoopbackRedirect(uri, { localhost: true })) ? 'web' : 'native';
}

/** Compares a posted secret with a stored digest, in constant time. */
export function secretMatches(storedDigest: string | undefined, secret: string): boolean {
  const stored = Buffer.from(storedDigest ?? '');
  const posted = Buffer.from(digest(secret));
  return stored.length === posted.length && timingSafeEqual(stored, posted);
}

/** What policies and pages may know of a client. */
export function clientInfo(client: Client): ClientInfo {
  return {
    clientId: client.clientId,
    clientName: client.clientName ?? client.clientId,
    audience: audienceOf(client),
    confidential: client.tokenEndpointAuthMethod !== 'none',
    redirectUris: client.redirectUris ?? [],
    clientUri: client.clientUri,
  };
}

/** For whom the client acts. */
export function audienceOf(client: Client): ClientAudience {
  return client['campus_audience'] === 'member' ? 'member' : 'operator';
}

/** Whether the client may introspect every token of its site. */
export function isResourceServer(client: Client): boolean {
  return client['campus_resource_server'] === true && client.tokenEndpointAuthMethod !== 'none';
}
