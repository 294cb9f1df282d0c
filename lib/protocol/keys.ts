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
   * Published only: the next key before it signs, the last one after it did. With its private part, what the last one
   * signed stays good as `id_token_hint`. @default []
   */
  readonly published?: readonly Jwk[] | undefined;
  /** Secrets that sign cookies and forms; the first signs, all verify. At least 16 characters each. */
  readonly cookies: readonly string[];
}

/** A checked ES256 key; `d` is there for a private one. */
export interface Es256Jwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly alg: 'ES256';
  readonly use: 'sig';
  readonly kid: string;
  readonly x: string;
  readonly y: string;
  readonly d?: string | undefined;
}

/** The keys as read from the options. */
export interface CheckedKeys {
  readonly signing: readonly Es256Jwk[];
  readonly published: readonly Es256Jwk[];
  readonly cookies: readonly string[];
}

/** The public members of a key, and nothing else. */
function publicJwk({ d: _private, ...key }: Es256Jwk): Es256Jwk {
  return key;
}

/** The JSON Web Key Set of a campus. */
export function jwks(keys: CheckedKeys): { keys: Es256Jwk[] } {
  return { keys: [...keys.signing, ...keys.published].map(publicJwk) };
}

/** A key that nobody has: for the engine, which wants one even while nothing is signed. */
export function unusedKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
}

/** A secret of one site for one purpose, so that what one school signed means nothing at another. */
export function siteSecret(secret: string, siteId: string, purpose: string): string {
  return createHmac('sha256', secret).update(`campus-oidc\n${purpose}\n${siteId}`).digest('base64url');
}
