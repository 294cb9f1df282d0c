import { bodyParser } from '@koa/bodyparser';
import { Router } from '@koa/router';
import { describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import Koa2 from 'koa-2';
import type { Campus } from '../../lib/index.ts';
import { connect, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { type HostApp, startSchools } from '../helpers/schools.ts';

function app(version: typeof Koa, before: (app: Koa) => void, after: (app: Koa) => void = () => {}) {
  return (campus: Campus): HostApp => {
    const host = new version();
    host.silent = true;
    before(host);
    host.use(campus.middleware());
    after(host);
    return host;
  };
}

const hosts: Record<string, (campus: Campus) => HostApp> = {
  'Koa 3, no keys': app(Koa, () => {}),
  'Koa 3, keys of its own': app(Koa, (host) => {
    host.keys = ['the host has its own'];
  }),
  'Koa 3, a body parser in front': app(Koa, (host) => host.use(bodyParser())),
  'Koa 3, a body parser that takes everything': app(Koa, (host) =>
    host.use(bodyParser({ enableTypes: ['json', 'form', 'text', 'xml'] })),
  ),
  'Koa 3, a router behind': app(
    Koa,
    () => {},
    (host) => {
      const router = new Router();
      router.get('/courses', (ctx) => {
        ctx.body = 'courses';
      });
      host.use(router.routes()).use(router.allowedMethods());
    },
  ),
  'Koa 3, behind a proxy': app(Koa, (host) => {
    host.proxy = true;
  }),
  'Koa 2.16': app(Koa2, () => {}),
  'Koa 2.16, keys and a body parser': app(Koa2, (host) => {
    host.keys = ['the host has its own'];
    host.use(bodyParser());
  }),
};

describe.each(Object.entries(hosts))('%s', (_name, host) => {
  test('the whole flow works, and other paths are the host’s', async () => {
    const schools = await startSchools({ app: host });
    try {
      const tokens = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
      expect(tokens).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
      expect(await userinfo(schools.harbour, tokens.body['access_token'])).toMatchObject({
        status: 200,
        body: { sub: 'sam' },
      });
      const refreshed = await refresh(schools.harbour, webMemberApp, tokens.body['refresh_token']);
      expect(refreshed.status).toBe(200);
      expect(refreshed.headers.get('content-type')).toMatch(/^application\/json/);
      const foreign = await fetch(`${schools.harbour}/courses`);
      expect(foreign.status).toBe(_name.includes('router') ? 200 : 404);
      expect(schools.faults).toEqual([]);
    } finally {
      await schools.close();
    }
  });
});

test('a middleware in front sees and may change the response', async () => {
  const schools = await startSchools({
    app: app(Koa, (host) =>
      host.use(async (ctx, next) => {
        await next();
        ctx.set('X-Status', String(ctx.status));
      }),
    ),
  });
  const response = await fetch(`${schools.harbour}/api/oauth/token`, { method: 'POST' });
  expect([response.status, response.headers.get('x-status')]).toEqual([400, '400']);
  await schools.close();
});

test('an error of the host behind the middleware stays the host’s', async () => {
  const schools = await startSchools({
    app: app(
      Koa,
      () => {},
      (host) =>
        host.use((ctx) => {
          ctx.throw(418, 'of the host');
        }),
    ),
  });
  const response = await fetch(`${schools.harbour}/elsewhere`);
  expect([response.status, await response.text()]).toEqual([418, 'of the host']);
  await schools.close();
});
