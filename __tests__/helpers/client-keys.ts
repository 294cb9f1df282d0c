import { randomUUID } from 'node:crypto';
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import type { PublicJwk } from '../../lib/core/keys/public-keys.ts';
import { type Changes, type JsonResponse, postForm } from './flow.ts';

/** A key pair of a client. */
export interface ClientKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: PublicJwk;
}

/** A new key pair, as its developer makes one. */
export async function clientKey(alg = 'ES256', kid = 'key-1', bits = 2048): Promise<ClientKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true, modulusLength: bits });
  return { alg, kid, privateKey, publicJwk: { kty: '', ...(await exportJWK(publicKey)), alg, kid } };
}

/** What an assertion has in place of what is right; `undefined` leaves a claim out. */
export interface AssertionChanges {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: { readonly alg?: string; readonly kid?: string | undefined; readonly typ?: string };
  readonly key?: CryptoKey | Uint8Array;
}

export const now = (): number => Math.floor(Date.now() / 1000);

/** An assertion of a client for the school at an origin. RFC 7523 section 3. */
export function assertion(
  clientId: string,
  origin: string,
  own: ClientKey,
  { claims = {}, header = {}, key = own.privateKey }: AssertionChanges = {},
): Promise<string> {
  const right = { iss: clientId, sub: clientId, aud: origin, exp: now() + 60, iat: now(), jti: randomUUID() };
  const { alg = own.alg, kid = own.kid, typ = 'JWT' } = header;
  const protectedHeader = { alg, typ, ...(!('kid' in header && header.kid === undefined) && { kid }) };
  const payload = Buffer.from(JSON.stringify({ ...right, ...claims }));
  return new CompactSign(payload).setProtectedHeader(protectedHeader).sign(key);
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The fields with which a client proves who it is. */
export async function keyFields(...made: Parameters<typeof assertion>): Promise<Changes> {
  return { client_assertion_type: assertionType, client_assertion: await assertion(...made) };
}

/** Requests a token for a service with these fields. */
export function serviceTokenWith(origin: string, fields: Changes): Promise<JsonResponse> {
  return postForm(`${origin}/api/oauth/token`, { grant_type: 'client_credentials', ...fields });
}
