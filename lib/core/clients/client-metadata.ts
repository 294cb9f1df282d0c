import type { ClientAudience, ClientInfo, ConfiguredClient, PersonAudience, AppInfo } from './client.ts';
import type { DescribedClient } from './listed-client.ts';
import { assertionAudienceMetadata } from './assertion-audience.ts';
import { isMetadataDocumentId } from './client-id.ts';
import { coreAuthentication } from '../enabled/client-authentication.ts';
import { storedProperties } from '../enabled/client-property.ts';
import type { KnownToClients } from '../enabled/enabled.ts';
import { keyMetadata } from '../keys/public-keys.ts';
import { sameText } from '../../kernel/crypto.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { isLoopbackRedirect } from './redirect-uri.ts';
import { signInMetadata } from './sign-in-client.ts';
import { isPairwise } from './subjects.ts';
import { grantTypesOf } from './client-grant-types.ts';
import { appKinds } from '../known-apps/app-kind.ts';
import { type DescribedApp, appNamed } from '../known-apps/known-apps.ts';
import type { JsonMembers } from '../../kernel/json.ts';
import { type ClientMetadata, type ConnectedClientRecord, members, optional, text } from '../../records/codec.ts';

/** The engine stores these members unchanged. */
export const ownMetadata = [
  'campus_audience',
  'campus_resource_server',
  'campus_honours',
  'campus_source',
  'campus_reviewed',
  'campus_same_since',
  'campus_digest',
  'campus_decision',
  'campus_logo_digest',
  'campus_first_party',
  'campus_app',
  'campus_kind',
  'campus_vendor',
  'campus_copy_date',
  'campus_previous_secret',
  'campus_previous_until',
  'campus_sign_in',
] as const;

export interface SecretDigests {
  readonly secretDigest?: string | undefined;
  /** The one before, while both are valid. */
  readonly previous?: { readonly digest: string; readonly until: number } | undefined;
}

type ClientParts = Omit<ConfiguredClient, 'clientSecret' | 'sites'> & SecretDigests;

export function clientMetadata(known: KnownToClients, client: ClientParts): ClientMetadata {
  const { redirectUris } = client;
  const web = redirectUris.every((uri) => uri.startsWith('https:') && !isLoopbackRedirect(uri, { localhost: true }));
  return {
    client_id: client.clientId,
    client_name: client.clientName,
    // The engine accepts any port in a loopback redirect of a `native` client. RFC 8252 section 7.3.
    application_type: web ? 'web' : 'native',
    redirect_uris: redirectUris,
    grant_types: grantTypesOf(known, client),
    response_types: redirectUris.length > 0 ? ['code'] : [],
    scope: client.scopes.length > 0 ? client.scopes.join(' ') : undefined,
    token_endpoint_auth_method: methodOf(known, client),
    ...keyMetadata(client.publicKeys),
    ...assertionAudienceMetadata(client),
    client_secret: client.secretDigest,
    campus_previous_secret: client.previous?.digest,
    campus_previous_until: client.previous?.until,
    client_uri: client.clientUri,
    campus_audience: client.audience,
    ...(client.firstParty === true && { campus_first_party: true }),
    ...verifiedApp(appNamed(client.app)),
    ...(client.kind !== undefined && { campus_kind: client.kind }),
    ...(client.isVendor === true && { campus_vendor: true }),
    ...signInMetadata(client),
    ...storedProperties(known.properties, client),
  };
}

export function methodOf(
  { authentication }: KnownToClients,
  client: Pick<ClientParts, 'publicKeys' | 'secretDigest'>,
): string {
  const signed = authentication.find(({ isSigned }) => isSigned);
  if (signed && client.publicKeys !== undefined) return signed.name;
  return client.secretDigest === undefined ? 'none' : 'client_secret_post';
}

export function usesKey({ token_endpoint_auth_method: method = 'none' }: JsonMembers): boolean {
  return !coreAuthentication.some(({ name }) => name === method);
}

/** Those that are valid now. */
export function secretDigests(client: JsonMembers, secretDigest: string | undefined): SecretDigests {
  const { campus_previous_secret: previous, campus_previous_until: until } = client;
  const isValid = typeof previous === 'string' && typeof until === 'number' && until > epochSeconds();
  return { secretDigest, previous: isValid ? { digest: previous, until } : undefined };
}

