import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

/** The format, as for records: `docs/storage.md`. */
const version = '1.';

/** HKDF. RFC 5869. */
export function sealingKey(secret: string, salt: string, info: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, salt, info, 32)));
}

/** Encrypts with AES-256-GCM. Node takes five times as long to start a cipher with bytes as with a key object. */
export function sealValue(key: KeyObject, value: object): string {
  const iv = randomBytes(12);
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
