import type { StaticClient } from '../../lib/index.ts';
import { clientCredentials } from '../../lib/grant-types.ts';
import { testClients } from './clients.ts';
import { type Changes, clientFields, type JsonResponse, postForm, type TestClient } from './flow.ts';
import type { SchoolsOptions } from './schools.ts';

/** A service of the platform at Harbour School. */
export const sync = {
  clientId: 'sync',
  clientName: 'Nightly sync',
  audience: 'service',
  redirectUris: [],
  scopes: ['courses:read', 'courses:write', 'students:read'],
  clientSecret: 'sync-secret',
  sites: ['harbour'],
} as const satisfies StaticClient;

/** The same, as its developer knows it. */
export const syncApp: TestClient = {
  id: sync.clientId,
  redirectUri: '',
  secret: sync.clientSecret,
  scope: sync.scopes.join(' '),
};

/** Options of schools with services. */
export const withServices = {
  grants: [clientCredentials()],
  clients: [...testClients, sync],
} satisfies SchoolsOptions['campus'];

/** Requests a token for a service. */
export function serviceToken(
  origin: string,
  client: TestClient = syncApp,
  changes: Changes = {},
  headers?: Record<string, string>,
): Promise<JsonResponse> {
  const form = { grant_type: 'client_credentials', ...clientFields(client), ...changes };
  return postForm(`${origin}/api/oauth/token`, form, headers);
}
