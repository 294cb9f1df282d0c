import { bodyParser } from '@koa/bodyparser';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { Browser } from '../helpers/browser.ts';
import { decisionsOn } from '../helpers/browser.ts';
import { authorizeUrl, exchange, jsonResponse, pkce, type Pkce, webMemberApp } from '../helpers/flow.ts';
import { eachFeature } from '../api-docs/each-feature.ts';
import { movingSchool } from '../helpers/moving.ts';
import { expectError, redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools();
});
afterAll(() => schools.close());

const form = 'application/x-www-form-urlencoded';

/** The parameters of an ordinary request, as a form. */
function fields(pair: Pkce = pkce(), changes: Record<string, string | undefined> = {}): URLSearchParams {
  return authorizeUrl(schools.harbour, webMemberApp, pair, changes).searchParams;
}

function posted(
  body: URLSearchParams | string,
  headers: Record<string, string> = {},
  query = '',
): RequestInit & { url: string } {
  const url = `${schools.harbour}/oauth/authorize${query}`;
  return { url, method: 'POST', body: body.toString(), headers: { 'content-type': form, ...headers } };
}

const post = (browser: Browser, ...request: Parameters<typeof posted>): Promise<Response> => {
  const { url, ...init } = posted(...request);
  return browser.fetch(url, init);
};

/** Goes on where the response leads, as a browser does. */
async function outcome(browser: Browser, response: Response): Promise<Record<string, string>> {
  return redirectQuery(await browser.fetch(response.headers.get('location') ?? ''), webMemberApp.redirectUri);
}

