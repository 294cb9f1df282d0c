import type { Schools } from '../helpers/schools.ts';
import type { TestClient } from '../helpers/flow.ts';
import { harbourSite } from '../helpers/sites.ts';

/** A client that an operator of Harbour School creates, so that it is in the store. */
export async function createStoredClient({ harbour: origin, campus }: Schools): Promise<TestClient> {
  const site = harbourSite(origin);
  const redirectUri = 'https://notes.example/callback';
  const scopes = ['openid', 'profile', 'email', 'account:read'] as const;
  const input = { clientName: 'Notes', redirectUris: [redirectUri], scopes, confidential: true };
  const { application, clientSecret = '' } = await campus.applications.create(site, input);
  return { id: application.clientId, redirectUri, secret: clientSecret, scope: scopes.join(' ') };
}
