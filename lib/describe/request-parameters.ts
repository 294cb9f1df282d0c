import { authorizationParameters } from '../engine/parameter-limits.ts';
import type { ServiceDescription } from './service-description.ts';
import { optional, required, type RequestParameter } from '../kernel/request-parameter.ts';

const limits = authorizationParameters();

/** Query parameters of the authorization endpoint. Specification: Authorize query parameters. */
export const authorizeParameters: readonly RequestParameter[] = [
  required('response_type', 'The response type.', ['code']),
  required('client_id', 'The client’s identifier.'),
  required('redirect_uri', 'One of the client’s redirect URIs. The port of a loopback address may differ.'),
  optional('scope', 'Scopes, separated by spaces. Default: those that the metadata of `resource` lists.'),
  optional(
    'resource',
    'The origin, or the address of one of its protected resources; both mean the same (RFC 8707). Required for member clients.',
  ),
  required('code_challenge', 'The SHA-256 hash of the code verifier, in base64url without padding (RFC 7636).'),
  required('code_challenge_method', 'The method used to create the challenge.', ['S256']),
  optional('state', 'A random string, returned unchanged.'),
  optional('nonce', 'A random string, returned in the ID token.'),
  optional(
    'prompt',
    '`none`: show no page; `login`: require the person to sign in again; `select_account`: let the person choose another account; `consent`: ask for consent again.',
  ),
  optional('max_age', 'The maximum time since the person last signed in, in seconds. Needs the scope `openid`.'),
  optional('login_hint', 'The e-mail address with which the person is likely to sign in.'),
  optional(
    'id_token_hint',
    'An ID token of the person who is expected to sign in. Needs the scope `openid`. One whose key is gone, or from before the school moved, is ignored, and the person is asked.',
  ),
].map((parameter) => ({ ...parameter, maxLength: limits.get(parameter.name) }));

/** With those of features. */
export function allAuthorizeParameters({ features }: ServiceDescription): readonly RequestParameter[] {
  return [...authorizeParameters, ...features.flatMap((feature) => feature.authorizeParameters ?? [])];
}
