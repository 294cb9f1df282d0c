import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { All, ConflictException, Controller, Module, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getRequestListener } from '@hono/node-server';
import { Router } from '@koa/router';
import express from 'express';
import express4 from 'express-4';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import Koa from 'koa';
import Koa2 from 'koa-2';
import type { ProxyOptions } from '../../lib/http/proxy-options.ts';
import type { Campus, ClientAudience, Guard, GuardOptions, Site } from '../../lib/index.ts';
import type { TokenOf } from '../../lib/core/clients/client.ts';
import type { HostApp } from '../helpers/schools.ts';
import { hostApp } from './frameworks.ts';

type Token = TokenOf<ClientAudience> | undefined;

/** A route of the host behind a guard. */
export interface GuardedRoute {
  readonly requires?: GuardOptions<ClientAudience>;
  /** What the host sets itself, in front of the guard. */
  readonly allowedOrigin?: string;
  /** The host responds with 409, in the way of its framework. */
  readonly fails?: boolean;
}

/** A host with guarded routes by their paths, and `/api/school`, which has no guard and says at which school it is. */
export type Mount = (campus: Campus, routes: Readonly<Record<string, GuardedRoute>>, proxy?: ProxyOptions) => HostApp;

const responseTo = (token: Token): object => ({
  clientId: token?.clientId ?? null,
  ...(token?.member && { member: token.member.id }),
  ...(token && { site: token.site.id, scopes: token.scopes }),
});
const school = (site: Site | undefined): object => ({ name: site?.name ?? null });
const conflict = 'of the host';

function koaMount(version: typeof Koa): Mount {
  return (campus, routes, { proxy = false, maxIpsCount = 1 } = {}) => {
    const app = new version({ proxy, maxIpsCount });
    app.silent = true;
    const router = new Router();
    for (const [path, { requires, allowedOrigin, fails }] of Object.entries(routes)) {
      router.use(path, async (ctx, next) => {
        if (allowedOrigin !== undefined) ctx.set('Access-Control-Allow-Origin', allowedOrigin);
        await next();
      });
      router.all(path, campus.requireAccess<ClientAudience>({ ...requires }), (ctx) => {
        if (fails) ctx.throw(409, conflict);
        ctx.body = responseTo(ctx.state.token);
      });
    }
    router.get('/api/school', async (ctx) => void (ctx.body = school(await campus.siteOf(ctx))));
    return app.use(campus.middleware()).use(router.routes());
  };
}

function guardsOf(
  campus: Campus,
  routes: Readonly<Record<string, GuardedRoute>>,
  proxy?: ProxyOptions,
): [string, GuardedRoute, Guard<Token>][] {
  return Object.entries(routes).map(([path, route]) => [
    path,
    route,
    campus.guard<ClientAudience>({ ...route.requires, ...proxy }),
  ]);
}

const nodeMount: Mount = (campus, routes, proxy) => {
  const guards = new Map(guardsOf(campus, routes, proxy).map(([path, ...guarded]) => [path, guarded]));
  const handle = campus.handler(proxy);
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const send = (body: object): void => {
      res.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    };
    const path = req.url?.split('?', 1)[0] ?? '';
    if (path === '/api/school') return send(school(await campus.siteOf(req, proxy)));
    const found = guards.get(path);
    if (!found) return void res.writeHead(404).end();
    const [{ allowedOrigin, fails }, guard] = found;
    if (allowedOrigin !== undefined) res.setHeader('Access-Control-Allow-Origin', allowedOrigin);
    guard(req, res, () => (fails ? res.writeHead(409).end(conflict) : send(responseTo(guard.tokenOf(req)))));
  };
  return hostApp((req, res) => handle(req, res, () => void serve(req, res)));
};

function expressMount(version: typeof express): Mount {
  return (campus, routes, proxy) => {
    const app = version();
    app.disable('x-powered-by');
    if (proxy?.proxy) app.set('trust proxy', 1);
    app.use(campus.handler());
    for (const [path, { requires, allowedOrigin, fails }] of Object.entries(routes)) {
      const guard = campus.guard<ClientAudience>({ ...requires });
      if (allowedOrigin !== undefined)
        app.use(path, (_req, res, next) => {
          res.set('Access-Control-Allow-Origin', allowedOrigin);
          next();
        });
      app.use(path, guard);
      app.all(path, (req, res) => {
        if (fails) throw Object.assign(new Error(conflict), { status: 409 });
        res.json(responseTo(guard.tokenOf(req)));
      });
    }
    app.get('/api/school', async (req, res) => void res.json(school(await campus.siteOf(req))));
    return hostApp(app);
  };
}

