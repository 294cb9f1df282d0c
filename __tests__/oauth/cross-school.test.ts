import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Site } from '../../lib/index.ts';
import { expectError, redirectQuery } from '../helpers/responses.ts';
import { type Browser, csrfOf, type Stop, decisionsOn } from '../helpers/browser.ts';
import {
  authorizeUrl,
  clientFields,
  connect,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  jsonResponse,
  memberApp,
  pkce,
  postForm,
  refresh,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

/** Sam is a student at both schools, and both know the client. */
let schools: Schools;
let tokens: JsonResponse;
beforeAll(async () => {
  schools = await startSchools();
  tokens = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  await connect(schools.browser('sam'), schools.summit, webMemberApp);
});
afterAll(() => schools.close());

const site = (id: string, origin: string): Site => ({ id, origin, name: id, connectionsEnabled: true });

describe('a token of Harbour at Summit', () => {
  test.each(['access_token', 'refresh_token', 'id_token'])('%s is no access token there', async (name) => {
    expectError(await userinfo(schools.summit, tokens.body[name]), 401, 'invalid_token');
  });

  test('is refused by campus.verify of Summit, and taken by that of Harbour', async () => {
    const { campus, harbour, summit } = schools;
    const token = String(tokens.body['access_token']);
    await expect(campus.verify(site('summit', summit), token)).rejects.toMatchObject({ error: 'invalid_token' });
    await expect(campus.verify(site('harbour', summit), token)).rejects.toMatchObject({ error: 'invalid_token' });
    expect(await campus.verify(site('harbour', harbour), token)).toMatchObject({ clientId: webMemberApp.id });
    expect(await campus.verify(harbour, token)).toMatchObject({ clientId: webMemberApp.id });
    await expect(campus.verify(summit, token)).rejects.toMatchObject({ error: 'invalid_token' });
    await expect(campus.verify('https://nowhere.example', token)).rejects.toThrow(
      'must be a school or its origin, not "https://nowhere.example"',
    );
  });

  test.each(['access_token', 'refresh_token'])('%s is inactive at introspection', async (name) => {
    expect((await introspect(schools.summit, webMemberApp, tokens.body[name])).body).toEqual({ active: false });
    expect((await introspect(schools.harbour, webMemberApp, tokens.body[name])).body['active']).toBe(true);
  });

  test('is not refreshed, and not harmed by the attempt', async () => {
    for (const resource of [undefined, schools.summit, schools.harbour]) {
      const response = await refresh(schools.summit, webMemberApp, tokens.body['refresh_token'], { resource });
      expectError(response, 400, 'invalid_grant');
    }
    const own = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect((await refresh(schools.harbour, webMemberApp, own.body['refresh_token'])).status).toBe(200);
  });

  test('is not revoked', async () => {
    for (const token of [tokens.body['access_token'], tokens.body['refresh_token']]) {
      const fields = { token: String(token), ...clientFields(webMemberApp) };
      expect((await postForm(`${schools.summit}/api/oauth/revoke`, fields)).status).toBe(200);
    }
    expect((await userinfo(schools.harbour, tokens.body['access_token'])).status).toBe(200);
  });

  test('is not asked for: resource of the other school is invalid_target', async () => {
    const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { resource: schools.summit });
    const query = redirectQuery(await schools.browser('sam').fetch(url), webMemberApp.redirectUri);
    expect(query['error']).toBe('invalid_target');
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    expectError(await exchange(code, { resource: schools.summit }), 400, 'invalid_target');
    expectError(
      await refresh(schools.harbour, webMemberApp, tokens.body['refresh_token'], { resource: schools.summit }),
      400,
      'invalid_target',
    );
  });

  test('as id_token_hint is an error', async () => {
    const hint = { id_token_hint: String(tokens.body['id_token']), prompt: 'none' };
    const url = authorizeUrl(schools.summit, webMemberApp, pkce(), hint);
    const query = redirectQuery(await schools.browser('sam').fetch(url), webMemberApp.redirectUri);
    expect(query['error']).toBe('invalid_request');
  });
});

test('a code of Harbour is invalid_grant at Summit, and still good at Harbour', async () => {
  const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
  for (const resource of [schools.summit, schools.harbour]) {
    const response = await exchange({ ...code, origin: schools.summit }, { resource });
    expect(['invalid_grant', 'invalid_target']).toContain(response.body['error']);
    expectError(response, 400, String(response.body['error']));
  }
  expect((await exchange(code)).status).toBe(200);
});

describe('a client of Harbour at Summit', () => {
  test('is unknown to the authorization endpoint: a page, no redirect', async () => {
    const url = authorizeUrl(schools.summit, memberApp, pkce());
    const response = await schools.browser('sam').fetch(url, { headers: { accept: 'application/json' } });
    expect(response.headers.get('location')).toBeNull();
    const { status, body } = await jsonResponse(response);
    expect([status, body['error']]).toEqual([400, 'invalid_client']);
  });

  test.each(['token', 'revoke', 'introspect'])('is 401 invalid_client at /api/oauth/%s', async (endpoint) => {
    for (const client of [memberApp, { ...memberApp, id: 'gateway', secret: 'gateway-secret' }]) {
      const fields = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x', ...clientFields(client) };
      expectError(await postForm(`${schools.summit}/api/oauth/${endpoint}`, fields), 401, 'invalid_client');
    }
  });
});

