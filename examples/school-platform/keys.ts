import { randomBytes, randomUUID } from 'node:crypto';
import type { CampusKeys } from 'campus-oidc';
import { exportJWK, generateKeyPair } from 'jose';

/**
 * Keys for the lifetime of the process: a restart invalidates all ID tokens and cookies. In production, load the keys
 * from your secret store.
 */
export async function temporaryKeys(): Promise<CampusKeys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const { x, y, d } = await exportJWK(privateKey);
  if (x === undefined || y === undefined || d === undefined) throw new TypeError('not an elliptic-curve key pair');
  return {
    signing: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: randomUUID(), x, y, d }],
    cookies: [randomBytes(32).toString('base64url')],
  };
}
