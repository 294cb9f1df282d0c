import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decisionsOn } from '../helpers/browser.ts';
import { expectError, redirectQuery } from '../helpers/responses.ts';
import { authorizeUrl, jsonResponse, pkce, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools();
});
afterAll(() => schools.close());

const { redirectUri } = webMemberApp;

/** An ordinary request with more of one parameter. */
function repeating(name: string, ...values: string[]): URL {
  const url = authorizeUrl(schools.harbour, webMemberApp, pkce());
  for (const value of values) url.searchParams.append(name, value);
  return url;
}

const accept = { accept: 'application/json' };

test.each([
  ['client_id', 'web-member-app'],
  ['client_id', 'reports'],
  ['redirect_uri', redirectUri],
  ['redirect_uri', 'https://evil.example/callback'],
])('%s twice (%s) is invalid_request, and never a redirect', async (name, value) => {
  const response = await schools.browser().fetch(repeating(name, value), { headers: accept });
  expect(response.headers.get('location')).toBeNull();
  expectError(await jsonResponse(response), 400, 'invalid_request');
});

test.each([
  ['response_type', ['code']],
  ['response_type', ['token']],
  ['scope', ['openid']],
  ['scope', ['courses:write']],
  ['code_challenge', ['a'.repeat(43)]],
  ['code_challenge_method', ['S256']],
  ['code_challenge_method', ['plain']],
  ['nonce', ['another']],
  ['prompt', ['none', 'login']],
  ['max_age', ['1', '2']],
  ['login_hint', ['sam', 'olivia']],
  ['id_token_hint', ['a', 'b']],
  ['ui_locales', ['de', 'fr']],
  ['acr_values', ['1', '2']],
  ['display', ['page', 'popup']],
  ['response_mode', ['query', 'query']],
  ['response_mode', ['form_post', 'form_post']],
])('%s with %j more is invalid_request', async (name, values) => {
  const query = redirectQuery(await schools.browser('sam').fetch(repeating(name, ...values)), redirectUri);
  expect(query).toMatchObject({ error: 'invalid_request', state: 'the-state', iss: schools.harbour });
  expect(query['error_description']).toContain(name);
});

test('resource twice is invalid_request', async () => {
  for (const value of [schools.harbour, `${schools.harbour}/`]) {
    const query = redirectQuery(await schools.browser('sam').fetch(repeating('resource', value)), redirectUri);
    expect(query).toMatchObject({ error: 'invalid_request', state: 'the-state', iss: schools.harbour });
  }
});

test('resource with a foreign one beside it gives an error, not a code', async () => {
  for (const value of [schools.summit, 'https://evil.example']) {
    const query = redirectQuery(await schools.browser('sam').fetch(repeating('resource', value)), redirectUri);
    expect(['invalid_request', 'invalid_target']).toContain(query['error']);
  }
});

test('state twice is invalid_request, and no state comes back', async () => {
  const query = redirectQuery(await schools.browser('sam').fetch(repeating('state', 'another')), redirectUri);
  expect(query['error']).toBe('invalid_request');
  expect(query).not.toHaveProperty('state');
});

test.each(['scope', 'resource', 'prompt', 'nonce', 'code_challenge', 'response_type'])(
  '%s twice, first empty, is an error all the same',
  async (name) => {
    const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { [name]: '' });
    const value = authorizeUrl(schools.harbour, webMemberApp, pkce()).searchParams.get(name) ?? 'consent';
    url.searchParams.append(name, value);
    const query = redirectQuery(await schools.browser('sam').fetch(url), redirectUri);
    expect(query['error']).toMatch(/^invalid_(?:request|target)$/);
  },
);

test('an unknown parameter twice is ignored', async () => {
  const stop = await schools.browser('sam').follow(repeating('utm_source', 'a', 'b'));
  expect(decisionsOn(stop.html)).toContain('allow');
});
