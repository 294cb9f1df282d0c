/** A school as a request finds it. */
export type World =
  | 'as usual'
  | 'whose platform cannot say which school it is'
  | 'whose platform answers nonsense'
  | 'whose store is away'
  | 'whose limits are spent';

/** Whose token a request carries: scopes of a member, of an operator, of one without `openid`, or no token of ours. */
export type TokenOf = 'member' | 'operator' | 'bare' | 'nobody';

/** A request, and how it is answered. */
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
  /** The code of an error in the form of OAuth. */
  readonly error?: string;
  /** The schema of the body, where the description leaves a choice. */
  readonly schema?: string;
  /** The scheme of the challenge that comes with it. */
  readonly challenge?: 'Bearer' | 'Basic';
}

type Fields = Readonly<Record<string, string>>;
/** How a request is answered. */
export type Expected = Pick<Row, 'status' | 'error' | 'schema' | 'challenge'>;

const formType = { 'content-type': 'application/x-www-form-urlencoded' };
/** The headers of a JSON body. */
export const jsonType = { 'content-type': 'application/json' };
const large = 'x'.repeat(65 * 1024);
const known = { client_id: 'member-app' };
const unknown = { client_id: 'nobody' };
const refused = { status: 400, error: 'invalid_request' };
const tooLarge = { status: 413, error: 'invalid_request' };
const noClient = { status: 401, error: 'invalid_client' };
/** The token is missing or no good. */
export const noToken = { status: 401, error: 'invalid_token', challenge: 'Bearer' } as const;
/** The token lacks a scope. */
export const lacking = { status: 403, error: 'insufficient_scope', challenge: 'Bearer' } as const;
/** The store or the platform fails. */
export const away = { status: 503, error: 'temporarily_unavailable' };
/** There were too many. */
export const spent = { status: 429, error: 'slow_down' };

function post(path: string, what: string, fields: Fields, expected: Expected, more: Partial<Row> = {}): Row {
  const body = new URLSearchParams(fields).toString();
  return { what, method: 'POST', path, headers: formType, body, ...expected, ...more };
}

/** What the endpoints that clients post forms to have in common. */
function formRows(path: string, good: Fields): Row[] {
  const ofDocument = (host: string): Fields => ({ ...good, client_id: `https://${host}/client` });
  return [
    post(path, 'a body that is too large', { ...good, more: large }, tooLarge),
    post(path, 'JSON', {}, refused, { headers: jsonType, body: '{}' }),
    post(path, 'no body', {}, refused, { headers: {}, body: '' }),
    post(path, 'no client', {}, refused),
    post(path, 'an unknown client', { ...good, ...unknown }, noClient),
    post(path, 'a wrong secret', { ...good, client_id: 'reports', client_secret: 'guess' }, noClient),
    post(
      path,
      'HTTP Basic',
      { ...good, ...known },
      { ...noClient, challenge: 'Basic' },
      {
        headers: { ...formType, authorization: 'Basic cmVwb3J0czp4' },
      },
    ),
    post(path, 'a document that is not permitted', ofDocument('evil.example'), {
      status: 400,
      error: 'invalid_client_metadata',
    }),
    post(path, 'a document, over the limit', ofDocument('claude.ai'), spent, { world: 'whose limits are spent' }),
    post(path, 'a store that is away', { ...good, ...known }, away, { world: 'whose store is away' }),
  ];
}

const tokenErrors: readonly [string, Fields][] = [
  ['invalid_grant', { grant_type: 'refresh_token', refresh_token: 'x' }],
  ['unsupported_grant_type', { grant_type: 'password' }],
  ['invalid_scope', { grant_type: 'refresh_token', refresh_token: 'x', scope: '"' }],
  ['invalid_request', {}],
];

const oauth: Row[] = [
  ...formRows('/api/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' }),
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
  register('a list', [], { status: 400, error: 'invalid_client_metadata' }),
  register(
    'a fixed callback',
    { redirect_uris: ['https://x.example/'] },
    { status: 400, error: 'invalid_redirect_uri' },
  ),
  register('a tool, over the limit', loopback, spent, { world: 'whose limits are spent' }),
  register('a tool, and a store that is away', loopback, away, { world: 'whose store is away' }),
];

const userinfo: Row[] = (['GET', 'POST'] as const).flatMap((method): Row[] => {
  const ask = { method, path: '/api/oauth/userinfo' };
  return [
    { ...ask, what: 'a token', token: 'member', status: 200 },
    { ...ask, what: 'no token', ...noToken },
    { ...ask, what: 'an unknown token', token: 'nobody', ...noToken },
    { ...ask, what: 'HTTP Basic', headers: { authorization: 'Basic eDp5' }, ...noToken },
    { ...ask, what: 'a token without openid', token: 'bare', ...lacking },
    { ...ask, what: 'a store that is away', world: 'whose store is away', token: 'nobody', ...away },
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
  graphql('a field that is not there', '{ nope }', { status: 200 }),
  graphql('the same, in the media type of GraphQL', '{ nope }', { status: 400 }, { headers: graphqlJson }),
  graphql('too many aliases', `{ ${viewers} }`, { status: 400 }),
  graphql('a page of none', page('(first: 0)'), { status: 400 }),
  graphql('a page of too many', page('(first: 101)'), { status: 400 }),
  graphql('no query', '', { status: 400 }),
  graphql('malformed JSON', '', { status: 400 }, { body: '{' }),
  graphql('malformed JSON, in the media type of GraphQL', '', { status: 400 }, { body: '{', headers: graphqlJson }),
  graphql('another Accept', viewer, { status: 406 }, { headers: { ...jsonType, accept: 'text/html' } }),
  graphql('a body that is too large', large, { status: 413 }),
  graphql('a form', viewer, { status: 415 }, { headers: formType }),
  graphql('no token', viewer, noToken, { token: undefined }),
  graphql('an unknown token', inbox, noToken, { token: 'nobody' }),
  graphql('a token that lacks a scope', inbox, lacking, { token: 'operator' }),
  graphql('a store that is away', viewer, away, { token: 'nobody', world: 'whose store is away' }),
  { what: 'a browser', method: 'GET', path: '/member/graphql', status: 200 },
];

/** Good and bad requests to all but the tool endpoint and the authorization endpoint. */
export const rows: readonly Row[] = [...oauth, ...registration, ...userinfo, ...member];
