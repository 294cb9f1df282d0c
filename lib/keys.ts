import { createHmac, generateKeyPairSync } from 'node:crypto';

/** A public ES256 key as a JSON Web Key. RFC 7517, RFC 7518 section 6.2. */
export interface Es256PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly alg: 'ES256';
  readonly kid: string;
  readonly x: string;
  readonly y: string;
  readonly use?: 'sig' | undefined;
}

/** A private ES256 key as a JSON Web Key. */
export interface Es256PrivateJwk extends Es256PublicJwk {
  readonly d: string;
}

/** The keys of `createCampus`. */
export interface CampusKeys {
  /**
   * The first signs ID tokens; all are published. While it is empty, no ID token is issued and discovery says so.
   * Specification: ID token verification.
   */
  readonly signing: readonly Es256PrivateJwk[];
  /** Published only: the next key before it signs, the last one after it did. @default [] */
  readonly published?: readonly Es256PublicJwk[] | undefined;
  /** Secrets that sign cookies and forms; the first signs, all verify. At least 16 characters each. */
  readonly cookies: readonly string[];
}

/** The public members of a key, and nothing else. */
export function publicJwk({ kty, crv, alg, kid, x, y }: Es256PublicJwk): Es256PublicJwk {
  return { kty, crv, alg, kid, use: 'sig', x, y };
}

/** The JSON Web Key Set of a campus. */
export function jwks(keys: CampusKeys): { keys: Es256PublicJwk[] } {
  return { keys: [...keys.signing, ...(keys.published ?? [])].map(publicJwk) };
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
