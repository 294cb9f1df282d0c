import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../helpers/responses.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import {
  authorizeUrl,
  clientFields,
  type Code,
  connect,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  jsonResponse,
  pkce,
  postForm,
  refresh,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { breakableStore, storeFault, type StoreMethod } from '../helpers/stores.ts';

const breakable = breakableStore();
const json = { accept: 'application/json' };

let schools: Schools;
let tokens: JsonResponse;
let code: Code;
let page: Stop;
let sam: Browser;
beforeAll(async () => {
  schools = await startSchools({ campus: { store: breakable.store } });
  sam = schools.browser('sam');
  tokens = await connect(sam, schools.harbour, webMemberApp);
  code = await getCode(sam, schools.harbour, webMemberApp);
  page = await sam.follow(authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'consent' }));
});
afterEach(() => {
  breakable.break();
  schools.faults.length = 0;
});
afterAll(() => schools.close());

const get = async (url: string | URL): Promise<JsonResponse> => jsonResponse(await sam.fetch(url, { headers: json }));
const silently = () => authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'none' });
const decision = () => new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow' });

const calls: Record<string, () => Promise<JsonResponse>> = {
  'authorize, known browser': () => get(silently()),
  'authorize, new browser': async () =>
    jsonResponse(
      await schools.browser('sam').fetch(authorizeUrl(schools.harbour, webMemberApp, pkce()), { headers: json }),
    ),
  'the interaction page': () => get(page.url),
  'the consent form': async () =>
    jsonResponse(await sam.fetch(page.url, { method: 'POST', body: decision(), headers: json })),
  'the way back from the interaction': () => get(page.url.href.replace('interaction', 'authorize')),
  'token, with a code': () => exchange(code),
  'token, with a refresh token': () => refresh(schools.harbour, webMemberApp, tokens.body['refresh_token']),
  revoke: () =>
    postForm(`${schools.harbour}/api/oauth/revoke`, {
      token: String(tokens.body['access_token']),
      ...clientFields(webMemberApp),
    }),
  introspect: () => introspect(schools.harbour, webMemberApp, tokens.body['access_token']),
  userinfo: () => userinfo(schools.harbour, tokens.body['access_token']),
};

const rows: [StoreMethod, string[]][] = [
  ['find', Object.keys(calls)],
  ['save', ['authorize, known browser', 'authorize, new browser', 'the consent form']],
  ['redeem', ['token, with a code', 'token, with a refresh token']],
  ['endFamily', ['revoke']],
];

describe.each(rows)('while store.%s fails', (method, names) => {
  test.each(names)('%s is 503 temporarily_unavailable, and tells nothing of the cause', async (name) => {
    breakable.break(method);
    const response = await calls[name]?.();
    breakable.break();
    if (response === undefined) throw new Error(`no call ${name}`);
    expectError(response, 503, 'temporarily_unavailable');
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(response.headers.get('location')).toBeNull();
    const told = JSON.stringify([response.body, [...response.headers]]);
    for (const word of storeFault.split(' ')) expect(told).not.toContain(` ${word}`);
    expect(told).not.toContain('10.0.0.7');
    expect(schools.faults).toContainEqual({ message: `store.${method} failed`, cause: new Error(storeFault) });
  });
});

test('for a browser it is a page of the school that says so', async () => {
  for (const url of [silently(), page.url]) {
    breakable.break('find');
    const response = await sam.fetch(url);
    breakable.break();
    expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store']);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    const html = await response.text();
    expect(html).toContain('Harbour School');
    expect(html).not.toContain('10.0.0.7');
  }
});

test('campus.verify rejects with temporarily_unavailable', async () => {
  const site = harbourSite(schools.harbour);
  breakable.break('find');
  const verified = schools.campus.verify(site, String(tokens.body['access_token']));
  await expect(verified).rejects.toMatchObject({ error: 'temporarily_unavailable', status: 503 });
});

test('the documents need no store', async () => {
  breakable.break('find', 'save', 'remove', 'redeem', 'grantIds', 'endFamily', 'revoke');
  for (const name of ['openid-configuration', 'oauth-authorization-server', 'oauth-protected-resource', 'jwks.json']) {
    expect((await fetch(`${schools.harbour}/.well-known/${name}`)).status).toBe(200);
  }
});

test('after the faults codes, refresh tokens and consent pages are as good as new', async () => {
  expect((await exchange(code)).status).toBe(200);
  expect((await refresh(schools.harbour, webMemberApp, tokens.body['refresh_token'])).status).toBe(200);
  expect((await sam.decide(page, 'allow')).url.searchParams.get('code')).toBeTruthy();
});

test.each(['access_token', 'refresh_token'])(
  'a revocation by %s that failed has done nothing, and tried again ends its tokens',
  async (name) => {
    const { body } = await connect(sam, schools.harbour, webMemberApp);
    const fields = { token: String(body[name]), ...clientFields(webMemberApp) };
    breakable.break('endFamily');
    expect((await postForm(`${schools.harbour}/api/oauth/revoke`, fields)).status).toBe(503);
    breakable.break();
    expect((await introspect(schools.harbour, webMemberApp, body[name])).body['active']).toBe(true);
    expect((await postForm(`${schools.harbour}/api/oauth/revoke`, fields)).status).toBe(200);
    expectError(await userinfo(schools.harbour, body['access_token']), 401, 'invalid_token');
    expectError(await refresh(schools.harbour, webMemberApp, body['refresh_token']), 400, 'invalid_grant');
  },
);

test.each(['code', 'refresh token'])('a %s whose redemption failed is redeemed at the second try', async (kind) => {
  const fresh = await getCode(sam, schools.harbour, webMemberApp);
  const redeem =
    kind === 'code'
      ? () => exchange(fresh)
      : await exchange(fresh).then(
          ({ body }) =>
            () =>
              refresh(schools.harbour, webMemberApp, body['refresh_token']),
        );
  breakable.break('redeem');
  expectError(await redeem(), 503, 'temporarily_unavailable');
  breakable.break();
  const { status, body } = await redeem();
  expect(status).toBe(200);
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
});