/** The cookies that one browser has for a school, sent to the other one: what a careless proxy would do. */
function carried(browser: Browser, from: string, more: string[] = []): string {
  const { host } = new URL(from);
  const own = browser.cookies().filter((cookie) => cookie.host === host);
  return [...own.map(({ name, value }) => `${name}=${value}`), ...more].join('; ');
}

const sessionOf = (browser: Browser, origin: string): string | undefined =>
  browser.cookies().find(({ host, name }) => host === new URL(origin).host && name === 'campus_session')?.value;

describe('the browser’s cookies of Harbour at Summit', () => {
  let browser: Browser;
  let page: Stop;
  beforeAll(async () => {
    browser = schools.browser('sam');
    await connect(browser, schools.harbour, webMemberApp);
    page = await browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'consent' }));
    expect(decisionsOn(page.html)).toContain('allow');
  });

  test('do not sign anyone in', async () => {
    const url = authorizeUrl(schools.summit, webMemberApp, pkce(), { prompt: 'none' });
    const headers = { cookie: carried(browser, schools.harbour) };
    const response = await fetch(url, { headers, redirect: 'manual' });
    expect(redirectQuery(response, webMemberApp.redirectUri)['error']).toBe('login_required');
    // A cookie that Summit took for its own would come back.
    expect(response.headers.getSetCookie().filter((cookie) => cookie.startsWith('campus_session='))).toEqual([]);
  });

  test('are not taken over as Summit’s session', async () => {
    const url = authorizeUrl(schools.summit, webMemberApp, pkce());
    const headers = { cookie: carried(browser, schools.harbour, ['person=sam']) };
    const response = await fetch(url, { headers, redirect: 'manual' });
    const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith('campus_session='));
    expect(session).toMatch(/^campus_session=[\w-]{20,};/);
    expect(session).not.toContain(sessionOf(browser, schools.harbour));
  });

  test.each<[string, () => RequestInit]>([
    ['GET', () => ({})],
    ['POST', () => ({ method: 'POST', body: new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow' }) })],
  ])('do not open Harbour’s interaction: %s is a page that says what to do', async (_method, init) => {
    const headers = { cookie: carried(browser, schools.harbour, ['person=sam']), accept: 'text/html' };
    const response = await fetch(`${schools.summit}${page.url.pathname}`, { ...init(), headers, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(await response.text()).toContain('start again');
  });

  test('do not resume Harbour’s authorization', async () => {
    const url = `${schools.summit}${page.url.pathname.replace('interaction', 'authorize')}`;
    const headers = { cookie: carried(browser, schools.harbour, ['person=sam']) };
    const response = await fetch(url, { headers, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  test('and its form’s token do not submit Summit’s consent page', async () => {
    const there = schools.browser('sam');
    const own = await there.follow(authorizeUrl(schools.summit, webMemberApp, pkce(), { prompt: 'consent' }));
    const body = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow' });
    const stop = await there.follow(own.url, { method: 'POST', body });
    expect([stop.response.status, stop.url.origin]).toEqual([400, schools.summit]);
    expect((await there.decide(own, 'allow')).url.searchParams.has('code')).toBe(true);
  });

  test('left Harbour’s own page as good as new', async () => {
    expect((await browser.decide(page, 'allow')).url.searchParams.get('iss')).toBe(schools.harbour);
  });
});

test('requests of both schools at the same moment keep apart', async () => {
  const { harbour, summit } = schools;
  const origins = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? harbour : summit));
  const seen = await Promise.all(
    origins.map(async (origin) => {
      const browser = schools.browser('sam');
      const pair = pkce();
      const { url } = await browser.follow(authorizeUrl(origin, webMemberApp, pair));
      const code = url.searchParams.get('code') ?? '';
      const { body } = await exchange({ origin, client: webMemberApp, code, verifier: pair.verifier });
      const refreshed = await refresh(origin, webMemberApp, body['refresh_token']);
      const { body: token } = await introspect(origin, webMemberApp, refreshed.body['access_token']);
      const claims: unknown = JSON.parse(
        Buffer.from(String(body['id_token']).split('.')[1] ?? '', 'base64url').toString(),
      );
      return [url.searchParams.get('iss'), Object(claims).iss, token['iss'], token['aud']];
    }),
  );
  expect(seen).toEqual(origins.map((origin) => [origin, origin, origin, origin]));
});

test('a consent at Harbour is none at Summit', async () => {
  const own = await startSchools();
  await connect(own.browser('sam'), own.harbour, webMemberApp);
  const url = authorizeUrl(own.summit, webMemberApp, pkce(), { prompt: 'none' });
  const query = redirectQuery(await own.browser('sam').fetch(url), webMemberApp.redirectUri);
  expect(query['error']).toBe('consent_required');
  await own.close();
});
