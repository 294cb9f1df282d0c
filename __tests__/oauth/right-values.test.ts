import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loopbackClients, metadataDocuments } from '../../policies/index.ts';
import { testClients } from '../helpers/clients.ts';
import {
  authorizeUrl,
  type Changes,
  exchange,
  getCode,
  jsonResponse,
  type JsonResponse,
  memberApp,
  pkce,
  postForm,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const manyUris = Array.from({ length: 9 }, (_, i) => `https://many.example/${'x'.repeat(i === 0 ? 300 : 1)}${i}`);
const many: TestClient = { id: 'many', redirectUri: manyUris[1] ?? '', scope: 'openid', secret: 'many-secret' };

let schools: Schools;
let plugged: Schools;
let token: string;
beforeAll(async () => {
  const campus = {
    clients: [
      ...testClients,
      {
        clientId: many.id,
        clientName: 'Many',
        audience: 'member',
        redirectUris: manyUris,
        scopes: ['openid'],
        clientSecret: 'many-secret',
        postLogoutRedirectUris: ['https://many.example/bye'],
      },
    ],
    registration: [loopbackClients()],
    metadataDocuments: metadataDocuments({ open: true }),
    logout: { endSession: () => {} },
    limits: false,
  } as const;
  schools = await startSchools({ memberApi: {}, campus });
  plugged = await startSchools({ memberApi: { plugins: [{}] }, campus });
  const { body } = await exchange(await getCode(schools.browser('sam'), schools.harbour, memberApp));
  token = String(body['access_token']);
});
afterAll(async () => {
  await schools.close();
  await plugged.close();
});

const json = { accept: 'application/json' };

async function refused(client: TestClient, changes: Changes): Promise<JsonResponse> {
  const url = authorizeUrl(schools.harbour, client, pkce(), changes);
  return jsonResponse(await schools.browser('sam').fetch(url, { headers: json }));
}

describe('another redirect_uri', () => {
  test.each([
    ['one that is registered', webMemberApp, 'redirect_uri must be https://buddy.example/callback'],
    ['a loopback address', memberApp, '; only the port of a loopback address may differ'],
  ])('is answered with %s', async (_what, client, text) => {
    const response = await refused(client, { redirect_uri: 'https://other.example/callback' });
    expectError(response, 400, 'invalid_redirect_uri');
    expect(response.body['error_description']).toContain(text);
    expect(response.body['error_description']).toContain(client.redirectUri.replace(/:\d+/, ''));
  });

  test('is answered with the first of many, each of a bounded length', async () => {
    const { body } = await refused(many, { redirect_uri: 'https://other.example/callback' });
    const text = String(body['error_description']);
    expect(text).toMatch(/^redirect_uri must be https:\/\/many\.example\/x{79}\.\.\. or .* or one of 4 more$/);
    expect(text.length).toBeLessThan(600);
  });

  test('is answered on the page too, in the details for developers alone', async () => {
    const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { redirect_uri: 'https://other.example/callback' });
    const page = readPage(await (await schools.browser('sam').fetch(url)).text());
    expect(page.text).toContain('redirect_uri must be https://buddy.example/callback');
    expect(page.getByRole('heading', { level: 1 }).text).not.toContain('buddy.example');
  });

  test('at the token endpoint is answered with the one of the authorization request, and only to who has the verifier', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    const wrong = { redirect_uri: 'https://other.example/callback' };
    const response = await exchange(code, wrong);
    expectError(response, 400, 'invalid_grant');
    expect(response.body['error_description']).toBe(
      'redirect_uri must be https://buddy.example/callback, as in the authorization request',
    );
    const stranger = await exchange(code, { ...wrong, code_verifier: pkce().verifier });
    expect(JSON.stringify(stranger.body)).not.toContain('buddy.example');
  });

  test.each([
    ['many', 'post_logout_redirect_uri must be https://many.example/bye'],
    ['web-member-app', 'post_logout_redirect_uri must be left out: this application has none'],
  ])('after sign-out is answered with those of the application: %s', async (clientId, text) => {
    const address = `${schools.harbour}/oauth/logout?client_id=${clientId}&post_logout_redirect_uri=https://other.example`;
    const response = await jsonResponse(await fetch(address, { headers: json }));
    expectError(response, 400, 'invalid_redirect_uri');
    expect(response.body['error_description']).toBe(text);
  });
});

