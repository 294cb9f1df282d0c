import type { JsonMembers } from '../../kernel/json.ts';
import { createPublicKey } from 'node:crypto';
import type { Jwk } from './keys.ts';
import { isObject } from '../../kernel/validate.ts';

/** A public key of a client, as its developer publishes it. RFC 7517. */
export interface PublicJwk extends Omit<Jwk, 'kty' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi'> {
  readonly kty: string;
}

/** The public keys with which a client proves who it is: a JSON Web Key Set, or the `https:` address of one. RFC 7517 section 5. */
export type PublicKeys = { readonly keys: readonly PublicJwk[] } | string;

/** The same under the names of RFC 7591. */
export interface KeyMetadata {
  readonly jwks?: { readonly keys: readonly PublicJwk[] } | undefined;
  readonly jwks_uri?: string | undefined;
}

/** The name of an algorithm. RFC 7518 section 3.1. */
export type KeyAlgorithm = 'EdDSA' | 'Ed25519' | 'ES256' | 'PS256' | 'RS256';

interface KeyKind {
  readonly kty: string;
  readonly crv?: string;
  readonly algorithms: readonly KeyAlgorithm[];
  /** The members of the public key, in the order of RFC 7638. */
  readonly members: readonly (keyof PublicJwk)[];
}

const kinds: readonly KeyKind[] = [
  // RFC 8037 has one name, and RFC 9864 the other.
  { kty: 'OKP', crv: 'Ed25519', algorithms: ['EdDSA', 'Ed25519'], members: ['crv', 'kty', 'x'] },
  { kty: 'EC', crv: 'P-256', algorithms: ['ES256'], members: ['crv', 'kty', 'x', 'y'] },
  { kty: 'RSA', algorithms: ['PS256', 'RS256'], members: ['e', 'kty', 'n'] },
];

/** How an assertion may be signed: only with asymmetric keys. */
export const keyAlgorithms: readonly KeyAlgorithm[] = kinds.flatMap(({ algorithms }) => algorithms);

const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** RSA keys, in bits. Longer ones take a process too much time: each verification of 4096 bits takes it 0.2 ms. */
const [minBits, maxBits] = [2048, 4096];

/** The longest public exponent of RSA, in bits: almost all keys have 65537. One as long as the modulus makes a verification 100 times as long. */
const maxExponentBits = 32;

function kindOf(jwk: JsonMembers): KeyKind | undefined {
  return kinds.find(({ kty, crv }) => jwk['kty'] === kty && (crv === undefined || jwk['crv'] === crv));
}

/** What is wrong with a key, as words that follow its place. */
function keyProblem(jwk: unknown): string | undefined {
  if (!isObject(jwk)) return 'is not an object';
  const secret = secretMembers.find((member) => jwk[member] !== undefined);
  if (secret !== undefined)
    return `has the secret member ${secret}; it is no longer secret, so make another key and give its public part`;
  const kind = kindOf(jwk);
  if (!kind) return 'is neither an RSA key nor one on P-256 or Ed25519';
  const { kid, use, alg, key_ops: operations } = jwk;
  if (kid !== undefined && (typeof kid !== 'string' || kid === '')) return 'has a kid that is not a text';
  if (use !== undefined && use !== 'sig') return 'is not for signatures: its use is not sig';
  if (Array.isArray(operations) && !operations.includes('verify'))
    return 'is not for signatures: its key_ops lack verify';
  if (alg !== undefined && !kind.algorithms.some((each) => each === alg))
    return `has another alg than ${kind.algorithms.join(' or ')}`;
  return materialProblem(picked(jwk, kind.members));
}

/** What is wrong with the numbers of a public key, as words that follow its place. */
export function materialProblem(jwk: PublicJwk): string | undefined {
  try {
    const { modulusLength = minBits, publicExponent = 65537n } =
      createPublicKey({ key: Object.fromEntries(Object.entries(jwk)), format: 'jwk' }).asymmetricKeyDetails ?? {};
    if (modulusLength < minBits || modulusLength > maxBits)
      return `has ${modulusLength} bits, not ${minBits} to ${maxBits}`;
    const exponentBits = publicExponent.toString(2).length;
    return exponentBits > maxExponentBits
      ? `has a public exponent of ${exponentBits} bits, not at most ${maxExponentBits}; make a key with 65537`
      : undefined;
  } catch {
    return 'is not a key: a member is missing or wrong';
  }
}

