import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dpop } from '../../lib/dpop.ts';
import { clientCredentials } from '../../lib/grant-types.ts';
import type { AuditEvent, Boundary, SchoolPlatform } from '../../lib/index.ts';
import { issueTokens, type TokenRequest } from '../../lib/testing/issue-tokens.ts';
import { ath, holder, proofOf } from '../features/dpop/proofs.ts';
import { serviceToken, sync, syncApp } from '../helpers/services.ts';
import { testClients } from '../helpers/clients.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { listen } from '../helpers/server.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { breakableStore, storeFault } from '../helpers/stores.ts';
import { type GuardedRoute, mounts } from './guarded-apis.ts';

const classes: Boundary = {
  type: 'class',
  name: 'Classes',
  scopes: ['courses:read'],
  list: () => ({ items: [{ id: '7b', name: '7b' }], total: 1 }),
};

const routes: Readonly<Record<string, GuardedRoute>> = {
  '/api/me': { requires: { scopes: ['account:read'] } },
  '/api/any': {},
  '/api/public': { requires: { anonymous: true } },
  '/api/courses': { requires: { scopes: ['courses:read'] } },
  '/api/classes': { requires: { scopes: ['courses:read'], honours: ['class'] } },
  '/api/grades': { requires: { acr: ['two', 'three'], maxAge: 600 } },
  '/api/sync': { requires: { audience: ['service'] } },
  '/api/own': { requires: { scopes: ['account:read'] }, allowedOrigin: 'https://only.example' },
  '/api/failing': { requires: { anonymous: true }, fails: true },
};

type Holder = 'sam' | 'old' | 'strong' | 'limited' | 'summit' | 'service';

/** What a row sends: a token in the usual header, and headers as they are, which may repeat. */
interface Sent {
  readonly token?: Holder;
  readonly method?: string;
  readonly query?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  /** Another `Host`, or none. */
  readonly host?: string | undefined;
  /** A request target in absolute form. */
  readonly target?: string;
}

/** What each mount responds with. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers that a guard sets; frameworks add others. */
const ours =
  /^(?:access-control-|dpop-nonce$|www-authenticate$|cache-control$|pragma$|retry-after$|campus-protocol$|vary$)/;

const store = breakableStore();
const events: AuditEvent[] = [];
let findSite: SchoolPlatform['findSite'] | undefined;
let schools: Schools;
const tokens: Partial<Record<Holder, string>> = {};

async function start(name: string, proxy?: boolean, own: SchoolsOptions['campus'] = {}): Promise<void> {
  const mount = mounts[name];
  if (!mount) throw new Error(name);
  schools = await startSchools({
    campus: {
      store: store.store,
      siteCache: 0,
      boundaries: [classes],
      clients: [...testClients, sync],
      grants: [clientCredentials()],
      ...own,
    },
    wrapPlatform: (platform) => ({
      ...platform,
      acrValues: ['one', 'two'],
      findSite: (origin) => (findSite ? findSite(origin) : platform.findSite(origin)),
    }),
    app: (campus) => mount(campus, routes, proxy ? { proxy } : undefined),
  });
  schools.campus.events.on('audit', (event) => events.push(event));
}

/** Sends bytes, and returns what a guard says: everything else is the framework's. */
async function ask(path: string, sent: Sent = {}): Promise<Answer> {
  const { port } = new URL(schools.harbour);
  const { token, method = 'GET', query = '', headers = [], body = '', target = `${path}${query}` } = sent;
  const { host = `localhost:${port}` } = sent;
  const response = await rawRequest(Number(port), [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...(token ? [`Authorization: Bearer ${tokens[token]}`] : []),
    ...headers.map((header) => header.replaceAll('TOKEN', tokens.sam ?? '')),
    ...(body === '' ? [] : ['Content-Type: application/x-www-form-urlencoded']),
    ...(method === 'GET' && body === '' ? [] : [`Content-Length: ${body.length}`]),
    ...(body === '' ? [] : ['', body]),
  ]);
  const [head = '', ...rest] = response.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const named = fields.map((field) => /^([^:]+): (.*)$/.exec(field)?.slice(1) ?? []);
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(
      named.flatMap(([name = '', value = '']) => (ours.test(name.toLowerCase()) ? [[name.toLowerCase(), value]] : [])),
    ),
    body: rest.join('').trim(),
  };
}

