import type { AuthenticationMethod } from '../../lib/core/enabled/client-authentication.ts';
import { isKeyAddress, type KeyMetadata, usableKeys, usableProblem } from '../../lib/core/keys/public-keys.ts';
import { isMetadataDocumentId } from '../../lib/core/clients/client-id.ts';
import { isIP } from 'node:net';
import { createHash } from 'node:crypto';
import type { DocumentMetadata } from '../../lib/features/metadata-documents/domain/document-policy.ts';
import type { JsonObject, JsonValue } from '../../lib/kernel/json.ts';
import { isPublicAddress } from '../../lib/core/outbound/public-address.ts';
import { isWebAddress } from '../../lib/kernel/option-schemas.ts';
import { withoutEmpty } from '../../lib/kernel/empty.ts';
import { InvalidClientMetadata } from '../../lib/kernel/errors.ts';
import { checkRedirectUri, isLoopbackRedirect, plainHost, uriCharacters } from '../../lib/core/clients/redirect-uri.ts';
import { checkName, unreviewedScopes } from '../client-metadata.ts';

const grantTypes = ['authorization_code', 'refresh_token'] as const;
const maxRedirectUris = 20;

/** Without unknown members and addresses that are not `https:`. Registration rules 3. @throws InvalidClientMetadata */
export function documentMetadata(
  clientId: string,
  given: JsonObject,
  methods: readonly AuthenticationMethod[] = ['none'],
): DocumentMetadata {
  const document = withoutEmpty(given, ['redirect_uris']);
  if (document['client_id'] !== clientId) refuse('client_id', 'is not the address of the document itself');
  for (const member of ['client_secret', 'client_secret_expires_at']) {
    if (document[member] !== undefined) refuse(member, 'must not be given: everyone can read the document');
  }
  const authentication = authenticationOf(document, methods);
  const redirectUris = redirectUrisOf(clientId, document);
  const name = nameOf(document);
  const grants = strings(document, 'grant_types') ?? grantTypes;
  if (!grants.includes('authorization_code')) refuse('grant_types', 'does not have authorization_code');
  if (strings(document, 'response_types')?.includes('code') === false) refuse('response_types', 'does not have code');
  return {
    client_id: clientId,
    client_name: name,
    application_type: redirectUris.some((uri) => isLoopbackRedirect(uri, { localhost: true })) ? 'native' : 'web',
    redirect_uris: redirectUris,
    ...authentication,
    grant_types: grantTypes.filter((type) => grants.includes(type)),
    response_types: ['code'],
    client_uri: page(document['client_uri']),
    logo_uri: page(document['logo_uri']),
    tos_uri: page(document['tos_uri']),
    policy_uri: page(document['policy_uri']),
    // The document's own scope is written for every server, not for this one.
    scope: unreviewedScopes.join(' '),
  };
}

function refuse(member: string, wrong: string): never {
  throw new InvalidClientMetadata(`the metadata document cannot be used: ${member} ${wrong}`);
}

function strings(document: JsonObject, member: string): readonly string[] | undefined {
  const value = document[member];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    return refuse(member, 'is not an array of strings');
  }
  return value;
}

function redirectUrisOf(clientId: string, document: JsonObject): readonly string[] {
  const uris = strings(document, 'redirect_uris') ?? [];
  if (uris.length === 0) refuse('redirect_uris', 'is missing or empty');
  if (uris.length > maxRedirectUris) refuse('redirect_uris', `has more than ${maxRedirectUris} addresses`);
  const { host } = new URL(clientId);
  uris.forEach((uri, i) => {
    const wrong = checkRedirectUri(uri, { https: true, loopback: true, localhost: true });
    if (wrong !== undefined) refuse(`redirect_uris[${i}]`, wrong);
    if (!isLoopbackRedirect(uri, { localhost: true }) && new URL(uri).host !== host) {
      refuse(`redirect_uris[${i}]`, 'is neither under the host of the document nor a loopback address');
    }
  });
  return [...new Set(uris)];
}

function nameOf({ client_name: name = '' }: JsonObject): string | undefined {
  if (typeof name !== 'string') return refuse('client_name', 'is not a string');
  const wrong = checkName(name);
  if (wrong !== undefined) refuse('client_name', wrong);
  return name.trim() || undefined;
}

/** The document with those of its redirect URIs that count. */
export function withCountedUris(document: JsonObject, counted: readonly string[] | undefined): JsonObject {
  const { redirect_uris: uris } = document;
  if (!counted || !Array.isArray(uris)) return document;
  return { ...document, redirect_uris: uris.filter((uri) => typeof uri !== 'string' || counted.includes(uri)) };
}

type Authentication = Pick<DocumentMetadata, 'token_endpoint_auth_method' | 'jwks' | 'jwks_uri'>;

/**
 * A client whose method is enabled here has that one, and no other. A client that lists `none` among its methods is public otherwise.
 */
