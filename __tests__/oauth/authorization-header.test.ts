import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Router } from '@koa/router';
import Koa from 'koa';
import { deviceAuthorization } from '../../lib/grant-types.ts';
import type { Campus, StaticClient } from '../../lib/index.ts';
import { connect, jsonResponse, type JsonResponse, memberApp, postForm } from '../helpers/flow.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { expectError } from '../helpers/responses.ts';
import { type HostApp, type Schools, startSchools } from '../helpers/schools.ts';
import { syncApp, withServices } from '../helpers/services.ts';

const kiosk = {
  clientId: 'kiosk',
  clientName: 'Kiosk',
  audience: 'operator',
  redirectUris: [],
  scopes: ['openid'],
  clientSecret: 'kiosk-secret',
  device: true,
} as const satisfies StaticClient;

function api(campus: Campus): HostApp {
  const app = new Koa();
  const router = new Router();
  router.get('/api/me', campus.requireAccess(), (ctx) => {
    ctx.body = { member: ctx.state.token.member.id };
  });
  return app.use(campus.middleware()).use(router.routes());
}

let schools: Schools;
let token: string;
beforeAll(async () => {
  schools = await startSchools({
    memberApi: {},
    mcp: {},
    app: api,
    campus: {
      ...withServices,
      clients: [...withServices.clients, kiosk],
      grants: [...withServices.grants, deviceAuthorization()],
      clientAuthentication: ['client_secret_basic'],
    },
  });
  token = String((await connect(schools.browser('sam'), schools.harbour, memberApp)).body['access_token']);
});
afterAll(() => schools.close());

const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** What each address that takes an access token is asked. */
const asked: Readonly<Record<string, object | undefined>> = {
  '/api/oauth/userinfo': undefined,
  '/api/me': undefined,
  '/member/graphql': { query: '{ viewer { id } }' },
  '/mcp': rpc,
  '/mcp/operator': rpc,
  '/mcp/member': rpc,
};

async function ask(path: string, authorization?: string): Promise<JsonResponse> {
  const body = asked[path];
  const headers = {
    ...(authorization !== undefined && { authorization }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  return jsonResponse(await fetch(`${schools.harbour}${path}`, init));
}

describe.each(Object.keys(asked))('%s', (path) => {
  test.each(['Bearer ', 'Bearer  ', `bearer${' '.repeat(400)}`])('takes a token after %j', async (scheme) => {
    expect((await ask(path, `${scheme}${token}`)).status).toBe(200);
  });

  test.each(['Bearer', 'Bearer\t', 'Bearer \t', 'Bearer,', 'Bearer: '])('refuses one after %j', async (scheme) => {
    const response = await ask(path, `${scheme}${token}`);
    expectError(response, 401, 'invalid_token');
    expect(response.body['error_description']).toContain('must read: Bearer <token>');
  });

  test('takes an empty header for none', async () => {
    const [empty, none] = await Promise.all([ask(path, ''), ask(path)]);
    expect([empty.status, empty.body]).toEqual([none.status, none.body]);
  });
});

const device = { id: kiosk.clientId, secret: kiosk.clientSecret };
const sync = { id: syncApp.id, secret: String(syncApp.secret) };

/** What each address that takes HTTP Basic is sent. */
const posted = {
  token: { client: sync, form: { grant_type: 'client_credentials' } },
  introspect: { client: sync, form: { token: 'unknown' } },
  revoke: { client: sync, form: { token: 'unknown' } },
  device_authorization: { client: device, form: { scope: 'openid' } },
};

describe.each(Object.entries(posted))('/api/oauth/%s', (path, { client: { id, secret }, form }) => {
  const credentials = Buffer.from(`${id}:${secret}`).toString('base64');
  const post = (authorization: string): Promise<JsonResponse> =>
    postForm(`${schools.harbour}/api/oauth/${path}`, form, { authorization });

  test.each(['Basic ', 'Basic  ', `bASIC${' '.repeat(400)}`])('takes a secret after %j', async (scheme) => {
    expect((await post(`${scheme}${credentials}`)).status).toBe(200);
  });

  test.each(['Basic\t', 'Basic \t', 'Basic'])('refuses one after %j', async (scheme) => {
    expectError(await post(`${scheme}${credentials}`), 400, 'invalid_request');
  });

  test('takes an empty header for none, beside a secret in the form', async () => {
    const sent = { ...form, client_id: id, client_secret: secret };
    const { status } = await postForm(`${schools.harbour}/api/oauth/${path}`, sent, { authorization: '' });
    expect(status).toBe(200);
  });
});

test('a large message at /mcp behind an empty header is one without a token', async () => {
  const body = JSON.stringify({ ...rpc, params: { x: 'x'.repeat(100_000) } });
  const response = await rawRequest(Number(new URL(schools.harbour).port), [
    'POST /mcp HTTP/1.1',
    `Host: ${new URL(schools.harbour).host}`,
    'Authorization:',
    'Content-Type: application/json',
    'Connection: close',
    `Content-Length: ${body.length}`,
    '',
    body,
  ]);
  expect(response).toMatch(/^HTTP\/1\.1 413 /);
});

const root = new URL('../../', import.meta.url);
const sources = globSync(['docs/**/*.md', 'README.md', 'examples/**/*.ts', '{lib,policies}/**/*.ts'], { cwd: root });

test('every expression for the header that we publish allows several spaces', () => {
  const expressions = sources.flatMap((file) =>
    [...readFileSync(new URL(file, root), 'utf8').matchAll(/\/\^(?:bearer|basic)\b(.*?)\(.*\/i?/gi)].map(
      ([found, between]) => ({ file, found, between }),
    ),
  );
  expect(expressions.length).toBeGreaterThan(1);
  // What reads `sentAuthorization` has one space.
  const published = expressions.filter(({ file }) => !file.startsWith('lib/'));
  expect(published.filter(({ between }) => between !== ' +')).toEqual([]);
});
