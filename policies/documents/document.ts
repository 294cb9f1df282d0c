import { createHash } from 'node:crypto';
import type { RegisteredClientMetadata } from '../../lib/contracts/registration.ts';
import type { JsonObject, JsonValue } from '../../lib/contracts/json.ts';
import { isWebAddress } from '../../lib/protocol/client-fields.ts';
import { InvalidClientMetadata } from '../../lib/protocol/errors.ts';
import { checkRedirectUri, isLoopbackRedirect } from '../../lib/protocol/redirect-uri.ts';
import { checkName } from '../client-metadata.ts';
import { unreviewedScopes } from '../allowed-scopes.ts';

const grantTypes = ['authorization_code', 'refresh_token'] as const;
const maxRedirectUris = 20;

/**
 * The client metadata of a document. Unknown members are dropped, and so are pages and pictures without an `https:`
 * address. Specification: Registration rules 3.
 *
 * @throws InvalidClientMetadata that says what is wrong with the document
 */
export function documentMetadata(
  clientId: string,
  document: JsonObject,
): RegisteredClientMetadata & { readonly client_id: string } {
  if (document['client_id'] !== clientId) refuse('client_id', 'is not the address of the document itself');
  for (const member of ['client_secret', 'client_secret_expires_at']) {
    if (document[member] !== undefined) refuse(member, 'must not be given: everyone can read the document');
  }
  checkAuthMethod(document);
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
    token_endpoint_auth_method: 'none',
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

/** Only public clients are accepted. A client that lists `none` among its methods becomes one. */
function checkAuthMethod(document: JsonObject): void {
  const method = document['token_endpoint_auth_method'];
  const methods = strings(document, 'token_endpoint_auth_methods_supported') ?? [method ?? 'none'];
  if (method !== 'none' && !methods.includes('none')) {
    refuse('token_endpoint_auth_method', 'must be none: this server accepts only public clients');
  }
}

function page(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.startsWith('https://') && isWebAddress(value) ? value : undefined;
}

/**
 * The SHA-256 digest, in base64url, of what a person consents to in a metadata document: its redirect URIs in any order,
 * its name and its keys. Other changes of the document do not change the digest.
 */
export function documentDigest(document: JsonObject): string {
  const { redirect_uris: uris, client_name, jwks, jwks_uri } = document;
  const redirect_uris = Array.isArray(uris) ? [...new Set(uris.map(canonical))].sort() : uris;
  const content = canonical({ client_name, jwks, jwks_uri, redirect_uris });
  return createHash('sha256').update(content).digest('base64url');
}

/** JSON with the members of objects in alphabetical order. */
function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join()}}`;
}