function authenticationOf(document: JsonObject, enabled: readonly string[]): Authentication {
  const method = document['token_endpoint_auth_method'];
  const takesKeys = enabled.includes('private_key_jwt');
  if (method === 'private_key_jwt' && takesKeys) return { token_endpoint_auth_method: method, ...keysOf(document) };
  const methods = strings(document, 'token_endpoint_auth_methods_supported') ?? [method ?? 'none'];
  if (method !== 'none' && !methods.includes('none')) {
    const accepted = takesKeys ? 'none or private_key_jwt' : 'none: this server accepts only public clients';
    refuse('token_endpoint_auth_method', `must be ${accepted}`);
  }
  return { token_endpoint_auth_method: 'none' };
}

function keysOf({ jwks, jwks_uri: address }: JsonObject): KeyMetadata {
  if (jwks !== undefined && address !== undefined) refuse('jwks', 'must not be given beside jwks_uri');
  if (address !== undefined) {
    if (typeof address === 'string' && isKeyAddress(address)) return { jwks_uri: address };
    refuse('jwks_uri', 'is not a plain https: address');
  }
  const keys = usableKeys(jwks);
  const problem = usableProblem(keys);
  if (problem !== undefined) refuse('jwks', problem);
  return { jwks: { keys } };
}

function page(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.startsWith('https://') && isWebAddress(value) ? value : undefined;
}

/** SHA-256, base64url, of what a person consents to: redirect URIs in any order, name and keys. */
export function documentDigest(document: JsonObject): string {
  const { redirect_uris: uris, client_name, jwks, jwks_uri } = withoutEmpty(document, ['redirect_uris']);
  const redirect_uris = Array.isArray(uris) ? [...new Set(uris.map(canonical))].sort() : uris;
  const content = canonical({ client_name, jwks, jwks_uri, redirect_uris });
  return createHash('sha256').update(content).digest('base64url');
}

function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join()}}`;
}

const maxUrlLength = 1000;

/** Names that are not in public DNS. RFC 6761, RFC 6762, RFC 8375 and ICANN's `.internal`. */
const privateName = /(?:^|\.)(?:localhost|local|internal|home\.arpa|onion)$/;

/** What is wrong, as words that follow `client_id`. Only the plain form passes, so strings can be compared. CIMD draft, section 3. */
export function checkDocumentUrl(clientId: string): string | undefined {
  if (clientId.length > maxUrlLength) return `is longer than ${maxUrlLength} characters`;
  if (!isMetadataDocumentId(clientId)) return 'does not start with https://';
  if (clientId.includes('#')) return 'has a fragment';
  if (!uriCharacters.test(clientId)) return 'has a character that a URL must not have, or must write percent-encoded';
  const url = URL.parse(clientId);
  if (url === null) return 'is not a URL';
  if (url.username !== '' || url.password !== '' || /^https:\/\/[^/?]*@/.test(clientId)) {
    return 'has a user name or password';
  }
  if (!plainHost.test(url.hostname)) return 'has a host that is not a plain domain name or address';
  if (url.pathname === '/') return 'has no path';
  if (url.pathname.includes('//')) return 'has an empty path segment';
  if (/%(?:2e|2f|5c|00)/i.test(clientId)) return 'has a percent-encoded dot, slash or backslash';
  if (clientId.includes('?') && url.search === '') return 'has an empty query';
  return clientId === url.href ? undefined : 'is not in its plain form';
}

/** Whether no server on the internet can have the host. */
export function isPrivateHost({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return !isPublicAddress(address);
  return !hostname.includes('.') || privateName.test(hostname);
}

/** Whether the host is a public DNS name at the default port. */
export function isOpenHost(url: URL): boolean {
  const { hostname, port } = url;
  if (port !== '' || hostname.startsWith('[') || isIP(hostname) !== 0) return false;
  return hostname.includes('.') && !privateName.test(hostname);
}

/** What `*` stands for in the pattern of a document's URL: one segment of the path. */
const wildcard = '([A-Za-z0-9_-]{1,128})';

/** What is wrong with a URL or a pattern, as words that follow `must`. `*` is a segment of the path, never a part of the host. */
export function checkDocumentPattern(pattern: string): string | undefined {
  const [path = '', ...query] = pattern.split('?');
  // The two slashes before a host are not the start of a segment.
  const example = [path.replaceAll(/(?<=[^/])\/\*(?=\/|$)/g, '/a'), ...query].join('?');
  const wrong = example.includes('*') ? 'has a * that is not a segment of the path' : checkDocumentUrl(example);
  return wrong === undefined ? undefined : `be the URL of a metadata document or a pattern of one, but it ${wrong}`;
}

export function documentPattern(pattern: string): RegExp {
  return new RegExp(`^${pattern.split('*').map(escaped).join(wildcard)}$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
