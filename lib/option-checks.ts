import { createPrivateKey } from 'node:crypto';
import type { CheckedKeys, Es256Jwk } from './keys.ts';
import { checkRedirectUri } from './redirect-uri.ts';
import { isScope, scopeRow } from './scopes.ts';

/**
 * Demands something of an option.
 *
 * @throws TypeError `<path> must <demand>`
 */
export function must(ok: boolean, path: string, demand: string): asserts ok {
  if (!ok) throw new TypeError(`${path} must ${demand}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0;
}

/** Reads `keys`: checked copies, with nothing in them that is not needed. */
export function readKeys(keys: unknown): CheckedKeys {
  must(isObject(keys), 'keys', 'be an object');
  const { signing, published = [], cookies } = keys;
  must(Array.isArray(signing), 'keys.signing', 'be an array of private ES256 keys');
  must(Array.isArray(published), 'keys.published', 'be an array of ES256 keys');
  must(Array.isArray(cookies) && cookies.length > 0, 'keys.cookies', 'be an array with at least one secret');
  const kids = new Set<string>();
  const checked = {
    signing: signing.map((key: unknown, i) => readKey(key, `keys.signing[${i}]`, kids)),
    published: published.map((key: unknown, i) => readKey(key, `keys.published[${i}]`, kids)),
    cookies: cookies.map((secret: unknown, i) => {
      must(isText(secret) && secret.length >= 16, `keys.cookies[${i}]`, 'be a secret of at least 16 characters');
      return secret;
    }),
  };
  checked.signing.forEach((key, i) => {
    const demand = 'be a private key: a JSON Web Key whose "d" belongs to its "x" and "y"';
    must(isPrivateKey(key), `keys.signing[${i}]`, demand);
  });
  must(kids.size > 0, 'keys.signing', 'have a key, or keys.published must');
  return checked;
}

function readKey(key: unknown, path: string, kids: Set<string>): Es256Jwk {
  must(isObject(key), path, 'be a JSON Web Key');
  const { kty, crv, alg, use = 'sig', kid, x, y, d } = key;
  must(kty === 'EC', `${path}.kty`, 'be "EC"');
  must(crv === 'P-256', `${path}.crv`, 'be "P-256"');
  must(alg === 'ES256', `${path}.alg`, 'be "ES256"');
  must(use === 'sig', `${path}.use`, 'be "sig" or absent');
  must(isText(kid), `${path}.kid`, 'be a non-empty string');
  must(isText(x), `${path}.x`, 'be a base64url string');
  must(isText(y), `${path}.y`, 'be a base64url string');
  must(d === undefined || isText(d), `${path}.d`, 'be a base64url string or absent');
  must(!kids.has(kid), `${path}.kid`, `be unique; ${JSON.stringify(kid)} is there twice`);
  kids.add(kid);
  return { kty, crv, alg, use, kid, x, y, ...(d !== undefined && { d }) };
}

function isPrivateKey({ d, ...key }: Es256Jwk): boolean {
  if (d === undefined) return false;
  try {
    return createPrivateKey({ key: { ...key, d }, format: 'jwk' }).asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}

/** Checks `clients`. */
export function checkClients(clients: unknown): void {
  must(Array.isArray(clients), 'clients', 'be an array');
  const ids = new Set<unknown>();
  clients.forEach((client, i) => checkClient(client, `clients[${i}]`, ids));
}

/** Checks one client that is written down in code; `ids` collects the ids seen so far. */
export function checkClient(client: unknown, path: string, ids: Set<unknown>): void {
  must(isObject(client), path, 'be an object');
  const { clientId, clientName, audience, redirectUris, scopes, clientSecret, resourceServer, clientUri, sites } =
    client;
  must(isText(clientId) && /^[\x21-\x7e]+$/.test(clientId), `${path}.clientId`, 'be printable ASCII without spaces');
  must(
    !clientId.startsWith('https://'),
    `${path}.clientId`,
    'not start with https://, which names a metadata document',
  );
  must(!ids.has(clientId), `${path}.clientId`, `be unique; ${JSON.stringify(clientId)} is there twice`);
  ids.add(clientId);
  must(isText(clientName), `${path}.clientName`, 'be a non-empty string');
  must(audience === 'operator' || audience === 'member', `${path}.audience`, 'be "operator" or "member"');
  must(Array.isArray(redirectUris), `${path}.redirectUris`, 'be an array of strings');
  must(redirectUris.length > 0 || resourceServer === true, `${path}.redirectUris`, 'not be empty');
  redirectUris.forEach((uri, i) => {
    const wrong =
      typeof uri === 'string'
        ? checkRedirectUri(uri, { https: true, loopback: true, localhost: true, privateUse: true })
        : 'is no string';
    must(wrong === undefined, `${path}.redirectUris[${i}]`, `be a redirect URI, but it ${wrong}`);
  });
  must(Array.isArray(scopes), `${path}.scopes`, 'be an array of scopes');
  must(scopes.length > 0 || redirectUris.length === 0, `${path}.scopes`, 'not be empty');
  scopes.forEach((scope, i) => {
    must(
      typeof scope === 'string' && isScope(scope),
      `${path}.scopes[${i}]`,
      `be a scope of the catalogue, not ${JSON.stringify(scope)}`,
    );
    must(
      audience === 'member' || scopeRow(scope)?.memberOnly !== true,
      `${path}.scopes[${i}]`,
      `not be ${scope}, which is for member clients alone`,
    );
  });
  must(clientSecret === undefined || isText(clientSecret), `${path}.clientSecret`, 'be a non-empty string');
  must(resourceServer !== true || clientSecret !== undefined, `${path}.clientSecret`, 'be set for a resource server');
  must(
    clientUri === undefined || (isText(clientUri) && isWebAddress(clientUri)),
    `${path}.clientUri`,
    'be an https: or http: address',
  );
  must(
    sites === undefined || (Array.isArray(sites) && sites.every(isText)),
    `${path}.sites`,
    'be an array of site ids',
  );
}

function isWebAddress(value: string): boolean {
  return ['https:', 'http:'].includes(URL.parse(value)?.protocol ?? '');
}

/** Checks `lifetimes`. */
export function checkLifetimes(lifetimes: unknown, names: readonly string[]): void {
  must(isObject(lifetimes), 'lifetimes', 'be an object');
  for (const [name, value] of Object.entries(lifetimes)) {
    must(names.includes(name), `lifetimes.${name}`, `not be given; there are ${names.join(', ')}`);
    const least = name === 'refreshGrace' ? 0 : 1;
    must(
      value === undefined || (Number.isSafeInteger(value) && Number(value) >= least),
      `lifetimes.${name}`,
      `be a whole number of seconds, at least ${least}`,
    );
  }
}

/** Checks `registration` and `metadataDocuments`. */
export function checkPolicies(registration: unknown, documents: unknown): void {
  must(Array.isArray(registration), 'registration', 'be an array of policies');
  registration.forEach((policy: unknown, i) => {
    must(isObject(policy), `registration[${i}]`, 'be a policy, for example loopbackClients()');
    must(isText(policy['name']), `registration[${i}].name`, 'be a non-empty string');
    must(typeof policy['decide'] === 'function', `registration[${i}].decide`, 'be a function');
    must(
      policy['clients'] === undefined || Array.isArray(policy['clients']),
      `registration[${i}].clients`,
      'be an array',
    );
  });
  if (documents === undefined) return;
  must(isObject(documents), 'metadataDocuments', 'be a policy, for example metadataDocuments({ hosts: [] })');
  for (const name of ['permits', 'checkDocument', 'ceiling']) {
    must(typeof documents[name] === 'function', `metadataDocuments.${name}`, 'be a function');
  }
}

/** Checks `limits`. */
export function checkLimits(limits: unknown, known: object): void {
  if (limits === false) return;
  must(isObject(limits), 'limits', 'be an object, or false');
  for (const [name, limit] of Object.entries(limits)) {
    must(name in known, `limits.${name}`, `not be given; there are ${Object.keys(known).join(', ')}`);
    must(isObject(limit), `limits.${name}`, 'be an object');
    for (const part of ['perAddress', 'perSite']) {
      must(
        Number.isSafeInteger(limit[part]) && Number(limit[part]) >= 0,
        `limits.${name}.${part}`,
        'be a whole number an hour',
      );
    }
  }
}
