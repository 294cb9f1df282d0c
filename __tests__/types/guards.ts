// Compiles only if a guard is a middleware of each framework as it is, and its token has the types of the platform.
import type { Campus, VerifiedToken } from 'campus-oidc';
import express from 'express';
import express4 from 'express-4';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { type Person, same, type School } from './support.ts';

declare const campus: Campus<School, Person>;
const readsCourses = campus.guard({ scopes: ['courses:read'] });
const forAnyone = campus.guard({ anonymous: true });

for (const version of [express, express4]) {
  version()
    .use('/api', readsCourses, forAnyone)
    .get('/api/courses', readsCourses, async (req, res) => {
      res.json({ born: readsCourses.tokenOf(req).member.birthYear, plan: (await campus.siteOf(req))?.plan });
    });
}

fastify()
  .addHook('onRequest', (request, reply, done) => readsCourses(request.raw, reply.raw, done))
  .get('/api/courses', async ({ raw }) => ({ born: readsCourses.tokenOf(raw).member.birthYear }));

new Hono().use(async (c, next) => {
  const passed = await readsCourses(c.req.raw);
  if (passed instanceof Response) return passed;
  same<typeof passed.token, VerifiedToken<School, Person>>(true);
  const other = await forAnyone(c.req.raw);
  // @ts-expect-error it may be anonymous
  if (!(other instanceof Response)) c.header('X-Client', other.token.clientId);
  return next();
});
