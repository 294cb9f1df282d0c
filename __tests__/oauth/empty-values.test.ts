import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authorizationParameters } from '../../lib/engine/parameter-limits.ts';
import { registrationSchema } from '../../lib/features/registration/schema.ts';
import { deviceAuthorization } from '../../lib/grant-types.ts';
import type { JsonObject } from '../../lib/kernel/json.ts';
import { loopbackClients, vendorPlatforms } from '../../policies/index.ts';
import { documentDigest, documentMetadata } from '../../policies/documents/document.ts';
import { kiosk, kioskApp, terminal } from '../features/device/devices.ts';
import { testClients } from '../helpers/clients.ts';
import {
  authorize,
  authorizeUrl,
  type Changes,
  clientFields,
  connect,
  exchange,
  getCode,
  introspect,
  jsonResponse,
  type JsonResponse,
  memberApp,
  pkce,
  postForm,
  refresh,
  reports,
  webMemberApp,
} from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
let plugged: Schools;
let token: string;
beforeAll(async () => {
  const vendor = {
    clientId: 'acme',
    clientName: 'Acme',
    names: ['Acme', /^(?:acme)?$/],
    redirectUris: ['https://acme.example/callback'],
  };
  const campus = {
    clients: [...testClients, terminal, kiosk],
    grants: [deviceAuthorization()],
    clientAuthentication: ['private_key_jwt'],
    registration: [vendorPlatforms([vendor]), loopbackClients()],
    limits: false,
  } as const;
  schools = await startSchools({ memberApi: {}, mcp: {}, campus });
  plugged = await startSchools({ memberApi: { plugins: [{}] }, campus });
  token = String((await connect(schools.browser('sam'), schools.harbour, memberApp)).body['access_token']);
});
afterAll(async () => {
  await schools.close();
  await plugged.close();
});

const empty = [null, '', '  ', []];

describe('a registration', () => {
  const loopback = { client_name: 'CLI', redirect_uris: ['http://127.0.0.1:8123/callback'] };

  async function register(body: object): Promise<JsonResponse> {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return jsonResponse(await fetch(`${schools.harbour}/api/oauth/register`, init));
  }

  const registered = ({ status, body }: JsonResponse): object => {
    const { client_id: _id, client_id_issued_at: _at, ...metadata } = body;
    return { status, ...metadata };
  };

  test.each(Object.keys(registrationSchema.properties).filter((name) => name !== 'redirect_uris'))(
    'with an empty %s is one without it',
    async (member) => {
      const { [member]: _left, ...without }: Record<string, unknown> = loopback;
      const expected = registered(await register(without));
      expect(expected).toMatchObject({ status: 201 });
      for (const value of empty) expect(registered(await register({ ...without, [member]: value }))).toEqual(expected);
    },
  );

  test.each([null, '', [], [''], [null], 'http://127.0.0.1/callback', [...loopback.redirect_uris, '']])(
    'with redirect_uris %j is refused',
    async (redirect_uris) => {
      expectError(await register({ client_name: 'CLI', redirect_uris }), 400, 'invalid_redirect_uri');
    },
  );

  test('with an empty client_name is of no vendor', async () => {
    for (const client_name of [undefined, ...empty]) {
      const { body } = await register({ ...loopback, client_name });
      expect(body['client_id']).not.toBe('acme');
    }
  });
});

describe('a metadata document', () => {
  const clientId = 'https://app.example/client.json';
  const document: JsonObject = { client_id: clientId, redirect_uris: ['https://app.example/callback'] };
  const methods = ['none', 'private_key_jwt'] as const;
  const members = [
    ...Object.keys(registrationSchema.properties),
    'client_secret',
    'client_secret_expires_at',
    'contacts',
    'jwks',
    'jwks_uri',
    'post_logout_redirect_uris',
    'software_id',
    'token_endpoint_auth_methods_supported',
  ].filter((name) => name !== 'redirect_uris');

  test.each(members)('with an empty %s is one without it, and of the same digest', (member) => {
    const expected = documentMetadata(clientId, document, methods);
    for (const value of empty) {
      const given = { ...document, [member]: value };
      expect(documentMetadata(clientId, given, methods)).toEqual(expected);
      expect(documentDigest(given)).toBe(documentDigest(document));
    }
  });

  test.each<[string, JsonObject]>([
    ['redirect_uris', { redirect_uris: null }],
    ['redirect_uris', { redirect_uris: [] }],
    ['redirect_uris', { redirect_uris: '' }],
    ['redirect_uris', { redirect_uris: [''] }],
    ['redirect_uris', { redirect_uris: ['https://app.example/callback', ''] }],
    ['client_id', { client_id: null }],
    ['client_id', { client_id: '' }],
    ['jwks', { token_endpoint_auth_method: 'private_key_jwt', jwks: null, jwks_uri: '' }],
  ])('with no value for %s, which it needs, is refused: %j', (member, changes) => {
    expect(() => documentMetadata(clientId, { ...document, ...changes }, methods)).toThrow(member);
  });
});

