import type { RequestListener } from 'node:http';
import { parse } from 'node:querystring';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import express4 from 'express-4';
import { fastify, type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import type { Campus } from '../../lib/index.ts';
import type { HostApp } from '../helpers/schools.ts';

/** A host with `/courses`, and `/echo` that returns a posted JSON body, around the handler of a campus. */
export type Framework = (campus: Campus) => HostApp;

/** A Node listener as a host application. */
export function hostApp(listener: RequestListener | Promise<RequestListener>): HostApp {
  return {
    callback: () => async (req, res) => (await listener)(req, res),
  };
}

function nodeHttp(campus: Campus): HostApp {
  const handle = campus.handler();
  return hostApp((req, res) =>
    handle(req, res, () => {
      res.statusCode = ['/courses', '/echo'].includes(req.url ?? '') ? 200 : 404;
      if (req.url === '/courses') res.end('courses');
      else req.pipe(res);
    }),
  );
}

/** An Express application; `prepare` mounts the campus and what is in front of it. */
export function expressApp(version: typeof express, prepare: (app: express.Express) => void): express.Express {
  const app = version();
  prepare(app);
  app.use(version.json());
  app.get('/courses', (_req, res) => void res.send('courses'));
  app.post('/echo', (req, res) => void res.json(req.body));
  return app;
}

function expressHost(version: typeof express, ...inFront: readonly express.RequestHandler[]): Framework {
  return (campus) => hostApp(expressApp(version, (app) => app.use(...inFront, campus.handler())));
}

const parsers = (version: typeof express, extended: boolean): express.RequestHandler[] => [
  version.json(),
  version.urlencoded({ extended }),
];

function fastifyHost(campus: Campus): HostApp {
  const app = fastify();
  const handle = campus.handler();
  app.addHook('onRequest', (request, reply, done) => handle(request.raw, reply.raw, done));
  return fastifyApp(app);
}

/** As in docs/guides/frameworks.md: behind the parsers, whose result is on Fastify's own request. */
function parsedFastifyHost(campus: Campus): HostApp {
  const app = fastify();
  const handle = campus.handler();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, parse(String(body))),
  );
  app.addHook('preHandler', (request, reply, done) => {
    Object.assign(request.raw, { body: request.body });
    handle(request.raw, reply.raw, done);
  });
  return fastifyApp(app);
}

function fastifyApp(app: FastifyInstance): HostApp {
  app.get('/courses', async () => 'courses');
  app.post('/echo', async (request) => request.body);
  const ready = async (): Promise<RequestListener> => {
    await app.ready();
    return (req, res) => app.routing(req, res);
  };
  return hostApp(ready());
}

class Courses {
  list(this: void): string {
    return 'courses';
  }
  echo(this: void, body: unknown): unknown {
    return body;
  }
}
class School {
  readonly name = 'Harbour School';
}
Controller()(Courses);
Get('courses')(Courses.prototype, 'list', { value: Courses.prototype.list });
Post('echo')(Courses.prototype, 'echo', { value: Courses.prototype.echo });
Body()(Courses.prototype, 'echo', 0);
Module({ controllers: [Courses] })(School);

function nestHost(parsed: boolean, rawBody = false): Framework {
  return (campus) => hostApp(nestListener(campus, parsed, rawBody));
}

async function nestListener(campus: Campus, parsed: boolean, rawBody: boolean): Promise<RequestListener> {
  const app = await NestFactory.create<NestExpressApplication>(School, { logger: false, rawBody });
  if (parsed) app.useBodyParser('json').useBodyParser('urlencoded', { extended: true });
  app.use(campus.handler());
  await app.init();
  return app.getHttpAdapter().getInstance();
}

function honoHost(campus: Campus): HostApp {
  const app = new Hono();
  app.get('/courses', (c) => c.text('courses'));
  app.post('/echo', async (c) => c.json(await c.req.json()));
  const handle = campus.handler();
  // Else the files that run after this one in the same process would have the classes of Hono.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return hostApp((req, res) => handle(req, res, () => void listener(req, res)));
}

/** Every framework, with its usual body parsers in front of the campus and without. */
export const frameworks: Readonly<Record<string, Framework>> = {
  'node:http': nodeHttp,
  'Express 5': expressHost(express),
  'Express 5, parsers in front': expressHost(express, ...parsers(express, false)),
  'Express 5, extended parsers in front': expressHost(express, ...parsers(express, true)),
  'Express 5, bodies as bytes': expressHost(express, express.raw({ type: '*/*' })),
  'Express 5, bodies as text': expressHost(express, express.text({ type: '*/*' })),
  'Express 4': expressHost(express4),
  'Express 4, parsers in front': expressHost(express4, ...parsers(express4, true)),
  Fastify: fastifyHost,
  'Fastify, parsers in front': parsedFastifyHost,
  Nest: nestHost(false),
  'Nest, parsers in front': nestHost(true),
  'Nest, parsers in front that keep the raw body': nestHost(true, true),
  Hono: honoHost,
};
