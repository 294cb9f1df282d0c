import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type JsonMembers, parseObject, textOf } from '../../kernel/json.ts';
import { idTokenAlgorithms, type Jwk, type SigningKeys } from './keys.ts';

interface HintClaims {
  readonly sub: string;
  readonly clientId: string;
  readonly issuer: string;
}

/**
 * The claims of an ID token that this school has signed, however long ago; `undefined` for any other text. An ID token says what was, and
 * gives nothing. OpenID Connect RP-Initiated Logout 1.0 section 2.
 */
export function claimsOfIdToken(
  { signing, published }: SigningKeys,
  issuers: readonly string[],
  token: string,
): HintClaims | undefined {
  const parts = partsOf(token);
  const key = parts && [...signing, ...published].find(({ kid, alg }) => kid === parts.kid && alg === parts.alg);
  if (!key) return undefined;
  const { signed, signature, body } = parts;
  const isSigned = verify('sha256', Buffer.from(signed), withEncoding(publicKey(key)), signature);
  return isSigned ? claimsIn(body, issuers) : undefined;
}

/**
 * The client for which an ID token says this school has issued it, with a key that is no longer among its keys. Whether that is so, nobody can
 * tell: such a token is worth as much as none. `undefined` for any other text.
 */
export function clientOfLostIdToken(
  { signing, published }: SigningKeys,
  issuers: readonly string[],
  token: string,
): string | undefined {
  const parts = partsOf(token);
  const isLost =
    parts?.kid !== undefined &&
    idTokenAlgorithms.some((name) => name === parts.alg) &&
    ![...signing, ...published].some(({ kid }) => kid === parts.kid);
  return isLost ? claimsIn(parts.body, issuers)?.clientId : undefined;
}

/**
 * The client of an ID token that the engine would refuse although it may be one of ours: it takes those of the first issuer alone, and has
 * only the keys with a private part, and none while nothing signs. `undefined` for any other text.
 */
export function clientOfUnverifiableIdToken(
  keys: SigningKeys,
  issuers: readonly string[],
  token: string,
): string | undefined {
  const { kid } = partsOf(token) ?? {};
  const key = [...keys.signing, ...keys.published].find((each) => each.kid === kid);
  if (!key) return clientOfLostIdToken(keys, issuers, token);
  const claims = claimsOfIdToken(keys, issuers, token);
  const isWithEngine = key.d !== undefined && keys.signing.length > 0 && claims?.issuer === issuers[0];
  return isWithEngine ? undefined : claims?.clientId;
}

interface TokenParts {
  readonly alg: unknown;
  readonly kid: string | undefined;
  readonly body: string;
  readonly signed: string;
  readonly signature: Buffer;
}

/** A logout token, or what else is signed one day, is not an ID token. */
function partsOf(token: string): TokenParts | undefined {
  const [head = '', body = '', signature = '', more] = token.split('.');
  if (signature === '' || more !== undefined) return undefined;
  const header = decoded(head);
  const { alg, typ } = header;
  if (typ !== undefined && typ !== 'JWT') return undefined;
  const kid = textOf(header, 'kid');
  return { alg, kid, body, signed: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
}

function claimsIn(body: string, issuers: readonly string[]): HintClaims | undefined {
  const claims = decoded(body);
  const [sub, clientId, issuer] = [textOf(claims, 'sub'), textOf(claims, 'aud'), textOf(claims, 'iss')];
  const isOurs = issuer !== undefined && issuers.includes(issuer);
  return isOurs && sub !== undefined && clientId !== undefined ? { sub, clientId, issuer } : undefined;
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
