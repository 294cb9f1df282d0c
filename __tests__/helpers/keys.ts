import { exportJWK, generateKeyPair } from 'jose';
import type { Es256PrivateJwk } from '../../lib/index.ts';

/** A new private ES256 key. */
export async function signingKey(kid: string): Promise<Es256PrivateJwk> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const { x = '', y = '', d = '' } = await exportJWK(privateKey);
  return { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid, x, y, d };
}
