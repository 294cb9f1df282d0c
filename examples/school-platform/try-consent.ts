import type { Site } from 'campus-oidc';
import type { Html } from './html.ts';
import { messagePage } from './pages.ts';

/**
 * An authorization request like that of Harbour Pocket, to see the consent page without an application. The challenge
 * has no known verifier, so the code cannot be redeemed. The redirect URI is this demo under its other name.
 */
export function consentUrl({ origin }: Site): string {
  const url = new URL('/oauth/authorize', origin);
  const callback = new URL('/callback', origin);
  callback.hostname = '127.0.0.1';
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: 'harbour-member-app',
    redirect_uri: callback.href,
    scope: 'openid profile email account:read account:write',
    resource: origin,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'demo',
  }).toString();
  return url.href;
}

/** Stands in for the application's redirect URI. */
export function callbackPage(query: URLSearchParams): Html {
  return query.has('code')
    ? messagePage('Allowed', 'An application would now exchange the code in this URL for tokens.')
    : messagePage('Not allowed', `The application receives the error: ${query.get('error') ?? 'nothing'}.`);
}
