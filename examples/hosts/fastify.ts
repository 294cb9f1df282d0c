import { fastify } from 'fastify';
import { campus, courses, port, started } from './campus.ts';

const app = fastify();
const handle = campus.handler({ proxy: false }); // true if a proxy in front sets X-Forwarded-*
app.addHook('onRequest', (request, reply, done) => handle(request.raw, reply.raw, done));
app.get('/courses', async () => courses);
await app.listen({ port });
started();
