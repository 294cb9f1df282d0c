import type { errors } from 'oidc-provider';
import { keyAlgorithms } from '../../core/keys/public-keys.ts';
import { alternatives } from '../../core/enabled/enabled.ts';
import type { EngineFeature } from '../../engine/engine-feature.ts';
import { field } from '../../http/body.ts';
import { InvalidClient } from '../../kernel/errors.ts';
import { assertionType } from './method.ts';

function time(claim: string): string {
  return `${claim} of client_assertion must be a number, not text: seconds since 1970`;
}

/** In place of the engine's texts. */
export const assertionTexts: Readonly<Record<string, string>> = {
  'client authentication must only be provided using one mechanism':
    'the client must authenticate in one way; send one of client_assertion, client_secret and the Authorization header',
  'client_assertion_type must be provided': `client_assertion_type is missing; it must be ${assertionType}`,
  'invalid client_assertion format': 'client_assertion must be a JWT whose second part is a JSON object of claims',
  'Invalid Token or Protected Header formatting': 'client_assertion must be a JWT whose first part is a JSON object',
  'alg mismatch': `alg of client_assertion must be ${alternatives(keyAlgorithms)}`,
  'expiration must be specified in the client_assertion JWT': 'client_assertion needs exp, at most an hour ahead',
  'unique jti (JWT ID) must be provided in the client_assertion JWT': 'client_assertion needs jti, a new one each time',
  'iss (JWT issuer) must be provided in the client_assertion JWT': 'client_assertion needs iss, the client_id',
  'iss (JWT issuer) must be the client_id': 'iss of client_assertion must be the client_id, as sub is',
  'sub (JWT subject) must be provided in the client_assertion JWT': 'client_assertion needs sub, the client_id',
  'invalid exp value': time('exp'),
  'invalid nbf value': time('nbf'),
  'invalid iat value': time('iat'),
  'invalid jti value': 'jti of client_assertion must be text, a new one each time',
  'jwt expired': 'client_assertion has expired: make one for each request, and check the clock',
  'jwt not active yet': 'nbf of client_assertion is in the future: check the clock',
  'no applicable key found in the JSON Web Key Set':
    'client_assertion must be signed with a key of this client; send its unique kid, and check that its public part is known here',
  'signature verification failed':
    'client_assertion must be signed with a key of this client; check the key, its kid, and that its public part is known here',
};

/** Whatever is wrong with it: the issuer is right for every client. RFC 10070 section 4. */
export function audienceText(origin: string): string {
  return `aud of client_assertion must be ${origin}, the issuer, alone`;
}

const audience = new Set([
  'aud (JWT audience) must be provided in the client_assertion JWT',
  'list of audience (aud) must include the endpoint url, issuer identifier or token endpoint url',
  'audience (aud) must equal the endpoint url, issuer identifier or token endpoint url',
  'invalid aud value',
]);

/** An assertion that is for somebody else. */
export class WrongAudience extends InvalidClient {
  constructor(origin: string) {
    super(audienceText(origin));
  }
}

export function isForAnother({ cause, error_detail: detail = '' }: errors.OIDCProviderError): boolean {
  return cause instanceof WrongAudience || audience.has(detail);
}

/** What the engine says of a client that proves nothing. */
const noProof = new Set([
  'no client authentication mechanism provided',
  'the provided authentication mechanism does not match the registered client authentication method',
]);

/** The same where it depends on the request. */
export const assertionText: NonNullable<EngineFeature['textFor']> = (engineText, { site, form, sender: { proof } }) => {
  if (audience.has(engineText)) return audienceText(site.origin);
  if (noProof.has(engineText) && !field(form, 'client_assertion') && field(form, 'client_assertion_type')) {
    return 'client_assertion is missing; send it with client_assertion_type';
  }
  if (!proof) return undefined;
  if (engineText === 'client_id mismatch') {
    return 'client_id must be the sub of client_assertion; send the same in both, or leave out client_id';
  }
  if (engineText !== 'client not found') return undefined;
  return proof.clientId === undefined
    ? 'sub of client_assertion must be text, the client_id'
    : 'sub of client_assertion must be a client of this school; check it, or register again';
};
