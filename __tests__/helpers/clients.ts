import type { ResourceServer, StaticClient } from '../../lib/index.ts';

/** Clients of the test schools. */
export const testClients = [
  {
    clientId: 'member-app',
    clientName: 'Pocket School',
    audience: 'member',
    redirectUris: ['http://127.0.0.1/callback'],
    scopes: ['openid', 'profile', 'email', 'account:read', 'account:write'],
    sites: ['harbour'],
  },
  {
    clientId: 'reports',
    clientName: 'Reports',
    audience: 'operator',
    redirectUris: ['https://reports.example/callback'],
    scopes: ['openid', 'profile', 'email', 'courses:read', 'courses:write', 'orders:read'],
    clientSecret: 'reports-secret',
    clientUri: 'https://reports.example',
    sites: ['harbour'],
  },
  {
    clientId: 'web-member-app',
    clientName: 'Study Buddy',
    audience: 'member',
    redirectUris: ['https://buddy.example/callback', 'https://buddy.example/other'],
    scopes: ['openid', 'profile', 'email', 'account:read', 'account:write'],
    clientSecret: 'buddy-secret',
    clientUri: 'https://buddy.example',
  },
] as const satisfies readonly StaticClient[];

/** A gateway of Harbour School that introspects. */
export const testResourceServers = [
  { clientId: 'gateway', clientSecret: 'gateway-secret', sites: ['harbour'] },
] as const satisfies readonly ResourceServer[];
