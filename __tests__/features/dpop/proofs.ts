import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** What a proof has in place of what is right; `undefined` leaves a member out. */
export interface ProofChanges {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Who signs it. @default the holder */
  readonly signer?: Holder;
}

/** A client with a key. */
export interface Holder {
  readonly jwk: Readonly<Record<string, unknown>>;
  /** The thumbprint. RFC 7638. */
  readonly jkt: string;
  readonly alg: 'ES256' | 'EdDSA';
  readonly privateKey: KeyObject;
}

/** A new key, as a client makes one. */
export function holder(alg: Holder['alg'] = 'ES256'): Holder {
  const { privateKey, publicKey } =
    alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' });
  const { crv, kty, x, y } = jwk;
  return { jwk: { ...jwk }, jkt: sha256(JSON.stringify({ crv, kty, x, y })), alg, privateKey };
}

/** The SHA-256 of an access token. */
export function ath(token: unknown): string {
  return sha256(String(token));
}

/** A proof for a request. RFC 9449 section 4.2. */
export function proofOf(
  own: Holder,
  htm: string,
  htu: string,
  { header = {}, claims = {}, signer = own }: ProofChanges = {},
): string {
  const iat = Math.floor(Date.now() / 1000);
  const head = encoded({ typ: 'dpop+jwt', alg: own.alg, jwk: own.jwk, ...header });
  const signed = `${head}.${encoded({ htm, htu, iat, jti: randomUUID(), ...claims })}`;
  const key = { key: signer.privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${signed}.${sign(signer.alg === 'ES256' ? 'sha256' : null, Buffer.from(signed), key).toString('base64url')}`;
}