const fastifyMount: Mount = (campus, routes, proxy) => {
  const app = fastify();
  const handle = campus.handler(proxy);
  app.addHook('onRequest', (request, reply, done) => handle(request.raw, reply.raw, done));
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  for (const [url, { allowedOrigin, fails }, guard] of guardsOf(campus, routes, proxy)) {
    app.route({
      url,
      method: ['GET', 'HEAD', 'POST', 'OPTIONS'],
      exposeHeadRoute: false,
      onRequest: (request, reply, done) => {
        if (allowedOrigin !== undefined) reply.raw.setHeader('Access-Control-Allow-Origin', allowedOrigin);
        guard(request.raw, reply.raw, done);
      },
      handler: async (request) => {
        if (fails) throw Object.assign(new Error(conflict), { statusCode: 409 });
        return responseTo(guard.tokenOf(request.raw));
      },
    });
  }
  app.get('/api/school', async ({ raw }) => school(await campus.siteOf(raw, proxy)));
  const ready = async (): Promise<RequestListener> => {
    await app.ready();
    return (req, res) => app.routing(req, res);
  };
  return hostApp(ready());
};

const nestMount: Mount = (campus, routes, proxy) => {
  const guards = guardsOf(campus, routes);
  class Api {
    respond(this: void, req: express.Request): object | Promise<object> {
      if (req.path === '/api/school') return campus.siteOf(req).then(school);
      const [, route, guard] = guards.find(([path]) => path === req.path) ?? [];
      if (!guard) throw new Error(req.path);
      if (route?.fails) throw new ConflictException(conflict);
      return responseTo(guard.tokenOf(req));
    }
  }
  class School {
    readonly name = 'Harbour School';
  }
  Controller('api')(Api);
  All(':name')(Api.prototype, 'respond', { value: Api.prototype.respond });
  Req()(Api.prototype, 'respond', 0);
  Module({ controllers: [Api] })(School);
  const start = async (): Promise<RequestListener> => {
    const app = await NestFactory.create<NestExpressApplication>(School, { logger: false });
    if (proxy?.proxy) app.set('trust proxy', 1);
    app.use(campus.handler());
    for (const [path, { allowedOrigin }, guard] of guards) {
      if (allowedOrigin !== undefined)
        app.use(path, (_req: unknown, res: express.Response, next: () => void) => {
          res.set('Access-Control-Allow-Origin', allowedOrigin);
          next();
        });
      app.use(path, guard);
    }
    await app.init();
    return app.getHttpAdapter().getInstance();
  };
  return hostApp(start());
};

/** Else the files that run after this one in the same process would have other classes. */
const listenerOptions = { overrideGlobalObjects: false };

const honoMount: Mount = (campus, routes, proxy) => {
  const app = new Hono<{ Variables: { token: Token } }>();
  for (const [path, { allowedOrigin, fails }, guard] of guardsOf(campus, routes, proxy)) {
    if (allowedOrigin !== undefined) app.use(path, cors({ origin: () => allowedOrigin }));
    app.use(path, async (c, next) => {
      const passed = await guard(c.req.raw);
      if (passed instanceof Response) return passed;
      c.set('token', passed.token);
      await next();
      if (allowedOrigin === undefined)
        for (const [name, value] of Object.entries(passed.headers)) c.header(name, value);
      return undefined;
    });
    app.all(path, (c) => {
      if (fails) throw new HTTPException(409, { message: conflict });
      return c.json(responseTo(c.get('token')));
    });
  }
  app.get('/api/school', async (c) => c.json(school(await campus.siteOf(c.req.raw, proxy))));
  const handle = campus.handler(proxy);
  const listener = getRequestListener(app.fetch, listenerOptions);
  return hostApp((req, res) => handle(req, res, () => void listener(req, res)));
};

const webMount: Mount = (campus, routes, proxy) => {
  const guards = new Map(guardsOf(campus, routes, proxy).map(([path, ...guarded]) => [path, guarded]));
  const respond = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/school') return Response.json(school(await campus.siteOf(request, proxy)));
    const found = guards.get(pathname);
    if (!found) return new Response(null, { status: 404 });
    const [{ allowedOrigin, fails }, guard] = found;
    const passed = await guard(request);
    const response =
      passed instanceof Response
        ? passed
        : fails
          ? new Response(conflict, { status: 409, headers: passed.headers })
          : Response.json(responseTo(passed.token), { headers: passed.headers });
    if (allowedOrigin !== undefined) response.headers.set('Access-Control-Allow-Origin', allowedOrigin);
    return response;
  };
  const handle = campus.handler(proxy);
  const listener = getRequestListener(respond, listenerOptions);
  return hostApp((req, res) => handle(req, res, () => void listener(req, res)));
};

export const mounts: Readonly<Record<string, Mount>> = {
  'Koa 3': koaMount(Koa),
  'Koa 2': koaMount(Koa2),
  'node:http': nodeMount,
  'Express 5': expressMount(express),
  'Express 4': expressMount(express4),
  Fastify: fastifyMount,
  Nest: nestMount,
  Hono: honoMount,
  'a web handler': webMount,
};
