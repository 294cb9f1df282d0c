import type { Client } from 'oidc-provider';
import type { ClientAudience, ClientInfo, StaticClient } from '../contracts/client.ts';
import { digest, sameText } from '../runtime/crypto.ts';
import { isLoopbackRedirect } from '../protocol/redirect-uri.ts';
import type { ClientMetadata } from '../records/kinds.ts';

/** The engine stores these members unchanged. */
export const ownMetadata = [
  'campus_audience',
  'campus_resource_server',
  'campus_source',
  'campus_reviewed',
  'campus_same_since',
  'campus_digest',
  'campus_logo_digest',
  'campus_first_party',
] as const;

type ClientParts = Omit<StaticClient, 'clientSecret' | 'sites'> & { readonly secretDigest?: string | undefined };

export function clientMetadata(client: ClientParts): ClientMetadata {
  const { redirectUris } = client;
  const redirects = redirectUris.length > 0;
  const web = redirectUris.every((uri) => uri.startsWith('https:') && !isLoopbackRedirect(uri, { localhost: true }));
  return {
    client_id: client.clientId,
    client_name: client.clientName,
    // The engine accepts any port in a loopback redirect of a `native` client. RFC 8252 section 7.3.
    application_type: web ? 'web' : 'native',
    redirect_uris: redirectUris,
    grant_types: redirects ? ['authorization_code', 'refresh_token'] : [],
    response_types: redirects ? ['code'] : [],
    scope: client.scopes.length > 0 ? client.scopes.join(' ') : undefined,
    token_endpoint_auth_method: client.secretDigest === undefined ? 'none' : 'client_secret_post',
    client_secret: client.secretDigest,
    client_uri: client.clientUri,
    campus_audience: client.audience,
    campus_resource_server: client.resourceServer === true,
    ...(client.firstParty === true && { campus_first_party: true }),
  };
}

/** Constant-time comparison with the stored digest. */
export function secretMatches(stored: string | undefined, secret: string): boolean {
  return sameText(stored ?? '', digest(secret));
}

export function clientInfo(client: Client): ClientInfo {
  const mark = client['campus_source'];
  const source = mark === 'registered' || mark === 'document' || mark === 'application' ? mark : 'static';
  return {
    clientId: client.clientId,
    clientName: client.clientName ?? client.clientId,
    audience: audienceOf(client),
    confidential: client.tokenEndpointAuthMethod !== 'none',
    redirectUris: [...(client.redirectUris ?? [])],
    clientUri: client.clientUri,
    source,
    firstParty: isFirstParty(client),
    reviewed: source === 'document' ? client['campus_reviewed'] === true : source !== 'registered',
  };
}

/** Whether the client is configured in code as a part of the platform. */
export function isFirstParty(client: Client): boolean {
  return client['campus_first_party'] === true && client['campus_source'] === undefined;
}

export function audienceOf(client: Client): ClientAudience {
  return client['campus_audience'] === 'member' ? 'member' : 'operator';
}

/** Whether the client may introspect every token of its site. */
export function isResourceServer(client: Client): boolean {
  return client['campus_resource_server'] === true && client.tokenEndpointAuthMethod !== 'none';
}

/** When a metadata document last changed, in seconds since the epoch; 0 for other clients. */
export function sameSince(client: Client): number {
  const since = client['campus_same_since'];
  return typeof since === 'number' ? since : 0;
}

export interface LogoReference {
  readonly address: string;
  /** Of the picture that was approved; without it, any picture at the address counts. */
  readonly digest: string | undefined;
}

/** The logo of a client; `undefined` if it has none. */
export function logoOf({ logoUri: address, campus_logo_digest: approved }: Client): LogoReference | undefined {
  return address === undefined ? undefined : { address, digest: typeof approved === 'string' ? approved : undefined };
}

/** The digest of a metadata document; `undefined` for other clients. */
export function digestOf(client: Client): string | undefined {
  const value = client['campus_digest'];
  return typeof value === 'string' ? value : undefined;
}
