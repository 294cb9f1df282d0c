import { exportJWK, generateKeyPair } from 'jose';
import type { Jwk } from '../../lib/index.ts';

/** A new private key for ID tokens. An RSA key takes some tenths of a second. */
export async function signingKey(kid: string, alg: 'ES256' | 'RS256' = 'ES256'): Promise<Jwk> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, kid };
}
