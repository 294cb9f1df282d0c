import { createHmac, generateKeyPairSync } from 'node:crypto';

/** A JSON Web Key as tools write it, for example `exportJWK` of jose with `alg` and `kid` added. */
export interface Jwk {
  readonly kty?: string | undefined;
  readonly crv?: string | undefined;
  readonly alg?: string | undefined;
  readonly kid?: string | undefined;
  readonly use?: string | undefined;
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  readonly d?: string | undefined;
}

/** The keys of `createCampus`. Each is an EC key on P-256 with `alg: 'ES256'` and a `kid`. RFC 7518 section 6.2. */
export interface CampusKeys {
  /**
   * Private keys. The first signs ID tokens; all are published. While it is empty, no ID token is issued and discovery
   * says so. Specification: ID token verification 6.
   */
  readonly signing: readonly Jwk[];
  /**
   * Published only: the next key before it signs, and the last one afterwards. If the last one has its private part, an
   * ID token that it signed stays valid as `id_token_hint`. @default []
   */
  readonly published?: readonly Jwk[] | undefined;
  /** Secrets that sign cookies and forms; the first signs, all verify. At least 16 characters each. */
  readonly cookies: readonly string[];
}

/** The signing keys of one site, instead of those that all sites share. */
export type SiteKeys = Pick<CampusKeys, 'signing' | 'published'>;

/** @internal */
export interface Es256Jwk extends Jwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly alg: 'ES256';
  readonly use: 'sig';
  readonly kid: string;
  readonly x: string;
  readonly y: string;
}

/** The keys as read from the options. @internal */
export interface CheckedKeys extends CampusKeys {
  readonly signing: readonly Es256Jwk[];
  readonly published: readonly Es256Jwk[];
}

/** A site, as far as its keys depend on it. */
export interface KeySite {
  readonly id: string;
  readonly origin: string;
}

/** The keys as they are now. @internal */
export interface KeyRing {
  /** Those of one site. The same object until they change. Throws if the host's function has never worked. */
  of(site: KeySite): CheckedKeys;
  /** Those that all sites share. */
  shared(): CheckedKeys;
  /** Why the host's functions have not returned keys when they were last asked. */
  failures(): readonly string[];
}

/** The JSON Web Key Set: the public members of all keys. @internal */
export function jwks({ signing, published }: CheckedKeys): { keys: Es256Jwk[] } {
  return { keys: [...signing, ...published].map(({ d: _private, ...key }) => key) };
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

/** The secret of one site for one purpose, so that what one school signs is not valid at another. @internal */
export function siteSecret(secret: string, siteId: string, purpose: string): string {
  return createHmac('sha256', secret).update(`campus-oidc\n${purpose}\n${siteId}`).digest('base64url');
}