const script = 'Origin: https://dashboard.example';
const readable = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After',
};
const notKept = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** A refusal: the code and the words of its body, and the parameters that follow them in its challenge. */
function refusal(
  status: number,
  error: string,
  words: string,
  more = '',
): Answer & { headers: Record<string, string> } {
  const challenge = `Bearer error="${error}", error_description="${words}"${more}, resource_metadata="${schools.harbour}/.well-known/oauth-protected-resource"`;
  return {
    status,
    headers: { ...readable, ...notKept, 'www-authenticate': challenge },
    body: JSON.stringify({ error, error_description: words }),
  };
}

const accountRead = ', scope="account:read"';
const noToken = 'an access token is needed; send Authorization: Bearer <token>';
/** A `Request` has joined headers that were sent several times. */
const isJoined = (mount: string): boolean => mount === 'Hono' || mount === 'a web handler';
const several = 'there must be one Authorization header, not several; a proxy may have added one';
const form = 'the Authorization header must read: Bearer <token>; a proxy may have changed it';
const inAddress = 'an access token must not be sent in the address; send Authorization: Bearer <token>';
const gone = 'the access token is unknown, has expired or was revoked; refresh it or authorize again';

/** Requests that a guard refuses with a challenge, and what it says. */
const refused: readonly [
  what: string,
  path: string,
  sent: Sent,
  status: number,
  error: string,
  words: string,
  more?: string,
][] = [
  ['no token', '/api/me', {}, 401, 'invalid_token', noToken, accountRead],
  ['an unknown token', '/api/public', { headers: ['Authorization: Bearer nonsense'] }, 401, 'invalid_token', gone],
  ['the token of another school', '/api/any', { token: 'summit' }, 401, 'invalid_token', gone],
  ['a token in the address', '/api/public', { query: '?access_token=TOKEN' }, 401, 'invalid_token', inAddress],
  [
    'a token in the address, its name encoded',
    '/api/any',
    { token: 'sam', query: '?a=1&access%5Ftoken=x' },
    401,
    'invalid_token',
    inAddress,
  ],
  ['a token in the body', '/api/any', { method: 'POST', body: 'access_token=TOKEN' }, 401, 'invalid_token', noToken],
  ['two tokens', '/api/any', { token: 'sam', headers: ['Authorization: Bearer x'] }, 401, 'invalid_token', several],
  [
    'two headers, one in other letters',
    '/api/any',
    { token: 'sam', headers: ['aUTHORIZATION: Basic eDp5'] },
    401,
    'invalid_token',
    several,
  ],
  [
    'two headers, one empty',
    '/api/public',
    { token: 'sam', headers: ['Authorization:'] },
    401,
    'invalid_token',
    several,
  ],
  ['another scheme', '/api/public', { headers: ['Authorization: Basic eDp5'] }, 401, 'invalid_token', form],
  [
    'two tokens in one header',
    '/api/any',
    { headers: ['Authorization: Bearer TOKEN, Bearer TOKEN'] },
    401,
    'invalid_token',
    form,
  ],
  [
    'a header of 10,000 characters',
    '/api/any',
    { headers: [`Authorization: Bearer ${'x'.repeat(10_000)}`] },
    401,
    'invalid_token',
    form,
  ],
  [
    'a token without the scope',
    '/api/courses',
    { token: 'sam' },
    403,
    'insufficient_scope',
    'the access token lacks courses:read; authorize again with it',
    ', scope="openid account:read courses:read"',
  ],
  [
    'a limit that the route does not honour',
    '/api/courses',
    { token: 'limited' },
    403,
    'insufficient_scope',
    'the person has limited courses:read, which this call does not support; use another call, or ask the person to allow all',
  ],
  [
    'a token of a client of another audience',
    '/api/sync',
    { token: 'limited' },
    403,
    'insufficient_scope',
    'this endpoint must be called with an access token of a client for service, not for operator',
  ],
  [
    'a token of a service',
    '/api/any',
    { token: 'service' },
    403,
    'insufficient_scope',
    'this endpoint must be called with an access token of a client for operator or member, not for service',
  ],
  [
    'a weak sign-in',
    '/api/grades',
    { token: 'sam' },
    401,
    'insufficient_user_authentication',
    'the person has to be authenticated more strongly; authorize again with the parameters of this challenge',
    ', acr_values="two three", max_age="600"',
  ],
  [
    'an old sign-in',
    '/api/grades',
    { token: 'old' },
    401,
    'insufficient_user_authentication',
    'the person has to sign in again; authorize again with the parameters of this challenge',
    ', acr_values="two three", max_age="600"',
  ],
  [
    'OPTIONS that is no preflight request',
    '/api/me',
    { method: 'OPTIONS', headers: [script] },
    401,
    'invalid_token',
    noToken,
    accountRead,
  ],
];

