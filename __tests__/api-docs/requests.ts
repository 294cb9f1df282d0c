/** The state of the service when a request arrives. */
export type World =
  | 'normal'
  | 'findSite fails'
  | 'findSite returns another origin'
  | 'the context is broken'
  | 'store unavailable'
  | 'no quota left';

/** The token of a request: of a member client, an operator client, one without `openid`, or an unknown token. */
export type TokenOf = 'member' | 'operator' | 'withoutOpenid' | 'limited' | 'unknown';

/** A request and the expected response. */
export interface Row {
  readonly what: string;
  readonly world?: World;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly token?: TokenOf | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** The code of an OAuth error. */
  readonly error?: string;
  /** The schema of the body, if the description allows several. */
  readonly schema?: string;
  /** The scheme in `WWW-Authenticate`. */
  readonly challenge?: 'Bearer' | 'Basic';
}

type Fields = Readonly<Record<string, string>>;
export type Expected = Pick<Row, 'status' | 'error' | 'schema' | 'challenge'>;

const formType = { 'content-type': 'application/x-www-form-urlencoded' };
export const jsonType = { 'content-type': 'application/json' };
const large = 'x'.repeat(65 * 1024);
const known = { client_id: 'member-app' };
const unknown = { client_id: 'nobody' };
const refused = { status: 400, error: 'invalid_request' };
const tooLarge = { status: 413, error: 'invalid_request' };
const noClient = { status: 401, error: 'invalid_client' };
export const invalidToken = { status: 401, error: 'invalid_token', challenge: 'Bearer' } as const;
export const insufficientScope = { status: 403, error: 'insufficient_scope', challenge: 'Bearer' } as const;
export const unavailable = { status: 503, error: 'temporarily_unavailable' };
export const rateLimited = { status: 429, error: 'slow_down' };

function post(path: string, what: string, fields: Fields, expected: Expected, more: Partial<Row> = {}): Row {
  const body = new URLSearchParams(fields).toString();
  return { what, method: 'POST', path, headers: formType, body, ...expected, ...more };
}

/** Requests that every endpoint with client authentication refuses. */
function formRows(path: string, valid: Fields): Row[] {
  return [
    post(path, 'a body that is too large', { ...valid, more: large }, tooLarge),
    post(path, 'JSON', {}, refused, { headers: jsonType, body: '{}' }),
    post(path, 'no body', {}, refused, { headers: {}, body: '' }),
    post(path, 'no client', {}, refused),
    post(path, 'an unknown client', { ...valid, ...unknown }, noClient),
    post(path, 'a wrong secret', { ...valid, client_id: 'reports', client_secret: 'guess' }, noClient),
    post(
      path,
      'HTTP Basic',
      { ...valid, ...known },
      // Resource servers introspect with it, and this one names another client.
      path === '/api/oauth/introspect' ? refused : { ...noClient, challenge: 'Basic' },
      {
        headers: { ...formType, authorization: 'Basic cmVwb3J0czp4' },
      },
    ),
    post(
      path,
      'a metadata document whose host is not permitted',
      { ...valid, client_id: 'https://evil.example/client' },
      {
        status: 400,
        error: 'invalid_client_metadata',
      },
    ),
    post(path, 'store unavailable', { ...valid, ...known }, unavailable, { world: 'store unavailable' }),
  ];
}

const tokenErrors: readonly [string, Fields][] = [
  ['invalid_grant', { grant_type: 'refresh_token', refresh_token: 'x' }],
  ['unsupported_grant_type', { grant_type: 'password' }],
  ['invalid_scope', { grant_type: 'refresh_token', refresh_token: 'x', scope: '"' }],
  ['invalid_request', {}],
];

const refreshing: Fields = { grant_type: 'refresh_token', refresh_token: 'x' };
const oauth: Row[] = [
  ...formRows('/api/oauth/token', refreshing),
  post(
    '/api/oauth/token',
    'a metadata document, no quota left',
    { ...refreshing, client_id: 'https://claude.ai/client' },
    rateLimited,
    { world: 'no quota left' },
  ),
  ...formRows('/api/oauth/revoke', { token: 'x' }),
  ...formRows('/api/oauth/introspect', { token: 'x' }),
  ...tokenErrors.map(([error, fields]) =>
    post('/api/oauth/token', error, { ...known, ...fields }, { status: 400, error }),
  ),
  post('/api/oauth/introspect', 'an unknown token', { ...known, token: 'x' }, { status: 200 }),
  post('/api/oauth/revoke', 'an unknown token', { ...known, token: 'x' }, { status: 200 }),
];

