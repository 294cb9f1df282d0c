// campus.ts
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createCampus } from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { defineTool, mcp } from 'campus-oidc/mcp';
import { loopbackClients } from 'campus-oidc/policies';

export const origin = `http://localhost:${process.env.PORT ?? 3000}`;
const school = { id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true };
const olivia = { id: 'olivia', name: 'Olivia Marsh', email: 'olivia@example.com', roles: ['owner'] };
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

const listCourses = defineTool({
  name: 'list_courses',
  description: 'Lists the courses of this school.',
  access: { scopes: ['courses:read'] },
  run: (_arguments, { site }) => `Courses of ${site.name}: Knots, Tides`, // your course database
});

export const campus = createCampus({
  platform: {
    findSite: (asked) => (asked === origin ? school : undefined), // your schools, by origin
    signedInMember: () => ({ memberId: olivia.id }), // your session: who is signed in, or undefined
    signInUrl: (_ctx, _site, returnTo) => `${origin}/sign-in?return_to=${encodeURIComponent(returnTo)}`,
    findMember: (_site, memberId) => (memberId === olivia.id ? olivia : undefined), // your member database
  },
  store: memoryStore(),
  keys: { signing: [{ ...key, alg: 'ES256', kid: '2026-11' }], cookies: [randomUUID()] },
  registration: [loopbackClients()], // apps on a person's own computer, such as Claude Code, get in
  mcp: mcp({ tools: [listCourses] }), // for AI assistants; leave it out if you have no tools
});
