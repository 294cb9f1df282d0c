import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import { sealValue, unsealValue } from './sealing.ts';

/** A second try must be the same request: a response does not open for another scope or client. */
export interface ReplayBinding {
  readonly siteId: string;
  readonly clientId: string;
  readonly refreshToken: string;
  readonly scope: string;
}

/** Encrypts a token response so that only the holder of the refresh token can read it; a dump of the store cannot. */
export function seal(binding: ReplayBinding, response: object): string {
  return sealValue(keyOf(binding), response);
}

/** Decrypts a sealed response; `undefined` if it was sealed for another request. */
export function unseal(binding: ReplayBinding, sealed: string): object | undefined {
  const response = unsealValue(keyOf(binding), sealed);
  return typeof response === 'object' && response !== null ? response : undefined;
}

/** One hash derives the key, since a refresh token is random: NIST SP 800-56C, section 4. */
function keyOf({ siteId, clientId, refreshToken, scope }: ReplayBinding): KeyObject {
  const secret = JSON.stringify(['campus-oidc replay', refreshToken, siteId, clientId, scope]);
  return createSecretKey(hash('sha256', secret, 'buffer'));
}
