/** A parameter of a request, as the documents describe it. */
export interface RequestParameter {
  readonly name: string;
  readonly required: boolean;
  /** In Markdown. */
  readonly text: string;
  readonly values?: readonly string[] | undefined;
}

/** Query parameters of the authorization endpoint. Specification: Authorize query parameters. */
export const authorizeParameters: readonly RequestParameter[] = [
  { name: 'response_type', required: true, text: 'What to answer.', values: ['code'] },
  { name: 'client_id', required: true, text: 'The client’s identifier.' },
  {
    name: 'redirect_uri',
    required: true,
    text: 'One of the client’s redirect URIs; of a loopback address, the port may be another.',
  },
  {
    name: 'scope',
    required: false,
    text: 'Scopes, separated by spaces. Without it: `openid profile email`.',
  },
  {
    name: 'resource',
    required: false,
    text: 'This origin, as the protected-resource metadata advertises it (RFC 8707). Member clients must send it.',
  },
  {
    name: 'code_challenge',
    required: true,
    text: 'The SHA-256 of the code verifier, in base64url without padding (RFC 7636).',
  },
  { name: 'code_challenge_method', required: true, text: 'How it was made.', values: ['S256'] },
  { name: 'state', required: false, text: 'A random string; it comes back unchanged.' },
  { name: 'nonce', required: false, text: 'A random string; it comes back in the ID token.' },
  {
    name: 'prompt',
    required: false,
    text: '`none`: ask the person nothing; `login`: have them prove who they are again; `consent`: ask again.',
  },
  { name: 'max_age', required: false, text: 'Seconds since the person proved who they are, at most.' },
  { name: 'login_hint', required: false, text: 'The e-mail address that the person is likely to sign in with.' },
];

/** How a client says who it is. Specification: Flow 1. */
export const clientParameters: readonly RequestParameter[] = [
  { name: 'client_id', required: true, text: 'The client’s identifier.' },
  { name: 'client_secret', required: false, text: 'The secret of a confidential client; a public client has none.' },
];

/** Form fields of the token endpoint, by grant type. Specification: Token endpoint parameters. */
export const tokenParameters: Readonly<Record<'authorization_code' | 'refresh_token', readonly RequestParameter[]>> = {
  authorization_code: [
    { name: 'code', required: true, text: 'The code; it can be redeemed once.' },
    { name: 'redirect_uri', required: true, text: 'The one of the authorization request.' },
    { name: 'code_verifier', required: true, text: 'The one whose challenge was sent to the authorization endpoint.' },
    {
      name: 'resource',
      required: false,
      text: 'The value of the authorization request, again. Member clients must send it.',
    },
    ...clientParameters,
  ],
  refresh_token: [
    {
      name: 'refresh_token',
      required: true,
      text: 'The newest refresh token; the answer has another one in its place.',
    },
    { name: 'scope', required: false, text: 'Fewer scopes for the new access token.' },
    { name: 'resource', required: false, text: 'As at authorization.' },
    ...clientParameters,
  ],
};
