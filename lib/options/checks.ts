import { createPrivateKey } from 'node:crypto';
import type { CheckedKeys, Es256Jwk } from '../protocol/keys.ts';

/**
 * Demands something of an option.
 *
 * @throws TypeError `<path> must <demand>`
 */
export function must(ok: boolean, path: string, demand: string): asserts ok {
  if (!ok) throw new TypeError(`${path} must ${demand}`);
}

/** Whether this is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether this is a text with something in it. */
export function isText(value: unknown): value is string {
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
  const demand = 'be a policy: what metadataDocuments({ hosts: [] }) answers';
  must(isObject(documents), 'metadataDocuments', demand);
  must(typeof documents['permits'] === 'function', 'metadataDocuments', demand);
  for (const name of ['checkDocument', 'ceiling']) {
    must(typeof documents[name] === 'function', `metadataDocuments.${name}`, 'be a function');
  }
}

/** Checks `limits`; `known` are the defaults. */
export function checkLimits(limits: unknown, known: object): void {
  if (limits === false) return;
  must(isObject(limits), 'limits', 'be an object, or false');
  for (const [name, limit] of Object.entries(limits)) {
    must(name in known, `limits.${name}`, `not be given; there are ${Object.keys(known).join(', ')}`);
    must(isObject(limit), `limits.${name}`, 'be an object');
    for (const part of Object.keys(Reflect.get(known, name))) {
      must(
        Number.isSafeInteger(limit[part]) && Number(limit[part]) >= 0,
        `limits.${name}.${part}`,
        'be a whole number an hour',
      );
    }
  }
}
