import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createCampus } from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { openTelemetry } from 'campus-oidc/opentelemetry';
import Koa from 'koa';
import { metricsUrl } from './sdk.ts';

// The minimal server, observed: spans on the console, metrics for Prometheus.
const origin = `http://localhost:${process.env.PORT ?? 3000}`;
const school = { id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true };
const sam = { id: 'sam', name: 'Sam Rivera', email: 'sam@example.com', roles: ['student'] };
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

const campus = createCampus({
  platform: {
    findSite: (asked) => (asked === origin ? school : undefined),
    signedInMember: () => ({ memberId: sam.id }),
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
      scopes: ['openid', 'profile', 'email'],
    },
  ],
  telemetry: openTelemetry(),
});

const app = new Koa();
app.use(campus.middleware());
app.listen(new URL(origin).port, () => console.log(`${origin}/.well-known/openid-configuration\n${metricsUrl}`));