describe('a parameter without a value', () => {
  const required = ['response_type', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method'];
  const optional = [...authorizationParameters().keys()].filter((name) => !required.includes(name));

  test.each([...optional, 'request', 'request_uri', 'registration', 'authorization_details', 'claims', 'dpop_jkt'])(
    'is one that was not sent: %s in an authorization request',
    async (name) => {
      const url = authorizeUrl(schools.harbour, reports, pkce(), { [name]: '' });
      const stop = await authorize(schools.browser('olivia'), url);
      expect(stop.url.searchParams.get('code')).not.toBeNull();
      expect(stop.url.searchParams.get('state')).toBe(name === 'state' ? null : 'the-state');
    },
  );

  test.each(required)('is missing: %s in an authorization request', async (name) => {
    const [none, without] = await Promise.all(
      ['', undefined].map(async (value) => {
        const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { [name]: value });
        const {
          response,
          url: at,
          html,
        } = await schools.browser('sam').follow(url, { headers: { accept: 'application/json' } });
        return [response.status, at.searchParams.get('error'), html];
      }),
    );
    expect(none).toEqual(without);
  });

  test('is refused like any other when it is sent twice', async () => {
    const url = authorizeUrl(schools.harbour, webMemberApp, pkce());
    url.searchParams.append('nonce', '');
    const { url: at } = await schools.browser('sam').follow(url);
    expect(at.searchParams.get('error')).toBe('invalid_request');
  });

  const others: Changes = {
    scope: '',
    resource: '',
    token_type_hint: '',
    client_assertion: '',
    client_assertion_type: '',
  };

  test('is one that was not sent, in every form of an app', async () => {
    const { harbour } = schools;
    const noSecret = { client_secret: '' };
    const sam = await exchange(await getCode(schools.browser('sam'), harbour, memberApp), {
      ...others,
      ...noSecret,
      resource: harbour,
      refresh_token: '',
    });
    expect(sam.status).toBe(200);
    const code = await getCode(schools.browser('olivia'), harbour, reports);
    const { status, body } = await exchange(code, { ...others, refresh_token: '', redirect_uri: '' });
    expect(status).toBe(200);
    const refreshed = await refresh(harbour, reports, body['refresh_token'], {
      ...others,
      code: '',
      code_verifier: '',
    });
    expect(refreshed.status).toBe(200);
    const sent = { ...clientFields(reports), token: String(refreshed.body['access_token']), ...others };
    expect((await postForm(`${harbour}/api/oauth/introspect`, sent)).body).toMatchObject({ active: true });
    expect((await postForm(`${harbour}/api/oauth/revoke`, sent)).status).toBe(200);
    const device = { ...clientFields(kioskApp), ...others, resource: harbour, acr_values: '', login_hint: '' };
    expect((await postForm(`${harbour}/api/oauth/device_authorization`, device)).status).toBe(200);
  });

  test('lets resource in the address of the token endpoint count', async () => {
    const { harbour } = schools;
    const code = await getCode(schools.browser('sam'), harbour, webMemberApp);
    const form = {
      grant_type: 'authorization_code',
      code: code.code,
      code_verifier: code.verifier,
      ...clientFields(webMemberApp),
    };
    const address = `${harbour}/api/oauth/token?resource=${encodeURIComponent(harbour)}`;
    const { body } = await postForm(address, { ...form, resource: '' });
    expect((await introspect(harbour, webMemberApp, body['access_token'])).body).toMatchObject({ aud: harbour });
  });

  test('is no token in the address', async () => {
    const ask = (query: string): Promise<Response> =>
      fetch(`${schools.harbour}/api/oauth/userinfo?${query}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask('access_token=')).status).toBe(200);
    for (const query of ['access_token=x', 'access_token=&access_token=x']) expect((await ask(query)).status).toBe(401);
  });
});

describe('a GraphQL request', () => {
  test.each(['operationName', 'variables', 'extensions'])('with an empty %s is one without it', async (member) => {
    for (const at of [schools, plugged]) {
      const { body } = await connect(at.browser('sam'), at.harbour, memberApp);
      for (const value of [null, '', []]) {
        const init = {
          method: 'POST',
          headers: { authorization: `Bearer ${String(body['access_token'])}`, 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ viewer { id } }', [member]: value }),
        };
        const response = await fetch(`${at.harbour}/member/graphql`, init);
        expect([response.status, await response.json()]).toEqual([200, { data: { viewer: { id: 'sam' } } }]);
      }
    }
  });
});

describe('a message of MCP', () => {
  const rpc = async (message: object, headers: Record<string, string> = {}): Promise<JsonResponse> => {
    const init = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
    return jsonResponse(await fetch(`${schools.harbour}/mcp`, { method: 'POST', headers: init, body }));
  };
  const versions = [
    {},
    { 'mcp-protocol-version': '2025-11-25' },
    { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': 'x' },
  ];

  test.each(versions)('without values for what is optional is one without it: %j', async (headers) => {
    const expected = await rpc({ method: 'tools/list' }, headers);
    expect(expected.status).toBe(200);
    const params = [
      ...empty,
      ...empty.flatMap((value) => [{ _meta: value }, { cursor: value }, { _meta: value, cursor: value }]),
    ];
    for (const value of params) {
      const { status, body } = await rpc({ method: 'tools/list', params: value }, headers);
      expect([status, body]).toEqual([200, expected.body]);
    }
  });

  test.each(versions)('without arguments calls a tool that needs none: %j', async (headers) => {
    const authorization = `Bearer ${token}`;
    for (const value of [undefined, ...empty]) {
      const { body } = await rpc(
        { method: 'tools/call', params: { name: 'open', arguments: value } },
        { ...headers, authorization },
      );
      expect(JSON.stringify(body)).not.toMatch(/must be an object|expected/i);
    }
  });

  test('with empty headers is one without them', async () => {
    const headers = {
      'mcp-protocol-version': '',
      'mcp-session-id': '',
      'last-event-id': '',
      'mcp-method': '',
      'mcp-name': '',
    };
    expect(await rpc({ method: 'tools/list' }, headers)).toMatchObject({ status: 200 });
  });
});

describe('an empty header', () => {
  const headers = {
    accept: '',
    'accept-language': '',
    authorization: '',
    'content-encoding': '',
    origin: '',
    'sec-fetch-site': '',
    'if-none-match': '',
    'x-forwarded-host': '',
    'x-forwarded-proto': '',
    'x-forwarded-for': '',
    forwarded: '',
    'sec-purpose': '',
    cookie: '',
  };

  test('is one that was not sent, wherever an app asks', async () => {
    const { harbour } = schools;
    const json = { 'content-type': 'application/json' };
    const requests: [path: string, init: RequestInit][] = [
      ['/.well-known/openid-configuration', {}],
      ['/auth.md', {}],
      ['/mcp', { method: 'POST', headers: json, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }],
      ['/mcp/operator', { method: 'POST', headers: json, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }],
      ['/member/graphql', { method: 'POST', headers: json, body: '{"query":"{ viewer { id } }"}' }],
      ['/api/oauth/userinfo', {}],
      [
        '/api/oauth/introspect',
        {
          method: 'POST',
          body: new URLSearchParams({ token: 'x', client_id: 'reports', client_secret: 'reports-secret' }),
        },
      ],
      ['/oauth/authorize', { method: 'POST', body: authorizeUrl(harbour, webMemberApp, pkce()).searchParams }],
    ];
    for (const [path, init] of requests) {
      const ask = (more: Record<string, string>): Promise<Response> =>
        fetch(`${harbour}${path}`, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init.headers)), ...more },
          redirect: 'manual',
        });
      const [plain, sent] = await Promise.all([ask({}), ask(headers)]);
      expect([path, sent.status, await sent.text()]).toEqual([path, plain.status, await plain.text()]);
    }
  });

  test('of the origin does not make the form of a page a foreign one', async () => {
    const browser = schools.browser('sam');
    const { url, html } = await browser.follow(
      authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'consent' }),
    );
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const init = {
      method: 'POST',
      headers: { origin: '', 'sec-fetch-site': '' },
      body: new URLSearchParams({ csrf, decision: 'allow' }),
    };
    expect((await browser.fetch(url, init)).status).toBe(303);
  });
});

describe('the empty path of a loopback address', () => {
  test.each([
    ['http://127.0.0.1', 'http://127.0.0.1:9000/'],
    ['http://127.0.0.1:8123', 'http://127.0.0.1:8123/'],
    ['http://127.0.0.1/', 'http://127.0.0.1:9000'],
    ['http://[::1]:8123', 'http://[::1]:9000/'],
    ['http://localhost:8123/', 'http://localhost:9000'],
  ])('%s is the one of %s', async (registered, redirectUri) => {
    const { status, client } = await registerWith(registered);
    expect(status).toBe(201);
    const code = await getCode(schools.browser('olivia'), schools.harbour, { ...client, redirectUri });
    expect((await exchange(code)).status).toBe(200);
  });

  test.each([
    ['http://127.0.0.1', 'http://127.0.0.1:9000//'],
    ['http://127.0.0.1', 'http://127.0.0.1:9000/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:9000/callback/'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:9000'],
    ['http://127.0.0.1', 'http://localhost:9000/'],
    ['http://127.0.0.1', 'http://127.0.0.1:9000?'],
    ['http://127.0.0.1/?a=b', 'http://127.0.0.1:9000?a=b'],
    ['http://127.0.0.1/?a=b', 'http://127.0.0.1:9000/'],
  ])('%s is not %s', async (registered, redirectUri) => {
    const { client } = await registerWith(registered);
    const url = authorizeUrl(schools.harbour, { ...client, redirectUri }, pkce());
    const response = await schools.browser('olivia').fetch(url, { headers: { accept: 'application/json' } });
    expectError(await jsonResponse(response), 400, 'invalid_redirect_uri');
  });

  async function registerWith(uri: string) {
    const body = JSON.stringify({ client_name: 'CLI', redirect_uris: [uri] });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const { status, body: registered } = await jsonResponse(await fetch(`${schools.harbour}/api/oauth/register`, init));
    return { status, client: { id: String(registered['client_id']), scope: 'openid' } };
  }
});
