import type { Site } from 'campus-oidc';
import type { Html } from './html.ts';
import { messagePage } from './pages.ts';

/**
 * An authorization request as Harbour Pocket would send it, but with a challenge that nobody has the verifier of: the
 * consent page can be seen without an application. Its redirect URI is this demo at its other name.
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

/** Where an application would be now. */
export function callbackPage(answer: URLSearchParams): Html {
  return answer.has('code')
    ? messagePage('Allowed', 'An application would now exchange the code in this address for tokens.')
    : messagePage('Not allowed', `The application is told: ${answer.get('error') ?? 'nothing'}.`);
}
