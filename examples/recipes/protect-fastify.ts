// protect-fastify.ts
import { fastify } from 'fastify';
import { callCourses } from './call-courses.ts';
import { createHarbour, origin } from './harbour.ts';

const campus = createHarbour({});
const handle = campus.handler();
const readsCourses = campus.guard({ scopes: ['courses:read'] });
const app = fastify();
app.addHook('onRequest', (request, reply, done) => handle(request.raw, reply.raw, done));
app.register(async (api) => {
  api.addHook('onRequest', (request, reply, done) => readsCourses(request.raw, reply.raw, done));
  api.options('/api/*', async () => ''); // so that the guard sees what browsers ask first
  api.get('/api/courses', async (request) => {
    const { member, clientId } = readsCourses.tokenOf(request.raw);
    return { courses: ['Knots'], requestedBy: member.id, through: clientId };
  });
});

await app.listen({ port: Number(new URL(origin).port) });
await callCourses(campus);
await app.close();