/** Requests that reach the route, and what it gets. */
const passed: readonly [what: string, path: string, sent: Sent, body: object][] = [
  [
    'a token',
    '/api/me',
    { token: 'sam' },
    { clientId: 'web-member-app', member: 'sam', site: 'harbour', scopes: ['openid', 'account:read'] },
  ],
  [
    'a scheme in mixed case, with spaces after it',
    '/api/me',
    { headers: ['authorization: bEaReR   TOKEN'] },
    { member: 'sam' },
  ],
  ['no token where that is allowed', '/api/public', {}, { clientId: null }],
  ['an empty header where no token is allowed', '/api/public', { headers: ['Authorization:'] }, { clientId: null }],
  [
    'a limit that the route honours',
    '/api/classes',
    { token: 'limited' },
    { member: 'olivia', scopes: ['openid', 'courses:read'] },
  ],
  ['a strong sign-in', '/api/grades', { token: 'strong' }, { member: 'sam' }],
  ['a service', '/api/sync', { token: 'service' }, { clientId: 'sync', site: 'harbour' }],
  [
    'a body, and a query with other names',
    '/api/me',
    { token: 'sam', method: 'POST', body: 'access_token=x', query: '?token=x' },
    { member: 'sam' },
  ],
];

const now = (): number => Math.floor(Date.now() / 1000);

async function issueAll(): Promise<void> {
  const { campus, harbour, summit } = schools;
  const issue = async (changes: Partial<TokenRequest> = {}): Promise<string> => {
    const ofSam = { site: harbour, memberId: 'sam', clientId: 'web-member-app', scopes: ['openid', 'account:read'] };
    return (await issueTokens(campus, { ...ofSam, ...changes })).access_token;
  };
  const ofOlivia = { memberId: 'olivia', clientId: 'reports', scopes: ['openid', 'courses:read'] };
  tokens.sam = await issue();
  tokens.old = await issue({ acr: 'two', authTime: now() - 1000 });
  tokens.strong = await issue({ acr: 'two', authTime: now() - 10 });
  tokens.limited = await issue({ ...ofOlivia, only: { class: ['7b'] } });
  tokens.summit = await issue({ site: summit });
  tokens.service = String((await serviceToken(harbour)).body['access_token']);
}