describe('a form at the authorization endpoint', () => {
  test('leads to a code, as the same request by GET does', async () => {
    const [browser, pair] = [schools.browser('sam'), pkce()];
    const { url, ...init } = posted(fields(pair));
    const page = await browser.follow(url, init);
    const { url: end } = await browser.decide(page, 'allow');
    expect([end.searchParams.get('state'), end.searchParams.get('iss')]).toEqual(['the-state', schools.harbour]);
    const code = String(end.searchParams.get('code'));
    const tokens = await exchange({ origin: schools.harbour, client: webMemberApp, code, verifier: pair.verifier });
    expect(tokens.status).toBe(200);
  });

  test('goes on by GET with the parameters of the form, stores nothing and sets no cookie', async () => {
    const sent = fields();
    const response = await post(schools.browser('sam'), sent);
    expect(response.status).toBe(303);
    const location = new URL(response.headers.get('location') ?? '');
    expect(`${location.origin}${location.pathname}`).toBe(`${schools.harbour}/oauth/authorize`);
    expect(Object.fromEntries(location.searchParams)).toEqual(Object.fromEntries(sent));
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('gets the errors of GET, at the redirect URI', async () => {
    const browser = schools.browser('sam');
    for (const [changes, error] of [
      [{ scope: 'openid nothing:read' }, 'invalid_scope'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ prompt: 'none', max_age: '-1' }, 'invalid_request'],
    ] as const) {
      expect(await outcome(browser, await post(browser, fields(pkce(), changes)))).toMatchObject({ error });
    }
    const request = fields();
    request.set('request', 'eyJhbGciOiJub25lIn0.e30.');
    expect(await outcome(browser, await post(browser, request))).toMatchObject({ error: 'request_not_supported' });
  });

  test('with a parameter twice is invalid_request, also if one of them is in the address', async () => {
    const browser = schools.browser('sam');
    const twice = fields();
    twice.append('scope', 'openid');
    expect(await outcome(browser, await post(browser, twice))).toMatchObject({ error: 'invalid_request' });
    const response = await post(browser, fields(), {}, '?state=other');
    expect(await outcome(browser, response)).toMatchObject({ error: 'invalid_request' });
  });

  test('keeps what the address of the endpoint has, such as a resource', async () => {
    const browser = schools.browser();
    const without = fields(pkce(), { resource: undefined, prompt: 'none' });
    expect(await outcome(browser, await post(browser, without))).toMatchObject({ error: 'invalid_target' });
    const resource = `?resource=${encodeURIComponent(schools.harbour)}`;
    const response = await post(browser, without, {}, resource);
    expect(await outcome(browser, response)).toMatchObject({ error: 'login_required' });
  });

  test('puts nothing into the address that is no parameter, such as a secret', async () => {
    const body = fields();
    body.set('client_secret', 'buddy-secret');
    body.set('password', 'swordfish');
    const location = (await post(schools.browser('sam'), body)).headers.get('location') ?? '';
    expect(location).toContain('client_id=');
    expect(location).not.toMatch(/secret|swordfish|password/);
  });

  test.each([
    ['no body', '', {}, 400],
    ['JSON', '{"client_id":"web-member-app"}', { 'content-type': 'application/json' }, 400],
    ['multipart', '--x--', { 'content-type': 'multipart/form-data; boundary=x' }, 400],
    ['a compressed body', 'x', { 'content-encoding': 'gzip' }, 400],
    ['another charset', 'a=b', { 'content-type': `${form}; charset=utf-16` }, 400],
    ['more than the longest query', `state=${'x'.repeat(9000)}`, {}, 400],
    ['more than the longest body', `state=${'x'.repeat(70_000)}`, {}, 413],
  ])('is refused with %s, and never redirected', async (_what, body, headers, status) => {
    const response = await post(schools.browser('sam'), body, { accept: 'application/json', ...headers });
    expect(response.headers.get('location')).toBeNull();
    expectError(await jsonResponse(response), status, 'invalid_request');
  });

  test('cannot be sent by scripts of other origins: no response has CORS headers', async () => {
    for (const method of ['POST', 'OPTIONS']) {
      const headers = { origin: 'https://app.example', 'content-type': form, 'access-control-request-method': 'POST' };
      const body = method === 'POST' ? fields().toString() : null;
      const init = { method, headers, body, redirect: 'manual' } as const;
      const response = await fetch(`${schools.harbour}/oauth/authorize`, init);
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test('another method is 405, with both in Allow; a page to which the engine returns takes GET only', async () => {
    const put = await fetch(`${schools.harbour}/oauth/authorize`, { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect((await fetch(`${schools.harbour}/oauth/authorize/x`, { method: 'POST' })).status).toBe(405);
  });
});

test('a form goes on with every parameter that the description of the API has, also with those of features', async () => {
  const options = eachFeature['everything, with every grant and client authentication'];
  const every = await startSchools(options);
  try {
    const { paths } = await (await fetch(`${every.harbour}/openapi.json`)).json();
    const described: readonly { readonly name: string }[] = paths['/oauth/authorize'].get.parameters;
    const names = described.map(({ name }) => name);
    expect(names).toContain('authorization_details');
    const body = new URLSearchParams(names.map((name) => [name, 'x']));
    const response = await fetch(`${every.harbour}/oauth/authorize`, { method: 'POST', body, redirect: 'manual' });
    expect([...new URL(response.headers.get('location') ?? '').searchParams.keys()]).toEqual(names);
  } finally {
    await every.close();
  }
});

test('a form goes on where a body parser of the host has read it', async () => {
  const parsing = await startSchools({
    app: (campus) => {
      const app = new Koa();
      app.silent = true;
      return app.use(bodyParser()).use(campus.middleware());
    },
  });
  try {
    const sent = authorizeUrl(parsing.harbour, webMemberApp, pkce()).searchParams;
    const browser = parsing.browser('sam');
    const page = await browser.follow(`${parsing.harbour}/oauth/authorize`, { method: 'POST', body: sent });
    expect(decisionsOn(page.html)).toContain('allow');
  } finally {
    await parsing.close();
  }
});

test('a form at a former origin of a school goes on at the current one', async () => {
  const moving = movingSchool();
  const moved = await startSchools({
    campus: { siteCache: moving.siteCache },
    wrapPlatform: moving.wrapPlatform,
  });
  try {
    moving.move();
    const body = authorizeUrl(moved.harbour, webMemberApp, pkce()).searchParams;
    const response = await fetch(`${moved.harbour}/oauth/authorize`, { method: 'POST', body, redirect: 'manual' });
    expect(response.status).toBe(303);
    const { origin, pathname, searchParams } = new URL(response.headers.get('location') ?? '');
    expect([`${origin}${pathname}`, [...searchParams]]).toEqual([`${moved.summit}/oauth/authorize`, [...body]]);
  } finally {
    await moved.close();
  }
});
