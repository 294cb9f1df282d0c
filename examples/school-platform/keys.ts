import { randomBytes, randomUUID } from 'node:crypto';
import type { CampusKeys, Jwk } from 'campus-oidc';
import { exportJWK, generateKeyPair } from 'jose';

/**
 * Keys for the lifetime of the process: a restart invalidates all ID tokens and cookies. In production, load the keys
 * from your secret store.
 */
export async function temporaryKeys(): Promise<CampusKeys> {
  return {
    // Many sign-in clients refuse ES256; everything else gets it.
    signing: await Promise.all([newKey('ES256'), newKey('RS256')]),
    cookies: [randomBytes(32).toString('base64url')],
  };
}

async function newKey(alg: 'ES256' | 'RS256'): Promise<Jwk> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: randomUUID() };
}
