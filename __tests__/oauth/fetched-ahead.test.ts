import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { csrfOf, type Browser } from '../helpers/browser.ts';
import { authorizeUrl, connect, exchange, getCode, pkce, reports, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { countedStore } from '../helpers/stores.ts';
import { withDevices } from '../features/device/devices.ts';

const { store, calls } = countedStore();

let schools: Schools;
let asked: number;
beforeEach(async () => {
  asked = 0;
  schools = await startSchools({
    campus: { ...withDevices, store },
    wrapPlatform: (platform) => ({
      ...platform,
      signedInMember: (ctx, site) => {
        asked += 1;
        return platform.signedInMember(ctx, site);
      },
    }),
  });
});
afterEach(() => schools.close());

const ahead: [name: string, value: string][] = [
  ['Sec-Purpose', 'prefetch'],
  ['Sec-Purpose', 'prefetch;prerender'],
  ['Sec-Purpose', 'prefetch;anonymous-client-ip'],
  ['Purpose', 'prefetch'],
  ['Purpose', 'Prefetch'],
  ['X-Purpose', 'preview'],
  ['X-Moz', 'prefetch'],
];

/** Asks in every way in which nobody opens the address. */
async function askAhead(browser: Browser, url: URL): Promise<void> {
  calls.length = 0;
  asked = 0;
  for (const [name, value] of ahead) {
    const response = await browser.fetch(url, { headers: { [name]: value } });
    expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store']);
    expect(response.headers.getSetCookie()).toEqual([]);
  }
  const head = await browser.fetch(url, { method: 'HEAD' });
  expect([head.status, await head.text(), head.headers.getSetCookie()]).toEqual([200, '', []]);
  expect(Object.fromEntries(head.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-language': 'en',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  expect(head.headers.has('content-length')).toBe(false);
  expect([calls, asked]).toEqual([[], 0]);
}

/** Where a response sends the browser. */
const nextOf = (response: Response, at: URL): URL => new URL(response.headers.get('location') ?? '', at);

describe('HEAD, and a browser that fetches ahead,', () => {
  test('start no request that is answered with a code', async () => {
    const browser = schools.browser('olivia');
    await connect(browser, schools.harbour, reports);
    const pair = pkce();
    const url = authorizeUrl(schools.harbour, reports, pair);
    await askAhead(browser, url);
    const code = nextOf(await browser.fetch(url), url).searchParams.get('code') ?? '';
    const opened = { origin: schools.harbour, client: reports, code, verifier: pair.verifier };
    expect((await exchange(opened)).status).toBe(200);
  });

  test('take no step of a request that a person is asked for', async () => {
    const browser = schools.browser('sam');
    let url = authorizeUrl(schools.harbour, webMemberApp, pkce());
    await askAhead(browser, url);
    const steps = [];
    let response = await browser.fetch(url);
    while (response.status === 303 && nextOf(response, url).origin === schools.harbour) {
      url = nextOf(response, url);
      steps.push(url.pathname.replace(/\/[\w-]{20,}$/, '/…'));
      await askAhead(browser, url);
      response = await browser.fetch(url);
      if (response.status !== 200) continue;
      const body = new URLSearchParams({ csrf: csrfOf(await response.text()), decision: 'allow' });
      response = await browser.fetch(url, { method: 'POST', body });
    }
    expect(nextOf(response, url).searchParams.get('code')).not.toBeNull();
    expect(steps).toEqual(['/oauth/interaction/…', '/oauth/authorize/…']);
  });

  test('start nothing on the pages for devices', async () => {
    const browser = schools.browser('sam');
    for (const path of ['/oauth/device', '/oauth/device?user_code=BCDF-GHJK', '/oauth/device/unknown']) {
      await askAhead(browser, new URL(path, schools.harbour));
    }
    expect((await browser.fetch(`${schools.harbour}/oauth/device`)).status).toBe(200);
  });

  test.each(['GET', 'POST'])('another purpose is none: %s', async (method) => {
    const browser = schools.browser('sam');
    const url = authorizeUrl(schools.harbour, webMemberApp, pkce());
    const headers = { purpose: 'navigate', 'sec-purpose': '', ...(method === 'POST' && { 'x-purpose': 'preview' }) };
    const body = method === 'POST' ? url.searchParams : null;
    expect((await browser.fetch(url, { method, headers, body })).status).toBe(303);
  });
});

test('what changes nothing is answered as before', async () => {
  await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
  for (const path of ['/account/apps', '/.well-known/openid-configuration', '/auth.md']) {
    const response = await schools
      .browser('sam')
      .fetch(`${schools.harbour}${path}`, { headers: { purpose: 'prefetch' } });
    expect(response.status).toBe(200);
  }
});
