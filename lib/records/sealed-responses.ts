import { createCipheriv, createDecipheriv, createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto';
import { takeRandom } from '../kernel/crypto.ts';

/** The format, as for records: `adapters/README.md`. */
const version = '1.';

/** HKDF. RFC 5869. */
export function sealingKey(secret: string, salt: string, info: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, salt, info, 32)));
}

/** Encrypts with AES-256-GCM. Node takes five times as long to start a cipher with bytes as with a key object. */
export function sealValue(key: KeyObject, value: object): string {
  const iv = takeRandom(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = [iv, cipher.update(JSON.stringify(value)), cipher.final(), cipher.getAuthTag()];
  return version + Buffer.concat(sealed).toString('base64url');
}

/** @throws Error for a format that this release does not read */
export function checkSealed(sealed: string): string {
  if (sealed.startsWith(version)) return sealed;
  throw new Error(`the sealed value does not start with "${version}"`);
}

/** Decrypts; `undefined` if it was sealed with another key. */
export function unsealValue(key: KeyObject, sealed: string): unknown {
  const bytes = Buffer.from(checkSealed(sealed).slice(version.length), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  try {
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString());
  } catch {
    return undefined;
  }
}

/** A second try must be the same request: a response does not open for another scope, client or key. */
export interface ReplayBinding {
  readonly siteId: string;
  readonly clientId: string;
  readonly refreshToken: string;
  readonly scope: string;
  /** The thumbprint of the key to which the tokens are bound. @default none */
  readonly jkt?: string | undefined;
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
function keyOf({ siteId, clientId, refreshToken, scope, jkt }: ReplayBinding): KeyObject {
  const key = jkt === undefined ? [] : [jkt];
  const secret = JSON.stringify(['campus-oidc replay', refreshToken, siteId, clientId, scope, ...key]);
  return createSecretKey(hash('sha256', secret, 'buffer'));
}
