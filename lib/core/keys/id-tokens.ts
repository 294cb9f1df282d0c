import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type JsonMembers, parseObject, textOf } from '../../kernel/json.ts';
import type { Jwk, SigningKeys } from './keys.ts';

/**
 * The claims of an ID token that this school has signed, however long ago; `undefined` for any other text. An ID token says what was, and
 * gives nothing. OpenID Connect RP-Initiated Logout 1.0 section 2.
 */
export function claimsOfIdToken(
  { signing, published }: SigningKeys,
  issuers: readonly string[],
  token: string,
): { readonly sub: string; readonly clientId: string } | undefined {
  const [head = '', body = '', signature = '', more] = token.split('.');
  if (signature === '' || more !== undefined) return undefined;
  const { alg, kid, typ } = decoded(head);
  const key = [...signing, ...published].find((each) => each.kid === kid && each.alg === alg);
  // A logout token, or what else is signed one day, is not an ID token.
  if (!key || (typ !== undefined && typ !== 'JWT')) return undefined;
  const signed = Buffer.from(`${head}.${body}`);
  const isSigned = verify('sha256', signed, withEncoding(publicKey(key)), Buffer.from(signature, 'base64url'));
  if (!isSigned) return undefined;
  const claims = decoded(body);
  const [sub, clientId, issuer] = [textOf(claims, 'sub'), textOf(claims, 'aud'), textOf(claims, 'iss')];
  const isOurs = issuer !== undefined && issuers.includes(issuer);
  return isOurs && sub !== undefined && clientId !== undefined ? { sub, clientId } : undefined;
}

function decoded(part: string): JsonMembers {
  return parseObject(Buffer.from(part, 'base64url').toString());
}

/** RFC 7518 section 3.4: the two numbers of an ECDSA signature stand side by side. */
export function withEncoding(key: KeyObject): { readonly key: KeyObject; readonly dsaEncoding: 'ieee-p1363' } {
  return { key, dsaEncoding: 'ieee-p1363' };
}

/** Node also makes the public key of a private one. */
function publicKey(key: Jwk): KeyObject {
  return createPublicKey(jwkInput(key));
}

export function jwkInput(key: Jwk): { readonly key: Record<string, string | undefined>; readonly format: 'jwk' } {
  return { key: { ...key }, format: 'jwk' };
}
