import { afterEach, describe, expect, test } from '@jest/globals';
import { Router } from '@koa/router';
import express from 'express';
import express4 from 'express-4';
import Koa, { type Middleware } from 'koa';
import type { Campus } from '../../lib/index.ts';
import { type HostApp, type Schools, startSchools } from '../helpers/schools.ts';
import { hostApp } from './frameworks.ts';

let schools: Schools;
afterEach(() => schools.close());

const discovery = '/.well-known/openid-configuration';

function expressApp(version: typeof express, prepare: (app: express.Express, campus: Campus) => void) {
  return (campus: Campus): HostApp => {
    const app = version();
    prepare(app, campus);
    app.get('/courses', (_req, res) => void res.send('courses'));
    return hostApp(app);
  };
}

function koaApp(prepare: (app: Koa, campus: Campus) => void) {
  return (campus: Campus): HostApp => {
    const app = new Koa();
    prepare(app, campus);
    return app;
  };
}

/** What koa-mount does. */
function mount(prefix: string, inner: Middleware): Middleware {
  return async (ctx, next) => {
    const { path } = ctx;
    if (!path.startsWith(prefix)) {
      await next();
      return;
    }
    ctx['mountPath'] = prefix;
    ctx.path = path.slice(prefix.length) || '/';
    await inner(ctx, async () => {
      ctx.path = path;
      await next();
    });
    ctx.path = path;
  };
}

/** What Connect does, which has no `baseUrl`. */
function connectHost(campus: Campus): HostApp {
  const handle = campus.handler();
  return hostApp((req, res) => {
    const { url = '' } = req;
    Object.assign(req, { originalUrl: url, url: url.replace(/^\/auth/, '') });
    handle(req, res);
  });
}

function routerOf(prepare: (router: Router) => void): Router {
  const router = new Router();
  prepare(router);
  return router;
}

const get = async (path: string): Promise<number> => (await fetch(`${schools.harbour}${path}`)).status;

const inRouter = /^campus is mounted in a router/;
const underAuth = /^campus is mounted under \/auth, where clients do not look for it$/;

describe('a wrong mount is one fault, at the first request', () => {
  test.each<[string, RegExp, string, (campus: Campus) => HostApp]>([
    [
      'Express 5, a path',
      underAuth,
      '/auth/courses',
      expressApp(express, (app, campus) => app.use('/auth', campus.handler())),
    ],
    [
      'Express 4, a path',
      underAuth,
      `/auth${discovery}`,
      expressApp(express4, (app, campus) => app.use('/auth', campus.handler())),
    ],
    [
      'Express 5, a router under a path',
      underAuth,
      '/auth',
      expressApp(express, (app, campus) => app.use('/auth', express.Router().use(campus.handler()))),
    ],
    [
      'Express 5, an application under a path',
      underAuth,
      '/auth/',
      expressApp(express, (app, campus) => app.use('/auth', express().use(campus.handler()))),
    ],
    [
      'Express 5, a Koa application under a path',
      underAuth,
      '/auth/x',
      expressApp(express, (app, campus) => {
        const callback = new Koa().use(campus.middleware()).callback();
        app.use('/auth', (req, res) => void callback(req, res));
      }),
    ],
    [
      'Express 5, a pattern',
      /^campus is mounted under \/courses, /,
      '/courses',
      expressApp(express, (app, campus) => app.use('/{*path}', campus.handler())),
    ],
    ['Connect, a path', underAuth, `/auth${discovery}?a=b`, connectHost],
    ['koa-mount', underAuth, '/auth/courses', koaApp((app, campus) => app.use(mount('/auth', campus.middleware())))],
    [
      'koa-mount, the path itself',
      underAuth,
      '/auth?a=b',
      koaApp((app, campus) => app.use(mount('/auth', campus.middleware()))),
    ],
    [
      '@koa/router, router.use',
      inRouter,
      '/courses',
      koaApp((app, campus) =>
        app.use(routerOf((router) => router.use(campus.middleware()).get('/courses', () => {})).routes()),
      ),
    ],
    [
      '@koa/router, router.use with a path',
      inRouter,
      '/auth/courses',
      koaApp((app, campus) =>
        app.use(routerOf((router) => router.use('/auth', campus.middleware()).get('/auth/courses', () => {})).routes()),
      ),
    ],
    [
      '@koa/router, a route under a prefix',
      inRouter,
      '/auth/x',
      koaApp((app, campus) => app.use(new Router({ prefix: '/auth' }).all('/{*path}', campus.middleware()).routes())),
    ],
    [
      '@koa/router, one router in another',
      inRouter,
      '/auth/courses',
      koaApp((app, campus) => {
        const inner = routerOf((router) => router.use(campus.middleware()).get('/courses', () => {}));
        app.use(routerOf((router) => router.use('/auth', inner.routes())).routes());
      }),
    ],
  ])('%s', async (_name, message, path, app) => {
    schools = await startSchools({ app });
    await get('/');
    for (let i = 0; i < 3; i += 1) await get(path);
    expect(schools.faults).toEqual([{ message: expect.stringMatching(message), cause: expect.any(Error) }]);
    expect(String(schools.faults[0]?.cause)).toMatch(/mount (?:it|campus) .*app\.use\(campus\.middleware\(\)\)$/);
  });
});

describe('a right mount is no fault', () => {
  test.each<[string, (campus: Campus) => HostApp]>([
    ['Express 5, an application', expressApp(express, (app, campus) => app.use(express().use(campus.handler())))],
    ['Express 4, an application', expressApp(express4, (app, campus) => app.use(express4().use(campus.handler())))],
    ['Express 5, a router', expressApp(express, (app, campus) => app.use(express.Router().use(campus.handler())))],
    ['Express 5, a route', expressApp(express, (app, campus) => app.all('/{*path}', campus.handler()))],
    [
      'Express 5, an application of one host name',
      expressApp(express, (app, campus) => {
        const school = express().use(campus.handler());
        app.use((req, res, next) => (req.hostname === 'localhost' ? school(req, res, next) : next()));
      }),
    ],
    [
      'Express 5, an address that the host rewrites',
      expressApp(express, (app, campus) => {
        app.use((req, _res, next) => {
          req.url = req.url.replace(/^\/old/, '');
          next();
        });
        app.use(campus.handler());
      }),
    ],
    ['Connect', connectHost],
    [
      'Koa behind a mounted application that passes on',
      koaApp((app, campus) => app.use(mount('/courses', async (_ctx, next) => next())).use(campus.middleware())),
    ],
    [
      'Koa behind a router',
      koaApp((app, campus) =>
        app
          .use(routerOf((router) => router.get('/courses', async (_ctx, next) => next())).routes())
          .use(campus.middleware()),
      ),
    ],
    [
      'Koa, a route for every path',
      koaApp((app, campus) => app.use(routerOf((router) => router.all('/{*path}', campus.middleware())).routes())),
    ],
    [
      'Koa, router.use in front of a route for every path',
      koaApp((app, campus) =>
        app.use(routerOf((router) => router.use(campus.middleware()).all('/{*path}', () => {})).routes()),
      ),
    ],
  ])('%s', async (_name, app) => {
    schools = await startSchools({ app });
    for (const path of ['/auth/courses', '/old/courses', '/courses']) await get(path);
    expect(await get(discovery)).toBe(200);
    expect(schools.faults).toEqual([]);
  });
});
