import { exportJWK, generateKeyPair } from 'jose';
import type { Jwk } from '../../lib/index.ts';

/** A new private ES256 key. */
export async function signingKey(kid: string): Promise<Jwk> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: 'ES256', kid };
}