function register(what: string, body: unknown, expected: Expected, more: Partial<Row> = {}): Row {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { what, method: 'POST', path: '/api/oauth/register', headers: jsonType, body: text, ...expected, ...more };
}

const loopback = { redirect_uris: ['http://127.0.0.1/callback'] };
const registration: Row[] = [
  register('a tool', loopback, { status: 201 }),
  register('a body that is too large', { client_name: large }, tooLarge),
  register('a form', 'a=b', refused, { headers: formType }),
  register('malformed JSON', '{', refused),
  register('an array', [], { status: 400, error: 'invalid_client_metadata' }),
  register(
    'a fixed callback',
    { redirect_uris: ['https://x.example/'] },
    { status: 400, error: 'invalid_redirect_uri' },
  ),
  register('a tool, no quota left', loopback, rateLimited, { world: 'no quota left' }),
  register('a tool, store unavailable', loopback, unavailable, { world: 'store unavailable' }),
];

const userinfo: Row[] = (['GET', 'POST'] as const).flatMap((method): Row[] => {
  const ask = { method, path: '/api/oauth/userinfo' };
  return [
    { ...ask, what: 'a token', token: 'member', status: 200 },
    { ...ask, what: 'no token', ...invalidToken },
    { ...ask, what: 'an unknown token', token: 'unknown', ...invalidToken },
    { ...ask, what: 'HTTP Basic', headers: { authorization: 'Basic eDp5' }, ...invalidToken },
    { ...ask, what: 'a token without openid', token: 'withoutOpenid', ...insufficientScope },
    { ...ask, what: 'no quota left', world: 'no quota left', token: 'limited', ...rateLimited },
    { ...ask, what: 'store unavailable', world: 'store unavailable', token: 'unknown', ...unavailable },
  ];
});

const graphqlJson = { ...jsonType, accept: 'application/graphql-response+json' };
const inbox = '{ viewer { notifications { nodes { id } } } }';

function graphql(what: string, query: string, expected: Expected, more: Partial<Row> = {}): Row {
  const body = JSON.stringify({ query });
  const path = '/member/graphql';
  return { what, method: 'POST', path, token: 'member', headers: jsonType, body, ...expected, ...more };
}

const viewer = '{ viewer { id } }';
const page = (args: string): string => `{ viewer { enrolledCourses${args} { totalCount } } }`;
const viewers = Array.from({ length: 31 }, (_, i) => `a${i}: viewer { id }`).join(' ');
const member: Row[] = [
  graphql('a query', viewer, { status: 200 }),
  graphql('a query, in the media type of GraphQL', viewer, { status: 200 }, { headers: graphqlJson }),
  graphql('an unknown field', '{ nope }', { status: 200 }),
  graphql('an unknown field, in the media type of GraphQL', '{ nope }', { status: 400 }, { headers: graphqlJson }),
  graphql('too many aliases', `{ ${viewers} }`, { status: 400 }),
  graphql('first: 0', page('(first: 0)'), { status: 400 }),
  graphql('first: 101', page('(first: 101)'), { status: 400 }),
  graphql('no query', '', { status: 400 }),
  graphql('malformed JSON', '', { status: 400 }, { body: '{' }),
  graphql('malformed JSON, in the media type of GraphQL', '', { status: 400 }, { body: '{', headers: graphqlJson }),
  graphql('another Accept', viewer, { status: 406 }, { headers: { ...jsonType, accept: 'text/html' } }),
  graphql('a body that is too large', large, { status: 413 }),
  graphql('a form', viewer, { status: 415 }, { headers: formType }),
  graphql('no token', viewer, invalidToken, { token: undefined }),
  graphql('an unknown token', inbox, invalidToken, { token: 'unknown' }),
  graphql('a token that lacks a scope', inbox, insufficientScope, { token: 'operator' }),
  graphql('no quota left', viewer, rateLimited, { token: 'limited', world: 'no quota left' }),
  graphql('store unavailable', viewer, unavailable, { token: 'unknown', world: 'store unavailable' }),
  { what: 'a browser', method: 'GET', path: '/member/graphql', headers: { accept: 'text/html' }, status: 200 },
  { what: 'an app', method: 'GET', path: '/member/graphql', status: 406, error: 'invalid_request' },
];

/** Valid and invalid requests to every endpoint except the tool endpoint and the authorization endpoint. */
export const rows: readonly Row[] = [...oauth, ...registration, ...userinfo, ...member];
