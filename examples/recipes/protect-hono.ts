// protect-hono.ts
import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { VerifiedToken } from 'campus-oidc';
import { callCourses } from './call-courses.ts';
import { createHarbour, origin } from './harbour.ts';

const campus = createHarbour({});
const guard = campus.guard({ scopes: ['courses:read'] });
const readsCourses = createMiddleware<{ Variables: { token: VerifiedToken } }>(async (c, next) => {
  const passed = await guard(c.req.raw);
  if (passed instanceof Response) return passed;
  c.set('token', passed.token);
  await next();
  for (const [name, value] of Object.entries(passed.headers)) c.header(name, value);
  return c.res;
});

const app = new Hono();
app.options('/api/*', readsCourses);
app.get('/api/courses', readsCourses, (c) => {
  const { member, clientId } = c.get('token');
  return c.json({ courses: ['Knots'], requestedBy: member.id, through: clientId });
});

const handle = campus.handler();
const listener = getRequestListener(app.fetch);
const server = createServer((req, res) => handle(req, res, () => void listener(req, res)));
server.listen(new URL(origin).port);
await once(server, 'listening');
await callCourses(campus);
server.close();