describe.each(Object.keys(mounts))('%s', (name) => {
  beforeAll(async () => {
    await start(name);
    await issueAll();
  });
  afterEach(() => {
    store.break();
    findSite = undefined;
    events.splice(0);
    schools.faults.splice(0);
  });
  afterAll(() => schools.close());

  test.each(passed)('lets pass: %s', async (_what, path, sent, body) => {
    const answer = await ask(path, { ...sent, headers: [script, ...(sent.headers ?? [])] });
    expect(answer).toMatchObject({ status: 200, headers: readable });
    expect(JSON.parse(answer.body)).toMatchObject(body);
    expect(schools.faults).toEqual([]);
  });

  test.each(refused.map((row) => [row[0], row] as const))('refuses: %s', async (_name, row) => {
    const [, path, sent, status, error, words, more] = row;
    const answer = await ask(path, { ...sent, headers: [script, ...(sent.headers ?? [])] });
    const said = isJoined(name) && words === several ? form : words;
    const { headers, ...others } = refusal(status, error, said, more);
    // A response to OPTIONS exposes nothing.
    if (sent.method === 'OPTIONS') delete headers['access-control-expose-headers'];
    expect(answer).toEqual({ ...others, headers });
    expect(schools.faults).toEqual([]);
  });

  test('the response to HEAD has the headers of a refusal alone', async () => {
    expect(await ask('/api/me', { method: 'HEAD' })).toEqual({
      ...refusal(401, 'invalid_token', noToken, accountRead),
      body: '',
    });
  });

  test.each(['GET', 'PATCH', 'DELETE'])('answers the preflight request for %s', async (method) => {
    const headers = [
      script,
      `Access-Control-Request-Method: ${method}`,
      'Access-Control-Request-Headers: authorization',
    ];
    expect(await ask('/api/me', { method: 'OPTIONS', headers })).toEqual({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': method,
        'access-control-allow-headers': 'authorization',
        'access-control-max-age': '3600',
        vary: 'Access-Control-Request-Headers',
      },
      body: '',
    });
  });

  test('a failing store is 503 without a challenge, and a fault: it says nothing about the token', async () => {
    store.break('find');
    const answer = await ask('/api/public', { token: 'sam', headers: [script] });
    expect(answer).toMatchObject({ status: 503, headers: { ...readable, ...notKept, 'retry-after': '1' } });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'temporarily_unavailable' });
    expect(answer.body).not.toContain(storeFault);
    expect(schools.faults.map(({ message }) => message)).toEqual(['store.find failed']);
    expect(events).toEqual([]);
  });

  test.each<[string, SchoolPlatform['findSite'], RegExp]>([
    ['fails', () => Promise.reject(new Error('the database is away')), /the database is away/],
    ['returns a wrong origin', () => harbourSite('https://other.example'), /it must be the requested origin/],
    [
      'returns a bad id',
      (origin) => ({ ...harbourSite(origin), id: 'a b' }),
      /returned id: "a b"; it must be 1 to 128/,
    ],
  ])('a platform whose findSite %s: 503, and a fault', async (_what, broken, cause) => {
    findSite = broken;
    const answer = await ask('/api/me', { token: 'sam', headers: [script] });
    expect(answer).toMatchObject({ status: 503, headers: { ...readable, 'retry-after': '1' } });
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'temporarily_unavailable' });
    const [fault] = schools.faults;
    expect([fault?.message, String(fault?.cause)]).toEqual(['platform.findSite failed', expect.stringMatching(cause)]);
  });

  test.each<[string, Sent]>([
    ['another host', { host: 'evil.example' }],
    ['a host that a URL would change', { host: '0x7f.1' }],
    ['a host of 400 characters', { host: 'a'.repeat(400) }],
    ['a target that contradicts the host', { target: 'http://evil.example/api/me' }],
    ['headers of a proxy that is not trusted', { host: 'evil.example', headers: ['X-Forwarded-Host: localhost'] }],
  ])('is no school, 404: %s', async (_what, sent) => {
    const answer = await ask('/api/me', { token: 'sam', ...sent });
    expect([answer.status, answer.headers]).toEqual([
      404,
      expect.not.objectContaining({ 'www-authenticate': expect.anything() }),
    ]);
  });

  test('siteOf says at which school a request is, without a token', async () => {
    expect(JSON.parse((await ask('/api/school')).body)).toEqual({ name: 'Harbour School' });
    findSite = () => undefined;
    expect(JSON.parse((await ask('/api/school')).body)).toEqual({ name: null });
  });

  test('an error of the host keeps the headers that make it readable', async () => {
    expect(await ask('/api/failing', { headers: [script] })).toMatchObject({ status: 409, headers: readable });
  });

  test('rules of the host for scripts stay', async () => {
    const { headers } = await ask('/api/own', { token: 'sam', headers: [script] });
    expect(headers['access-control-allow-origin']).toBe('https://only.example');
  });
});