/** Whether this is the digest of a secret that is valid. The time does not depend on which of them it is. */
export function secretMatches({ secretDigest = '', previous }: SecretDigests, given: string): boolean {
  const matches = [secretDigest, previous?.digest ?? ''].map((stored) => sameText(stored, given));
  return matches.includes(true);
}

/** Enough of a secret's digest to tell the secrets of one client apart. */
export function markOf(secretDigest: string): string {
  return secretDigest.slice(0, 8);
}

/** When each secret was last used, by its mark. */
export function usesOf(record: ConnectedClientRecord | undefined): Map<string, number> {
  const pairs = record?.secrets?.map((each): [string, number] => [each.slice(0, 8), Number(each.slice(9))]);
  return new Map(pairs);
}

/** The current secret, and the one before. */
const kept = 2;

export function withUse(record: ConnectedClientRecord | undefined, mark: string, at: number): string[] {
  const others = [...usesOf(record)].filter(([each]) => each !== mark).sort(([, a], [, b]) => b - a);
  const uses: [string, number][] = [[mark, at], ...others];
  return uses.slice(0, kept).map(([each, when]) => `${each} ${when}`);
}

/** What a row of the host says of a client. */
export function verifiedApp(app: DescribedApp | undefined): Partial<ClientMetadata> {
  return app ? { campus_app: { ...app, verified: true } } : {};
}

/** The id of the app that the record of a client names, for audit events and lists. For clients without a record, the id tells it. */
export function recordedApp(client: JsonMembers): string | undefined {
  const { campus_source: source } = client;
  return source === 'registered' || source === 'application' ? appOf(client)?.id : undefined;
}

/** Reads metadata as it is stored, or as the engine's `Client` has it: members under `campus_` are the same in both. */
export function appOf(client: JsonMembers): AppInfo | undefined {
  const app = optional(client, 'campus_app', members);
  if (!app) return undefined;
  return {
    id: text(app, 'id'),
    name: text(app, 'name'),
    publisher: optional(app, 'publisher', text),
    homePage: optional(app, 'homePage', text),
    kind: appKinds.find((kind) => kind === app['kind']),
    verified: app['verified'] === true,
  };
}

export function clientInfo(client: ClientMetadata): ClientInfo {
  const source = client.campus_source ?? 'static';
  return {
    clientId: client.client_id,
    clientName: client.client_name ?? client.client_id,
    audience: audienceOf(client),
    confidential: (client['token_endpoint_auth_method'] ?? 'none') !== 'none',
    redirectUris: [...(client.redirect_uris ?? [])],
    clientUri: client.client_uri,
    source,
    firstParty: isFirstParty(client),
    app: appOf(client),
    copyDate: optional(client, 'campus_copy_date', text),
    ...(usesKey(client) && { usesKey: true }),
    reviewed: source === 'document' ? client['campus_reviewed'] === true : source !== 'registered',
  };
}

/** A client as people see it, if it still exists. */
export function describeClient(clientId: string, client: ClientMetadata | undefined): DescribedClient {
  const source = isMetadataDocumentId(clientId) ? 'document' : (client?.campus_source ?? 'static');
  const website = source === 'document' ? clientId : source === 'registered' ? undefined : client?.client_uri;
  return {
    clientId,
    clientName: client?.client_name || clientId,
    host: website === undefined ? undefined : URL.parse(website)?.host,
    source,
    app: appOf(client ?? {}),
    firstParty: source === 'static' && client?.campus_first_party === true,
    audience: audienceOf(client ?? {}),
    ...(usesKey(client ?? {}) && { usesKey: true }),
    ...(isPairwise(client ?? {}) && { subject: 'pairwise' }),
  };
}

export function isFirstParty(client: JsonMembers): boolean {
  return client['campus_first_party'] === true && client['campus_source'] === undefined;
}

export function audienceOf(client: JsonMembers): ClientAudience {
  const { campus_audience: audience } = client;
  return audience === 'member' || audience === 'service' ? audience : 'operator';
}

/** For whom a person authorizes a client; nobody authorizes a service. */
export function personAudience(audience: ClientAudience): PersonAudience {
  return audience === 'member' ? 'member' : 'operator';
}

/** When a metadata document last changed, in seconds since the epoch; 0 for other clients. */
export function sameSince(client: JsonMembers): number {
  const since = client['campus_same_since'];
  return typeof since === 'number' ? since : 0;
}
