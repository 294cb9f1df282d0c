import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { authorizeUrl, type Changes, pkce } from '../helpers/flow.ts';
import type { Browser } from '../helpers/browser.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

// What a form would write in another way: a plus and %20, a colon and a slash, a name alone, names twice, a lower-case %2f, an `&` at the end.
const addresses = [
  'https://queries.example/callback?tenant&next=/a%20b:c+d&x=1&x=2&low=%2f',
  'https://queries.example/callback?x=1&',
  'https://queries.example/callback?',
  'https://queries.example/callback',
  'com.queries.app:/callback?a=b%20c',
  'http://127.0.0.1/callback?a=b%20c',
];

let schools: Schools;
let browser: Browser;
beforeAll(async () => {
  const client = { clientId: 'queries', clientName: 'Queries', audience: 'member', scopes: ['openid'] } as const;
  schools = await startSchools({ campus: { clients: [{ ...client, redirectUris: addresses }] } });
});
beforeEach(() => {
  browser = schools.browser('sam');
});
afterAll(() => schools.close());

/** Sends a browser to the authorization endpoint; returns the parameters that come behind the redirect URI. */
async function responseAt(
  redirectUri: string,
  changes: Changes = {},
  decision: 'allow' | 'deny' = 'allow',
): Promise<URLSearchParams> {
  const client = { id: 'queries', redirectUri, scope: 'openid' };
  const url = authorizeUrl(schools.harbour, client, pkce(), { state: 'a b', ...changes });
  const stop = await browser.follow(url);
  const { response } = stop.html === '' ? stop : await browser.decide(stop, decision);
  const location = response.headers.get('location') ?? '';
  expect(location.slice(0, redirectUri.length)).toBe(redirectUri);
  const [, joint = '', added] = /^([?&]?)(.*)$/.exec(location.slice(redirectUri.length)) ?? [];
  expect(joint).toBe(/[?&]$/.test(redirectUri) ? '' : redirectUri.includes('?') ? '&' : '?');
  return new URLSearchParams(added);
}

test.each(addresses)('a code comes back to %s as it was registered', async (redirectUri) => {
  const code = await responseAt(redirectUri);
  expect([...code.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
  expect(code.get('state')).toBe('a b');
});

test.each(addresses)('who says no comes back to %s as it was registered', async (redirectUri) => {
  const denied = await responseAt(redirectUri, {}, 'deny');
  expect(denied.get('error')).toBe('access_denied');
});

test.each([
  ['of ours', { max_age: 'x' }, 'invalid_request'],
  ['of the engine', { prompt: 'none login' }, 'invalid_request'],
  ['of the engine, in our words', { request: 'x' }, 'request_not_supported'],
  ['that names a scope', { scope: 'openid account:read' }, 'invalid_scope'],
  ['for another response mode', { response_mode: 'form_post' }, 'unsupported_response_mode'],
])('an error %s', async (_which, changes, error) => {
  for (const redirectUri of addresses) {
    const response = await responseAt(redirectUri, changes);
    expect([...response.keys()].toSorted()).toEqual(['error', 'error_description', 'iss', 'state']);
    expect(response.get('error')).toBe(error);
  }
});