describe.each(Object.keys(mounts))('%s, behind a proxy', (name) => {
  const origin = 'https://harbour.example';
  const forwarded = [
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: harbour.example',
    'X-Forwarded-For: 198.51.100.1, 203.0.113.9',
  ];
  afterEach(async () => {
    findSite = undefined;
    events.splice(0);
    await schools.close();
  });

  test('that is trusted: the school is the forwarded one, and so is the caller', async () => {
    findSite = (asked) => (asked === origin ? harbourSite(origin) : undefined);
    await start(name, true);
    const headers = [script, ...forwarded, 'Authorization: Bearer nonsense'];
    const answer = await ask('/api/me', { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toContain(`resource_metadata="${origin}/.well-known/`);
    expect(events).toMatchObject([{ action: 'token.rejected', address: '203.0.113.9' }]);
    expect(JSON.parse((await ask('/api/school', { headers: forwarded })).body)).toEqual({ name: 'Harbour School' });
  });

  test('that is not trusted: 404, and a fault that says what to set', async () => {
    findSite = (asked) => (asked === origin ? harbourSite(origin) : undefined);
    await start(name);
    expect(await ask('/api/me', { headers: forwarded })).toMatchObject({
      status: 404,
      headers: { 'campus-protocol': 'http' },
    });
    const setting = name.startsWith('Koa') ? 'app.proxy is not set' : 'the proxy is not trusted';
    expect(schools.faults.map(({ message }) => message)).toEqual([
      `no school was found for a request for ${origin}, because ${setting}`,
    ]);
    const remedy = name.startsWith('Koa') ? 'set app.proxy = true' : 'pass { proxy: true } to campus.guard';
    expect(String(schools.faults[0]?.cause)).toContain(remedy);
  });
});

describe.each(Object.keys(mounts))('%s, with a token that is bound to a key', (name) => {
  const key = holder();
  let token: string;
  beforeAll(async () => {
    await start(name, false, { dpop: dpop() });
    const htu = `${schools.harbour}/api/oauth/token`;
    const { body } = await serviceToken(schools.harbour, syncApp, {}, { DPoP: proofOf(key, 'POST', htu) });
    token = String(body['access_token']);
  });
  afterAll(() => schools.close());

  const authorized = (scheme: string): string => `Authorization: ${scheme} ${token}`;
  const proof = (claims: object = {}): string =>
    `DPoP: ${proofOf(key, 'GET', `${schools.harbour}/api/sync`, { claims: { ath: ath(token), ...claims } })}`;

  test('lets pass a request with a proof, once', async () => {
    const headers = [script, authorized('DPoP'), proof()];
    expect(await ask('/api/sync', { headers, query: '?page=2' })).toMatchObject({ status: 200, headers: readable });
    const again = await ask('/api/sync', { headers });
    expect(again).toMatchObject({ status: 401, headers: readable });
    expect(again.headers['www-authenticate']).toMatch(
      /^DPoP error="invalid_dpop_proof", .*, algs="ES256 EdDSA Ed25519"$/,
    );
  });

  test.each<[string, () => readonly string[]]>([
    ['as a bearer token', () => [authorized('Bearer'), proof()]],
    ['without a proof', () => [authorized('DPoP')]],
    ['with two proofs', () => [authorized('DPoP'), proof(), proof()]],
    ['with a proof of another address', () => [authorized('DPoP'), proof({ htu: `${schools.harbour}/api/other` })]],
  ])('refuses it %s', async (_what, headers) => {
    const answer = await ask('/api/sync', { headers: headers() });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^DPoP error="invalid_(?:token|dpop_proof)"/);
  });

  test('asks for a nonce where the clock is wrong, which scripts can read', async () => {
    const asked = await ask('/api/sync', { headers: [script, authorized('DPoP'), proof({ iat: 0 })] });
    const { 'dpop-nonce': nonce, 'access-control-expose-headers': exposed } = asked.headers;
    expect([asked.status, exposed]).toEqual([401, 'WWW-Authenticate, Retry-After, DPoP-Nonce']);
    const headers = [script, authorized('DPoP'), proof({ iat: 0, nonce })];
    expect(await ask('/api/sync', { headers })).toMatchObject({ status: 200 });
  });
});

describe('campus.guard', () => {
  const origin = 'https://harbour.example';
  const refusedAt = async (request: Request): Promise<[number, unknown]> => {
    const answer = await schools.campus.guard()(request);
    if (!(answer instanceof Response)) throw new Error('passed');
    return [answer.status, Object(await answer.json()).error];
  };
  beforeAll(async () => {
    findSite = (asked) => (asked === origin ? harbourSite(origin) : undefined);
    await start('a web handler');
    tokens.sam = (
      await issueTokens(schools.campus, {
        site: origin,
        memberId: 'sam',
        clientId: 'web-member-app',
        scopes: ['openid'],
      })
    ).access_token;
  });
  afterAll(() => {
    findSite = undefined;
    return schools.close();
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ['no Host, as in HTTP/2', {}],
    ['the same Host', { host: 'Harbour.Example' }],
    ['the same Host with its port', { host: 'harbour.example:443' }],
  ])('with a Request that has %s finds the school', async (_what, headers) => {
    const request = new Request(`${origin}/api`, { headers: { ...headers, authorization: `Bearer ${tokens.sam}` } });
    expect(await schools.campus.guard({ scopes: ['openid'] })(request)).toEqual({
      token: expect.objectContaining({ clientId: 'web-member-app', scopes: ['openid'] }),
      headers: expect.objectContaining({ 'Access-Control-Allow-Origin': '*' }),
    });
  });

  test.each<[what: string, url: string, headers: Record<string, string>]>([
    ['another Host than its address', origin, { host: 'evil.example' }],
    ['another address than its Host', 'https://evil.example', { host: 'harbour.example' }],
    ['two hosts in one header', origin, { host: 'harbour.example, harbour.example' }],
  ])('with a Request that has %s is 404', async (_what, url, headers) => {
    expect(await refusedAt(new Request(url, { headers }))).toEqual([404, 'invalid_request']);
  });

  test('with a Request that has two headers refuses it', async () => {
    const headers = new Headers({ authorization: `Bearer ${tokens.sam}` });
    headers.append('Authorization', '');
    expect(await refusedAt(new Request(origin, { headers }))).toEqual([401, 'invalid_token']);
  });

  /** A server with what a host has behind and in front of its guards. */
  async function answered(listener: RequestListener): Promise<string> {
    const server = await listen(() => listener);
    const lines = ['GET / HTTP/1.1', 'Host: harbour.example', 'X-Forwarded-Proto: https', 'Connection: close'];
    const response = await rawRequest(server.port, [...lines, `Authorization: Bearer ${tokens.sam}`]);
    await server.close();
    return response;
  }

  test('knows the requests that it has let pass, and no others', async () => {
    const [first, second, third] = [{}, { scopes: ['openid'] as const }, {}].map((options) =>
      schools.campus.guard({ ...options, proxy: true }),
    );
    if (!first || !second || !third) throw new Error('no guards');
    const response = await answered((req, res) =>
      first(req, res, () =>
        second(req, res, () => {
          expect(() => third.tokenOf(req)).toThrow(
            'guard.tokenOf must be given a request that this guard has let through',
          );
          res.end(`${first.tokenOf(req).member.id} ${second.tokenOf(req).member.id}`);
        }),
      ),
    );
    expect(response).toMatch(/^HTTP\/1\.1 200 [^]*sam sam/);
  });

  test('what throws behind it is a fault, and the caller gets 500 in JSON', async () => {
    const guard = schools.campus.guard({ proxy: true });
    const response = await answered((req, res) =>
      guard(req, res, () => {
        throw new Error('of the host');
      }),
    );
    expect(response).toMatch(/^HTTP\/1\.1 500 [^]*{"error":"server_error"/);
    expect(schools.faults.splice(0)).toEqual([{ message: 'a request failed', cause: new Error('of the host') }]);
  });

  test('leaves a response alone that the host has sent in the meantime', async () => {
    const guard = schools.campus.guard({ proxy: true });
    let isPassed = false;
    const response = await answered((req, res) => {
      guard(req, res, () => (isPassed = true));
      res.writeHead(504).end('too late');
    });
    expect(response).toMatch(/^HTTP\/1\.1 504 [^]*too late/);
    expect([isPassed, schools.faults]).toEqual([false, []]);
  });

  test('says what it must be called with', () => {
    const guard = schools.campus.guard();
    const message = 'guard must be called with (req, res, next) or a Request';
    expect(() => Reflect.apply(guard, undefined, [{ req: {}, app: {} }, () => {}])).toThrow(message);
    expect(() => Reflect.apply(guard, undefined, [{ rawHeaders: [], headers: {} }])).toThrow(message);
  });
});
