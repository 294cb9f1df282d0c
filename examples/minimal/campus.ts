// campus.ts
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createCampus } from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';

export const origin = `http://localhost:${process.env.PORT ?? 3000}`;
const school = { id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true };
const sam = { id: 'sam', name: 'Sam Rivera', email: 'sam@example.com', roles: ['student'] };
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

export const campus = createCampus({
  platform: {
    findSite: (asked) => (asked === origin ? school : undefined), // your schools, by origin
    signedInMember: () => ({ memberId: sam.id }), // your session: who is signed in, or undefined
    signInUrl: (_ctx, _site, returnTo) => `${origin}/sign-in?return_to=${encodeURIComponent(returnTo)}`,
    findMember: (_site, memberId) => (memberId === sam.id ? sam : undefined), // your member database
  },
  store: memoryStore(),
  keys: { signing: [{ ...key, alg: 'ES256', kid: '2026-11' }], cookies: [randomUUID()] },
  clients: [
    {
      clientId: 'pocket-app',
      clientName: 'Pocket App',
      audience: 'member',
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: ['openid', 'profile', 'email'],
    },
  ],
});
