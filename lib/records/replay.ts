import type { KeyObject } from 'node:crypto';
import { sealingKey, sealValue, unsealValue } from './sealing.ts';

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

function keyOf({ siteId, clientId, refreshToken, scope }: ReplayBinding): KeyObject {
  return sealingKey(refreshToken, siteId, JSON.stringify(['campus-oidc replay', clientId, scope]));
}
