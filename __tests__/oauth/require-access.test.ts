import { afterEach, expect, test } from '@jest/globals';
import { Router } from '@koa/router';
import Koa from 'koa';
import Koa2 from 'koa-2';
import type { VerifiedToken, TokenState, Campus } from '../../lib/index.ts';
import { connect, webMemberApp } from '../helpers/flow.ts';
import { type HostApp, type Schools, startSchools } from '../helpers/schools.ts';

// What every guard has in common is in `hosts/guard.test.ts`; this is Koa's own.

let schools: Schools;
afterEach(() => schools.close());

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The host's API. What it reads from `ctx.state.token` compiles without a cast, and what is not there does not. */
function api(version: typeof Koa): (campus: Campus) => HostApp {
  return (campus) => {
    const app = new version();
    app.silent = true;
    const router = new Router();
    const readsAccount = campus.requireAccess({ scopes: ['account:read'] });
    router.options('/api/me', readsAccount);
    router.get('/api/me', readsAccount, (ctx) => {
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

test.each([
  ['Koa 3', Koa],
  ['Koa 2', Koa2],
])('on %s, the context has the token, and an error keeps its own headers', async (_name, version) => {
  schools = await startSchools({ app: api(version) });
  const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  const response = await ask('/api/me', { headers: { authorization: `Bearer ${String(body['access_token'])}` } });
  expect(await response.json()).toEqual({ member: 'sam', site: 'harbour', typed: false });
  expect(await (await ask('/api/public')).json()).toEqual({ clientId: null, unchecked: 'function' });
  const failed = await ask('/api/failing', { headers: script });
  expect([failed.status, failed.headers.get('x-own')]).toEqual([409, 'kept']);
  expect(failed.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
});

test('in a router, a preflight request reaches the guard by a route for OPTIONS', async () => {
  schools = await startSchools({ app: api(Koa) });
  const headers = { ...script, 'access-control-request-method': 'GET' };
  const response = await ask('/api/me', { method: 'OPTIONS', headers });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  expect((await ask('/api/me', { headers: script })).status).toBe(401);
});
