export interface RequestParameter {
  readonly name: string;
  readonly required: boolean;
  /** In Markdown. */
  readonly text: string;
  readonly values?: readonly string[] | undefined;
}

/** Query parameters of the authorization endpoint. Specification: Authorize query parameters. */
export const authorizeParameters: readonly RequestParameter[] = [
  { name: 'response_type', required: true, text: 'The response type.', values: ['code'] },
  { name: 'client_id', required: true, text: 'The client’s identifier.' },
  {
    name: 'redirect_uri',
    required: true,
    text: 'One of the client’s redirect URIs. The port of a loopback address may differ.',
  },
  { name: 'scope', required: false, text: 'Scopes, separated by spaces. Default: `openid profile email`.' },
  {
    name: 'resource',
    required: false,
    text: 'The origin, as advertised in the protected-resource metadata (RFC 8707). Required for member clients.',
  },
  {
    name: 'code_challenge',
    required: true,
    text: 'The SHA-256 hash of the code verifier, in base64url without padding (RFC 7636).',
  },
  { name: 'code_challenge_method', required: true, text: 'The method used to create the challenge.', values: ['S256'] },
  { name: 'state', required: false, text: 'A random string, returned unchanged.' },
  { name: 'nonce', required: false, text: 'A random string, returned in the ID token.' },
  {
    name: 'prompt',
    required: false,
    text: '`none`: show no page; `login`: require the person to sign in again; `consent`: ask for consent again.',
  },
  { name: 'max_age', required: false, text: 'The maximum time since the person last signed in, in seconds.' },
  { name: 'login_hint', required: false, text: 'The e-mail address with which the person is likely to sign in.' },
];

/** Form fields that identify the client. Specification: Flow 1. */
export const clientParameters: readonly RequestParameter[] = [
  { name: 'client_id', required: true, text: 'The client’s identifier.' },
  { name: 'client_secret', required: false, text: 'The secret of a confidential client. A public client has none.' },
];

/** Form fields of the token endpoint, by grant type. Specification: Token endpoint parameters. */
export const tokenParameters: Readonly<Record<'authorization_code' | 'refresh_token', readonly RequestParameter[]>> = {
  authorization_code: [
    { name: 'code', required: true, text: 'The authorization code. It can be redeemed once.' },
    { name: 'redirect_uri', required: true, text: 'The value from the authorization request.' },
    {
      name: 'code_verifier',
      required: true,
      text: 'The verifier of the `code_challenge` that was sent to the authorization endpoint.',
    },
    {
      name: 'resource',
      required: false,
      text: 'The value from the authorization request. Required for member clients.',
    },
    ...clientParameters,
  ],
  refresh_token: [
    { name: 'refresh_token', required: true, text: 'The newest refresh token. The response contains its replacement.' },
    { name: 'scope', required: false, text: 'Fewer scopes for the new access token, separated by spaces.' },
    { name: 'resource', required: false, text: 'The value from the authorization request.' },
    ...clientParameters,
  ],
};
