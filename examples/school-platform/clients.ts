import type { StaticClient } from 'campus-oidc';

/** The platform's own applications. They exist at Harbour School only. */
export const demoClients: readonly StaticClient[] = [
  {
    clientId: 'harbour-member-app',
    clientName: 'Harbour Pocket',
    audience: 'member',
    redirectUris: ['http://127.0.0.1/callback'],
    scopes: ['openid', 'profile', 'email', 'account:read', 'account:write'],
    sites: ['harbour'],
  },
  {
    clientId: 'harbour-reports',
    clientName: 'Harbour Reports',
    audience: 'operator',
    clientSecret: 'demo-secret',
    redirectUris: ['http://127.0.0.1/callback'],
    scopes: ['openid', 'profile', 'email', 'courses:read', 'students:read', 'orders:read'],
    sites: ['harbour'],
  },
];
