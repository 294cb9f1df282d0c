import { afterEach, describe, expect, test } from '@jest/globals';
import { Router } from '@koa/router';
import Koa from 'koa';
import Koa2 from 'koa-2';
import type { VerifiedToken, TokenState, Campus, SchoolPlatform } from '../../lib/index.ts';
import { connect, jsonResponse, type JsonResponse, webMemberApp } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type HostApp, type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
afterEach(() => schools.close());

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The host's API. What it reads from `ctx.state.token` compiles without a cast, and what is not there does not. */
function api(version: typeof Koa, before?: Koa.Middleware): (campus: Campus) => HostApp {
  return (campus) => {
    const app = new version();
    app.silent = true;
    if (before) app.use(before);
    const router = new Router();
    router.all('/api/me', campus.requireAccess({ scopes: ['account:read'] }), (ctx) => {
      const typed: IsAny<typeof ctx.state.token> = false;
      const access: VerifiedToken = ctx.state.token;
      // @ts-expect-error an access has no such member
      const other: unknown = ctx.state.token.nothing;
      ctx.body = { member: access.member.id, site: ctx.state.token.site.id, typed, other };
    });
    router.get('/api/public', campus.requireAccess({ anonymous: true }), (ctx) => {
      // @ts-expect-error it may be anonymous
      const unchecked = (): string => ctx.state.token.clientId;
      ctx.body = { clientId: ctx.state.token?.clientId ?? null, unchecked: typeof unchecked };
    });
    router.get('/api/school', async (ctx) => {
      ctx.body = { name: (await campus.siteOf(ctx))?.name ?? null };
    });
    router.get('/api/failing', campus.requireAccess({ anonymous: true }), (ctx) =>
      ctx.throw(409, 'of the host', { headers: { 'X-Own': 'kept' } }),
    );
    app.use(campus.middleware()).use(router.routes());
    const behind: Koa<TokenState> = new version();
    behind.use(campus.requireAccess()).use((ctx) => {
      ctx.body = ctx.state.token.clientId;
    });
    return app;
  };
}

const script = { origin: 'https://dashboard.example' };
const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${schools.harbour}${path}`, init);
const token = async (): Promise<string> =>
  `Bearer ${String((await connect(schools.browser('sam'), schools.harbour, webMemberApp)).body['access_token'])}`;

describe.each([
  ['Koa 3', Koa],
  ['Koa 2', Koa2],
])('requireAccess on %s', (_name, version) => {
  test('puts ctx.state.token, and scripts of any origin may read the response', async () => {
    schools = await startSchools({ app: api(version) });
    const response = await ask('/api/me', { headers: { ...script, authorization: await token() } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect([response.status, await response.json()]).toEqual([200, { member: 'sam', site: 'harbour', typed: false }]);
    expect(await (await ask('/api/public')).json()).toEqual({ clientId: null, unchecked: 'function' });
  });

  test.each<[string, string, Record<string, string>, number]>([
    ['no token', '/api/me', {}, 401],
    ['a bad token', '/api/public', { authorization: 'Bearer nonsense' }, 401],
    ['an error of the host', '/api/failing', {}, 409],
  ])('%s: the error is readable by scripts, with its challenge', async (_what, path, headers, status) => {
    schools = await startSchools({ app: api(version) });
    const response = await ask(path, { headers: { ...script, ...headers } });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    expect(response.headers.get('www-authenticate') !== null).toBe(status === 401);
    expect(response.headers.get('x-own')).toBe(status === 409 ? 'kept' : null);
  });

  test('answers preflight requests of any method, and no other OPTIONS', async () => {
    schools = await startSchools({ app: api(version) });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const headers = {
        ...script,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization',
      };
      const response = await ask('/api/me', { method: 'OPTIONS', headers });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-methods')).toBe(method);
      expect(response.headers.get('access-control-allow-headers')).toBe('authorization');
    }
    expect((await ask('/api/me', { method: 'OPTIONS', headers: script })).status).toBe(401);
  });
});

test('siteOf says which school a request of the host is for, without a token', async () => {
  schools = await startSchools({ app: api(Koa) });
  expect(await (await ask('/api/school')).json()).toEqual({ name: 'Harbour School' });
  await schools.close();
  schools = await startSchools({ platform: { findSite: () => undefined }, app: api(Koa) });
  expect(await (await ask('/api/school')).json()).toEqual({ name: null });
});

test('CORS headers that the host has set before stay', async () => {
  schools = await startSchools({
    app: api(Koa, async (ctx, next) => {
      ctx.set('Access-Control-Allow-Origin', 'https://only.example');
      await next();
    }),
  });
  const response = await ask('/api/me', { headers: script });
  expect(response.headers.get('access-control-allow-origin')).toBe('https://only.example');
});

describe('an address without a usable school', () => {
  const site = { id: 'harbour', name: 'Harbour School', connectionsEnabled: true };
  const errorAt = async (
    findSite: SchoolPlatform['findSite'],
    headers: Record<string, string> = {},
  ): Promise<JsonResponse> => {
    schools = await startSchools({ platform: { findSite }, app: api(Koa) });
    return jsonResponse(await ask('/api/me', { headers: { ...script, ...headers } }));
  };

  test.each<[string, SchoolPlatform['findSite'], RegExp]>([
    [
      'a wrong origin',
      () => ({ ...site, origin: 'https://other.example' }),
      /returned origin: "https:\/\/other.example"; it must be the requested origin/,
    ],
    ['a bad id', (origin) => ({ ...site, id: 'a b', origin }), /returned id: "a b"; it must be 1 to 128/],
    [
      'no name',
      (origin) => JSON.parse(JSON.stringify({ ...site, name: undefined, origin })),
      /returned name: undefined/,
    ],
  ])('%s is 503 and a fault, as at our own routes', async (_what, findSite, cause) => {
    const response = await errorAt(findSite);
    expectError(response, 503, 'temporarily_unavailable');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expectError(await jsonResponse(await ask('/.well-known/openid-configuration')), 503, 'temporarily_unavailable');
    const fault = {
      message: 'platform.findSite failed',
      cause: expect.objectContaining({ message: expect.stringMatching(cause) }),
    };
    expect(schools.faults).toEqual([fault, fault]);
  });

  test('no school is 404, and a forgotten app.proxy is a fault', async () => {
    const origin = 'https://harbour.example';
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'harbour.example' };
    const response = await errorAt((asked) => (asked === origin ? { ...site, origin } : undefined), forwarded);
    expectError(response, 404, 'invalid_request');
    expect(schools.faults.map(({ message }) => message)).toEqual([
      `no school was found for a request for ${origin}, because app.proxy is not set`,
    ]);
  });
});

test('in a router, a preflight request reaches the guard by a route for OPTIONS', async () => {
  schools = await startSchools({
    app: (campus) => {
      const router = new Router();
      const readsCourses = campus.requireAccess({ scopes: ['courses:read'] });
      router.options('/admin/courses', readsCourses);
      router.get('/admin/courses', readsCourses, (ctx) => void (ctx.body = {}));
      return new Koa().use(campus.middleware()).use(router.routes());
    },
  });
  const headers = { ...script, 'access-control-request-method': 'GET' };
  const response = await ask('/admin/courses', { method: 'OPTIONS', headers });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  expect((await ask('/admin/courses', { headers: script })).status).toBe(401);
});
