import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { type Campus, createCampus } from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { defineTool, mcp } from 'campus-oidc/mcp';

export const port = Number(process.env.PORT ?? 3000);
const origin = `http://localhost:${port}`;
const school = { id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true };
const sam = { id: 'sam', name: 'Sam Rivera', email: 'sam@example.com', roles: ['student'] };
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

export const courses: readonly string[] = ['Knots and splices'];

/** One school, in which Sam is always signed in. */
export const campus: Campus = createCampus({
  platform: {
    findSite: (asked) => (asked === origin ? school : undefined),
    signedInMember: () => ({ memberId: sam.id }), // or your session: `ctx.req` is the request of your framework
    signInUrl: (_ctx, _site, returnTo) => `${origin}/sign-in?return_to=${encodeURIComponent(returnTo)}`,
    findMember: (_site, memberId) => (memberId === sam.id ? sam : undefined),
  },
  store: memoryStore(),
  keys: { signing: [{ ...key, alg: 'ES256', kid: '2026-11' }], cookies: [randomUUID()] },
  clients: [
    {
      clientId: 'pocket-app',
      clientName: 'Pocket App',
      audience: 'member',
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: ['openid', 'profile', 'email', 'account:read'],
    },
  ],
  mcp: mcp({
    tools: [
      defineTool({
        name: 'list_courses',
        description: 'Lists the courses of the school.',
        access: 'public',
        run: () => courses.join('\n'),
      }),
    ],
  }),
});

/** Prints where to begin. */
export function started(): void {
  console.log(`${origin}/auth.md`);
}
