import { createHmac, createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign, verify } from 'node:crypto';
import type { Jwk, SigningKeys } from '../../../core/keys/keys.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { type JsonMembers, parseObject, textOf } from '../../../kernel/json.ts';
import type { ClientMetadata } from '../../../records/codec.ts';

/** Seconds for which a logout token is valid. OpenID Connect Back-Channel Logout 1.0 section 2.4 recommends at most two minutes. */
const lifetime = 120;

const event = 'http://schemas.openid.net/event/backchannel-logout';

/** Whose sign-out an application learns of, and at which of its sessions: at all without `sid`. */
export interface SignedOutSubject {
  readonly sub: string;
  readonly sid?: string | undefined;
}

/**
 * What an application knows the platform's session of a person by, in ID tokens and logout tokens: another text for each application, which does
 * not tell the id of the session.
 */
export function sidOf(siteId: string, clientId: string, sessionId: string): string {
  return createHmac('sha256', sessionId)
    .update(JSON.stringify(['sid', siteId, clientId]))
    .digest('base64url')
    .slice(0, 22);
}

/** Signs with the key of the application's ID tokens. `undefined` while no key signs. OpenID Connect Back-Channel Logout 1.0 section 2.4. */
export function logoutToken(
  keys: SigningKeys,
  issuer: string,
  client: ClientMetadata,
  { sub, sid }: SignedOutSubject,
): string | undefined {
  const key = keys.signing.find(({ alg }) => alg === client['id_token_signed_response_alg']) ?? keys.signing[0];
  if (!key) return undefined;
  const iat = epochSeconds();
  const claims = { iss: issuer, aud: client.client_id, iat, exp: iat + lifetime, jti: randomUUID(), sub, sid };
  const head = { alg: key.alg, typ: 'logout+jwt', kid: key.kid };
  const signed = [head, { ...claims, events: { [event]: {} } }].map(encoded).join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), withEncoding(createPrivateKey(jwkInput(key)))).toString('base64url')}`;
}

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

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function decoded(part: string): JsonMembers {
  return parseObject(Buffer.from(part, 'base64url').toString());
}

/** RFC 7518 section 3.4: the two numbers of an ECDSA signature stand side by side. */
function withEncoding(key: KeyObject): { readonly key: KeyObject; readonly dsaEncoding: 'ieee-p1363' } {
  return { key, dsaEncoding: 'ieee-p1363' };
}

/** Node also makes the public key of a private one. */
function publicKey(key: Jwk): KeyObject {
  return createPublicKey(jwkInput(key));
}

function jwkInput(key: Jwk): { readonly key: Record<string, string | undefined>; readonly format: 'jwk' } {
  return { key: { ...key }, format: 'jwk' };
}
