import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { SchoolPlatform } from '../../lib/index.ts';
import { expectError } from '../helpers/responses.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import {
  authorizeUrl,
  type Code,
  connect,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  jsonResponse,
  pkce,
  refresh,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const fault = 'SELECT * FROM members: connection to db.internal lost';

type PlatformMethod = 'findSite' | 'signedInMember' | 'signInUrl' | 'findMember';

/** What of the platform fails at the moment, and how. */
let failing: PlatformMethod | undefined;
let how: 'throws' | 'rejects';

/** Fails, if this method is the one that fails. */
function unlessFailing<R>(name: PlatformMethod, call: () => R): R | Promise<never> {
  if (failing !== name) return call();
  if (how === 'rejects') return Promise.reject(new Error(fault));
  throw new Error(fault);
}

const failingOnDemand = (platform: SchoolPlatform): SchoolPlatform => ({
  findSite: (...args) => unlessFailing('findSite', () => platform.findSite(...args)),
  signedInMember: (...args) => unlessFailing('signedInMember', () => platform.signedInMember(...args)),
  signInUrl: (...args) => unlessFailing('signInUrl', () => platform.signInUrl(...args)),
  findMember: (...args) => unlessFailing('findMember', () => platform.findMember(...args)),
});

let schools: Schools;
let tokens: JsonResponse;
let code: Code;
let page: Stop;
let browser: Browser;
beforeAll(async () => {
  schools = await startSchools({ wrapPlatform: failingOnDemand });
  browser = schools.browser('sam');
  tokens = await connect(browser, schools.harbour, webMemberApp);
  code = await getCode(browser, schools.harbour, webMemberApp);
  page = await browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'consent' }));
});
afterEach(() => {
  failing = undefined;
  schools.faults.length = 0;
});
afterAll(() => schools.close());

const headers = { accept: 'application/json' };
const get = async (url: string | URL, by = browser): Promise<JsonResponse> =>
  jsonResponse(await by.fetch(url, { headers }));
const request = (): URL => authorizeUrl(schools.harbour, webMemberApp, pkce());
const decision = (): URLSearchParams => new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow' });

const calls: Record<string, () => Promise<JsonResponse>> = {
  authorize: () => get(request()),
  'the interaction page': () => get(page.url),
  'the consent form': async () =>
    jsonResponse(await browser.fetch(page.url, { method: 'POST', body: decision(), headers })),
  'the interaction of a person who is to sign in': async () => {
    const signedOut = schools.browser();
    const first = await signedOut.fetch(request());
    return get(new URL(first.headers.get('location') ?? '', schools.harbour), signedOut);
  },
  'token, with a code': () => exchange(code),
  'token, with a refresh token': () => refresh(schools.harbour, webMemberApp, tokens.body['refresh_token']),
  introspect: () => introspect(schools.harbour, webMemberApp, tokens.body['access_token']),
  userinfo: () => userinfo(schools.harbour, tokens.body['access_token']),
};

const rows: [PlatformMethod, string[]][] = [
  ['signedInMember', ['authorize', 'the interaction page', 'the consent form']],
  ['signInUrl', ['the interaction of a person who is to sign in']],
  [
    'findMember',
    [
      'authorize',
      'the interaction page',
      'the consent form',
      'token, with a code',
      'token, with a refresh token',
      'introspect',
      'userinfo',
    ],
  ],
];

function expectFault(response: JsonResponse): void {
  expectError(response, 503, 'temporarily_unavailable');
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(response.headers.get('www-authenticate')).toBeNull();
  expect(response.headers.get('location')).toBeNull();
  expect(JSON.stringify([response.body, [...response.headers]])).not.toMatch(/SELECT|members|db\.internal/);
}

describe.each(rows)('while platform.%s fails', (method, names) => {
  describe.each(['throws', 'rejects'] as const)('(it %s)', (way) => {
    test.each(names)('%s is 503 temporarily_unavailable, and tells nothing of the cause', async (name) => {
      failing = method;
      how = way;
      const response = await calls[name]?.();
      if (response === undefined) throw new Error(`no call ${name}`);
      expectFault(response);
      expect(schools.faults).toContainEqual({ message: `platform.${method} failed`, cause: new Error(fault) });
    });
  });
});

test('a browser gets a page of the school that says so', async () => {
  failing = 'findMember';
  for (const url of [request(), page.url]) {
    const response = await browser.fetch(url);
    expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store']);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    const html = await response.text();
    expect(html).toContain('Harbour School');
    expect(html).not.toContain('SELECT');
  }
});

test('after the faults everything works as if nothing had been', async () => {
  expect((await exchange(code)).status).toBe(200);
  expect((await refresh(schools.harbour, webMemberApp, tokens.body['refresh_token'])).status).toBe(200);
  expect((await browser.decide(page, 'allow')).url.searchParams.get('code')).toBeTruthy();
});

test.each([
  '/oauth/authorize',
  '/oauth/interaction/x',
  '/api/oauth/token',
  '/api/oauth/revoke',
  '/api/oauth/introspect',
  '/api/oauth/userinfo',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource',
  '/.well-known/jwks.json',
])('while platform.findSite fails, %s is 503, and a moment later it is not', async (path) => {
  const own = await startSchools({ wrapPlatform: failingOnDemand });
  failing = 'findSite';
  const response = await jsonResponse(await fetch(`${own.harbour}${path}`, { headers }));
  failing = undefined;
  const later = await fetch(`${own.harbour}${path}`, { headers, redirect: 'manual' });
  await own.close();
  expectFault(response);
  // Where a script of another origin can read the response, it can read this one too.
  if (!path.startsWith('/oauth/')) expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(later.status).toBeLessThan(500);
});

test('other paths of the host are served while platform.findSite fails', async () => {
  const own = await startSchools({ wrapPlatform: failingOnDemand });
  failing = 'findSite';
  const response = await fetch(`${own.harbour}/courses`);
  await own.close();
  expect(response.status).toBe(404);
});
