import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { errorCodes } from '../../lib/describe/error-codes.ts';
import { paths } from '../../lib/http/paths.ts';
import { memberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { validQuery } from './authorize-requests.ts';
import { readDescription } from './description.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools();
});
afterAll(() => schools.close());

/** Changes to a valid request, the error at the redirect URI, and who is signed in. */
const requests: readonly [Readonly<Record<string, string>>, string, ('sam' | undefined)?][] = [
  [{ code_challenge: 'short' }, 'invalid_request', 'sam'],
  [{ state: 'x'.repeat(2001) }, 'invalid_request', 'sam'],
  [{ scope: 'nope' }, 'invalid_scope', 'sam'],
  [{ resource: 'https://other.example' }, 'invalid_target', 'sam'],
  [{ response_type: 'none' }, 'unsupported_response_type', 'sam'],
  [{ response_type: 'token' }, 'unsupported_response_type', 'sam'],
  [{ response_mode: 'fragment' }, 'unsupported_response_mode', 'sam'],
  [{ request: 'e30.e30.' }, 'request_not_supported', 'sam'],
  [{ request_uri: 'https://other.example/r' }, 'request_uri_not_supported', 'sam'],
  [{ registration: '{}' }, 'registration_not_supported', 'sam'],
  [{ prompt: 'none' }, 'login_required', undefined],
  [{ prompt: 'none' }, 'consent_required', 'sam'],
];

/** Every error code that is sent to the redirect URI. */
const redirected = errorCodes.filter((code) => code.redirected).map(({ error }) => error);

test.each(requests)(
  'GET /oauth/authorize with %j redirects with %s, which errorCodes lists',
  async (changes, error, person) => {
    const url = new URL(paths.authorize, schools.harbour);
    url.search = new URLSearchParams({ ...validQuery(schools.harbour), ...changes }).toString();
    const response = await schools.browser(person).fetch(url);
    const [to, query, more] = (response.headers.get('location') ?? '').split(/[?#]/);
    expect([response.status, to, more]).toEqual([303, memberApp.redirectUri, undefined]);
    expect(new URLSearchParams(query).get('error')).toBe(error);
    expect(redirected).toContain(error);
  },
);

test('a person who denies consent causes access_denied; errorCodes lists no other redirected errors', async () => {
  const url = new URL(paths.authorize, schools.harbour);
  url.search = new URLSearchParams(validQuery(schools.harbour)).toString();
  const browser = schools.browser('sam');
  const { url: end } = await browser.decide(await browser.follow(url), 'deny');
  const error = end.searchParams.get('error') ?? '';
  expect([...new Set([...requests.map(([, each]) => each), error])].toSorted()).toEqual(redirected.toSorted());
});

test('OpenAPI lists the redirected errors at the authorization endpoint', async () => {
  const { paths: described } = await readDescription(schools.harbour);
  const text = described[paths.authorize]?.['get']?.description;
  for (const error of redirected) expect(text).toContain(`- \`${error}\`: `);
});
