import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The second try must be the same request: another scope or client does not open the first answer. */
export interface ReplayBinding {
  readonly siteId: string;
  readonly clientId: string;
  readonly refreshToken: string;
  readonly scope: string;
}

/** Seals an answer so that only the holder of the refresh token can read it; a dump of the store cannot. */
export function seal(binding: ReplayBinding, answer: object): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(binding), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Opens a sealed answer, or answers `undefined` when it was sealed for another request. */
export function unseal(binding: ReplayBinding, sealed: string): object | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(binding), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString());
  } catch {
    return undefined;
  }
}

function keyOf({ siteId, clientId, refreshToken, scope }: ReplayBinding): Buffer {
  const info = JSON.stringify(['campus-oidc replay', clientId, scope]);
  return Buffer.from(hkdfSync('sha256', refreshToken, siteId, info, 32));
}