function picked(jwk: JsonMembers, members: readonly (keyof PublicJwk)[]): PublicJwk {
  const pairs = members.flatMap((name) => (typeof jwk[name] === 'string' ? [[name, jwk[name]] as const] : []));
  return { kty: '', ...Object.fromEntries(pairs) };
}

/** Without what nothing reads, such as certificates. */
function plainKey(jwk: JsonMembers): PublicJwk {
  return picked(jwk, ['kid', 'alg', 'use', ...(kindOf(jwk)?.members ?? [])]);
}

/** The most keys of a client: the current one, the next one, and some to spare. */
const maxKeys = 10;

/** What is wrong with keys that somebody gives, as words that follow their name. */
export function keysProblem(keys: unknown): string | undefined {
  if (typeof keys === 'string')
    return isKeyAddress(keys) ? undefined : 'is not the https: address of a JSON Web Key Set';
  const list: unknown = isObject(keys) ? keys['keys'] : undefined;
  if (!Array.isArray(list)) return 'is neither a JSON Web Key Set, {"keys": […]}, nor its https: address';
  if (list.length === 0 || list.length > maxKeys) return `has ${list.length} keys, not 1 to ${maxKeys}`;
  const kids = new Set<unknown>();
  for (const [i, jwk] of list.entries()) {
    const problem = keyProblem(jwk);
    if (problem !== undefined) return `keys[${i}] ${problem}`;
    const kid: unknown = Object(jwk).kid;
    // An assertion must tell with which of several keys it is signed.
    if (list.length > 1 && kid === undefined) return `keys[${i}] has no kid, which each of several keys needs`;
    if (kids.has(kid)) return `keys[${i}] has the kid of another key`;
    kids.add(kid);
  }
  return undefined;
}

/** Whether an address can be a `jwks_uri`. Whether it leads to a public network is checked when it is fetched. */
export function isKeyAddress(address: string): boolean {
  const url = address.length > 1000 ? null : URL.parse(address);
  return (
    url?.protocol === 'https:' && url.href === address && url.username === '' && url.password === '' && url.hash === ''
  );
}

/** Keys that `keysProblem` has found nothing wrong with. */
export function keyMetadata(keys: PublicKeys | undefined): KeyMetadata {
  if (keys === undefined) return {};
  if (typeof keys === 'string') return { jwks_uri: keys };
  return { jwks: { keys: keys.keys.map((key) => plainKey({ ...key })) } };
}

export function publicKeysOf({ jwks, jwks_uri: address }: KeyMetadata): PublicKeys | undefined {
  return jwks ?? address;
}

/** The most keys of a published set that are looked at: some may be for something else. */
const maxPublished = 100;

/** The keys of a set that this service has stored. */
export function keysIn(set: unknown): readonly PublicJwk[] {
  return publishedIn(set).map(plainKey);
}

function publishedIn(set: unknown): readonly JsonMembers[] {
  const list: unknown = isObject(set) ? set['keys'] : undefined;
  return Array.isArray(list) ? list.slice(0, maxPublished).filter(isObject) : [];
}

/** The keys of a published set that can verify an assertion. The others are for something else, or everybody has read their secret part. */
export function usableKeys(set: unknown): readonly PublicJwk[] {
  return publishedIn(set)
    .filter((jwk) => keyProblem(jwk) === undefined)
    .map(plainKey);
}

/** What is wrong with the usable keys of a published set, as words that follow its name. */
export function usableProblem({ length }: readonly PublicJwk[]): string | undefined {
  if (length === 0) return `has no public key for signatures: RSA of ${minBits} to ${maxBits} bits, P-256 or Ed25519`;
  return length > maxKeys ? `has ${length} keys for signatures, and may have ${maxKeys}` : undefined;
}

/** The one key that can have signed an assertion. If there are several, it is that whose `kid` the assertion names and no other key has. RFC 7517 section 4.5. */
export function namedKey(keys: readonly PublicJwk[], kid: unknown): PublicJwk | undefined {
  const named = keys.length === 1 ? keys : keys.filter((key) => key.kid !== undefined && key.kid === kid);
  return named.length === 1 ? named[0] : undefined;
}

/** What is the same in every form of one key. RFC 7638 section 3. */
export function keyText(jwk: PublicJwk): string {
  return JSON.stringify(picked({ ...jwk }, kindOf({ ...jwk })?.members ?? []));
}