describe('an Authorization header that a proxy may have added', () => {
  const basic = `Basic ${Buffer.from('staging:secret').toString('base64')}`;
  const form = { grant_type: 'authorization_code', code: 'x', client_id: memberApp.id };

  test.each(['/api/oauth/userinfo', '/member/graphql'])('is named at %s', async (path) => {
    for (const authorization of [basic, 'Negotiate abc', 'abc']) {
      const method = path === '/member/graphql' ? 'POST' : 'GET';
      const response = await jsonResponse(await fetch(schools.harbour + path, { method, headers: { authorization } }));
      expectError(response, 401, 'invalid_token');
      expect(response.body['error_description']).toMatch(/Bearer <token>; a proxy may have changed it$/);
      expect(JSON.stringify([response.body, [...response.headers]])).not.toContain('abc');
    }
  });

  test.each([basic, 'Bearer abc', 'Negotiate abc'])('is named at the endpoints of apps: %s', async (authorization) => {
    for (const path of ['token', 'introspect', 'revoke']) {
      const { status, body } = await postForm(
        `${schools.harbour}/api/oauth/${path}`,
        { ...form, token: 'x' },
        { authorization },
      );
      expect([400, 401]).toContain(status);
      expect(body['error_description']).toMatch(/a proxy may have added/);
    }
  });

  test('with a token in it is no reason to refuse a good one', async () => {
    expect((await userinfo(schools.harbour, token)).status).toBe(200);
  });
});

describe('a metadata document that cannot be read from here', () => {
  test.each([
    'https://localhost:3000/client.json',
    'https://localhost/client.json',
    'https://127.0.0.1/client.json',
    'https://[::1]:8443/client.json',
    'https://192.168.1.20/client.json',
    'https://app.local/client.json',
    'https://app.localhost/client.json',
    'https://build.internal/client.json',
    'https://laptop/client.json',
  ])('%s: a public host, or a registration', async (id) => {
    const response = await refused({ ...memberApp, id }, {});
    expectError(response, 400, 'invalid_client_metadata');
    expect(response.body['error_description']).toBe(
      `a metadata document on ${new URL(id).host} cannot be read from the internet; serve it on a public host, or register instead`,
    );
  });

  test.each(['http://localhost:3000/client.json', 'http://127.0.0.1/client.json', 'HTTP://app.example/client.json'])(
    '%s: an https: address, or a registration, at both endpoints',
    async (id) => {
      const text =
        'a metadata document must have an https: address on a public host; for an app on your computer, register instead';
      const response = await refused({ ...memberApp, id }, {});
      expectError(response, 400, 'invalid_client');
      expect(response.body['error_description']).toBe(text);
      const form = { grant_type: 'authorization_code', code: 'x', client_id: id };
      const posted = await postForm(`${schools.harbour}/api/oauth/token`, form);
      expectError(posted, 401, 'invalid_client');
      expect(posted.body['error_description']).toBe(text);
    },
  );

  test('another unknown client is told what it was before', async () => {
    const { body } = await refused({ ...memberApp, id: 'httpd' }, {});
    expect(body['error_description']).toMatch(/^there is no client with this client_id/);
  });
});

describe('who asks for a persisted query', () => {
  const persistedQuery = { version: 1, sha256Hash: 'e3b0c442' };

  async function ask(at: Schools, body: object): Promise<unknown> {
    const { body: tokens } = await exchange(await getCode(at.browser('sam'), at.harbour, memberApp));
    const authorization = `Bearer ${String(tokens['access_token'])}`;
    const init = {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return (await fetch(`${at.harbour}/member/graphql`, init)).json();
  }

  test.each([
    { extensions: { persistedQuery } },
    { query: null, extensions: { persistedQuery } },
    { query: '', extensions: { persistedQuery } },
    { operationName: 'Me', variables: {}, extensions: { persistedQuery } },
    { documentId: 'sha256:e3b0c442' },
    { doc_id: '123' },
    { id: 'abc' },
  ])('is told to send the query: %j', async (body) => {
    const errors = [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }];
    for (const at of [schools, plugged]) expect(await ask(at, body)).toEqual({ errors });
  });

  test('gets its answer with the query beside the hash', async () => {
    const body = { query: '{ viewer { id } }', extensions: { persistedQuery } };
    for (const at of [schools, plugged]) expect(await ask(at, body)).toEqual({ data: { viewer: { id: 'sam' } } });
  });

  test.each([{}, { extensions: {} }, { id: 5, jsonrpc: '2.0', method: 'tools/list' }])(
    'nobody else does: %j',
    async (body) => {
      expect(JSON.stringify(await ask(schools, body))).toContain('query must not be missing or empty');
    },
  );
});
