import { createHmac, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { jwkInput, withEncoding } from '../../../core/keys/id-tokens.ts';
import type { SigningKeys } from '../../../core/keys/keys.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
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

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
