import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { SigningJwk } from './signing-jwk.ts';

/** A JSON Web Key as tools write it, for example `exportJWK` of jose with `alg` and `kid` added. */
export interface Jwk {
  readonly kty?: string | undefined;
  readonly crv?: string | undefined;
  readonly alg?: string | undefined;
  readonly kid?: string | undefined;
  readonly use?: string | undefined;
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  readonly n?: string | undefined;
  readonly e?: string | undefined;
  readonly d?: string | undefined;
  readonly p?: string | undefined;
  readonly q?: string | undefined;
  readonly dp?: string | undefined;
  readonly dq?: string | undefined;
  readonly qi?: string | undefined;
}

/**
 * The keys of `createCampus`. Each has a `kid`, and is an EC key on P-256 with `alg: 'ES256'`, or an RSA key of 2048 to 4096 bits with
 * `alg: 'RS256'`. RFC 7518 sections 6.2 and 6.3.
 */
export interface CampusKeys {
  /**
   * The private keys. All are published. The first ES256 key signs ID tokens. The first RS256 key signs ID tokens for applications with
   * `idTokenAlgorithm: 'RS256'`. If the list is empty, no ID token is issued, and discovery says so. Specification: ID token verification
   * 6.
   */
  readonly signing: readonly Jwk[];
  /**
   * Keys that are published but do not sign: the next key and the previous one. If the previous key has its private part, ID tokens that it
   * signed stay valid as `id_token_hint`. @default []
   */
  readonly published?: readonly Jwk[] | undefined;
  /** Secrets for cookies and forms, at least 16 characters each. The first signs, and all verify. */
  readonly cookies: readonly string[];
}

/** The signing keys of one school, instead of those that all schools share. */
export type SiteKeys = Pick<CampusKeys, 'signing' | 'published'>;

/** An algorithm that signs ID tokens. RFC 7518 section 3.1. */
export type IdTokenAlgorithm = 'ES256' | 'RS256';

/** In the order of the metadata: the first is the default. @internal */
export const idTokenAlgorithms: readonly IdTokenAlgorithm[] = ['ES256', 'RS256'];

/** The keys of ID tokens, as read from the options. @internal */
export interface SigningKeys {
  readonly signing: readonly SigningJwk[];
  readonly published: readonly SigningJwk[];
}

/** The keys as read from the options. @internal */
export interface CheckedKeys extends SigningKeys {
  readonly cookies: readonly string[];
}

/** Those that ID tokens are signed with now; none while there is no key. @internal */
export function signedWith({ signing }: SigningKeys): readonly IdTokenAlgorithm[] {
  return idTokenAlgorithms.filter((name) => signing.some(({ alg }) => alg === name));
}

/** A school, as far as its keys depend on it. */
export interface KeySite {
  readonly id: string;
  readonly origin: string;
}

/** The keys as they are now. @internal */
export interface KeyRing {
  /** Those of one school. The same object until they change. Throws if the host's function has never worked. */
  of(site: KeySite): CheckedKeys;
  /** Those that all schools share. */
  shared(): CheckedKeys;
  /** Why the host's functions have not returned keys when they were last asked. */
  failures(): readonly string[];
}

/** The JSON Web Key Set: the public members of all keys. @internal */
export function jwks({ signing, published }: CheckedKeys): { keys: SigningJwk[] } {
  return { keys: [...signing, ...published].map(publicPart) };
}

function publicPart(key: SigningJwk): SigningJwk {
  const { kty, alg, use, kid } = key;
  if (kty === 'RSA') return { kty, alg, use, kid, n: key.n, e: key.e };
  return { kty, crv: key.crv, alg, use, kid, x: key.x, y: key.y };
}

/** What is the same in every form of one key, and in no other key. @internal */
export function publicText(key: SigningJwk): string {
  return key.kty === 'RSA' ? `${key.n}.${key.e}` : `${key.x}.${key.y}`;
}

let unused: Jwk | undefined;

/** A key of this process that is stored nowhere: the engine requires one even while nothing is signed. @internal */
export function unusedKey(): Jwk {
  if (!unused) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    unused = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
  }
  return unused;
}

/** The secret of one school for one purpose, so that what one school signs is not valid at another. @internal */
export function siteSecret(secret: string, siteId: string, purpose: string): string {
  return createHmac('sha256', secret).update(`campus-oidc\n${purpose}\n${siteId}`).digest('base64url');
}
