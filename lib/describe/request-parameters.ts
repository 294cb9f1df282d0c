import { parameterLimits } from '../protocol/parameter-limits.ts';

export interface RequestParameter {
  readonly name: string;
  readonly required: boolean;
  /** In Markdown. */
  readonly text: string;
  readonly values?: readonly string[] | undefined;
  readonly maxLength?: number | undefined;
}

/** Query parameters of the authorization endpoint. Specification: Authorize query parameters. */
export const authorizeParameters: readonly RequestParameter[] = limited([
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
  optional('id_token_hint', 'An ID token of the person who is expected to sign in. Needs the scope `openid`.'),
]);

/** Form fields that identify the client. Specification: Flow 1. */
export const clientParameters: readonly RequestParameter[] = [
  required('client_id', 'The client’s identifier.'),
  optional('client_secret', 'The secret of a confidential client. Public clients do not have one.'),
];

/** Form fields of the token endpoint, by grant type. Specification: Token endpoint parameters. */
export const tokenParameters: Readonly<Record<'authorization_code' | 'refresh_token', readonly RequestParameter[]>> = {
  authorization_code: [
    required('code', 'The authorization code. It can be redeemed once.'),
    required('redirect_uri', 'The value from the authorization request.'),
    required('code_verifier', 'The verifier of the `code_challenge` that was sent to the authorization endpoint.'),
    optional('resource', 'As in the authorization request. Required for member clients.'),
    ...clientParameters,
  ],
  refresh_token: [
    required('refresh_token', 'The newest refresh token. The response contains its replacement.'),
    optional('scope', 'Fewer scopes for the new access token, separated by spaces.'),
    optional('resource', 'As in the authorization request.'),
    ...clientParameters,
  ],
};

function required(name: string, text: string, values?: readonly string[]): RequestParameter {
  return { name, required: true, text, values };
}

function optional(name: string, text: string): RequestParameter {
  return { name, required: false, text };
}

function limited(parameters: readonly RequestParameter[]): readonly RequestParameter[] {
  return parameters.map((parameter) => ({ ...parameter, maxLength: parameterLimits[parameter.name] }));
}
