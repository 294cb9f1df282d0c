// school.ts
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createCampus } from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { defineTool, mcp } from 'campus-oidc/mcp';
import { loopbackClients } from 'campus-oidc/policies';
import Koa from 'koa';

const origin = `http://localhost:${process.env.PORT ?? 3000}`;
const school = { id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true };
const olivia = { id: 'olivia', name: 'Olivia Marsh', email: 'olivia@example.com', roles: ['owner'] };
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

const listCourses = defineTool({
  name: 'list_courses',
  description: 'Lists the courses of this school.',
  access: { scopes: ['courses:read'] },
  run: (_arguments, { site }) => `Courses of ${site.name}: Knots, Tides`, // your course database
});

const campus = createCampus({
  platform: {
    findSite: (asked) => (asked === origin ? school : undefined), // your schools, by origin
    findMember: (_site, memberId) => (memberId === olivia.id ? olivia : undefined), // your members
    signedInMember: () => ({ memberId: olivia.id }), // your session: who is signed in
    signInUrl: (_ctx, _site, returnTo) => `${origin}/sign-in?return_to=${encodeURIComponent(returnTo)}`,
  },
  store: memoryStore(), // Redis, PostgreSQL or SQLite in production
  keys: { signing: [{ ...key, alg: 'ES256', kid: '2026-11' }], cookies: [randomUUID()] },
  registration: [loopbackClients()], // lets apps on a person's own computer register
  mcp: mcp({ tools: [listCourses] }), // optional: tools for AI assistants
});

const app = new Koa();
app.use(campus.middleware()); // Express, Fastify, Nest, Hono and node:http: campus.handler()
app.listen(new URL(origin).port, () => console.log(`${origin}/mcp/operator`));
