import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Site } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import { authorizeUrl, connect, pkce, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
/** Runs once, right before the next grant is written. */
let beforeGrant: (() => Promise<unknown>) | undefined;
let codes: number;
beforeEach(async () => {
  beforeGrant = undefined;
  codes = 0;
  schools = await startSchools({ campus: { store: watchedStore() } });
});
afterEach(() => schools.close());

function watchedStore(): Store {
  const inner = memoryStore();
  return {
    ...inner,
    save: async (siteId, entry) => {
      if (entry.kind === 'Grant') {
        const run = beforeGrant;
        beforeGrant = undefined;
        await run?.();
      }
      const written = await inner.save(siteId, entry);
      if (written && entry.kind === 'AuthorizationCode') codes += 1;
      return written;
    },
  };
}

const site = (): Site => harbourSite(schools.harbour);
const scopes = async (): Promise<readonly string[]> =>
  (await schools.campus.connections.list(site(), 'sam')).flatMap((connection) => connection.scopes);
const consentPage = (browser: Browser, scope: string): Promise<Stop> =>
  browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce(), { scope, prompt: 'consent' }));
const allow = (scope: string): Promise<Stop> => {
  const browser = schools.browser('sam');
  return consentPage(browser, scope).then((page) => browser.decide(page, 'allow'));
};

describe('while a consent is written', () => {
  test('a revocation of all connections is not undone: only what was allowed just now is granted', async () => {
    await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect(await scopes()).toContain('account:read');
    beforeGrant = () => schools.campus.connections.revokeAll(site(), 'sam');
    const { url } = await allow('openid profile');
    expect(url.searchParams.has('code')).toBe(true);
    expect(await scopes()).toEqual(['openid', 'profile']);
  });

  test('another consent is not lost: both are in the grant', async () => {
    await allow('openid');
    beforeGrant = () => allow('openid email');
    await allow('openid profile');
    expect([...(await scopes())].sort()).toEqual(['email', 'openid', 'profile']);
  });

  test('another first consent is not lost either', async () => {
    beforeGrant = () => allow('openid email');
    await allow('openid profile');
    expect([...(await scopes())].sort()).toEqual(['email', 'openid', 'profile']);
    expect(await schools.campus.connections.list(site(), 'sam')).toHaveLength(1);
  });
});

const times = 8;

/** How many of these ended at the application, with a code. The others are pages: the request has been answered, or the app is connected. */
function arrived(stops: readonly Stop[]): number {
  const [back, here] = [
    stops.filter(({ url }) => url.origin !== schools.harbour),
    stops.filter(({ url }) => url.origin === schools.harbour),
  ];
  for (const { url } of back) expect(url.searchParams.has('code')).toBe(true);
  for (const { response, html } of here) {
    const isAnswered = response.status === 400 && html.includes('already been answered');
    expect(isAnswered || isConnected(response.status, html)).toBe(true);
  }
  return back.length;
}

function isConnected(status: number, html: string): boolean {
  return status === 200 && html.includes(' is connected.');
}

describe('one consent gives one code', () => {
  test(`when it is submitted ${times} times at once`, async () => {
    for (let round = 0; round < 10; round += 1) {
      codes = 0;
      const browser = schools.browser('sam');
      const page = await consentPage(browser, 'openid profile');
      const stops = await Promise.all(Array.from({ length: times }, () => browser.decide(page, 'allow')));
      expect([arrived(stops), codes]).toEqual([1, 1]);
    }
  });

  test(`when the engine is asked ${times} times at once to go on`, async () => {
    const browser = schools.browser('sam');
    const page = await consentPage(browser, 'openid profile');
    const body = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow' });
    const submitted = await browser.fetch(page.url, { method: 'POST', body });
    const resume = submitted.headers.get('location') ?? '';
    const stops = await Promise.all(Array.from({ length: times }, () => browser.follow(resume)));
    expect([arrived(stops), codes]).toEqual([1, 1]);
  });

  test('when it is submitted again after the code was issued', async () => {
    const browser = schools.browser('sam');
    const page = await consentPage(browser, 'openid profile');
    const first = await browser.decide(page, 'allow');
    const again = await browser.decide(page, 'allow');
    expect([arrived([first, again]), codes]).toEqual([1, 1]);
    expect(isConnected(again.response.status, again.html)).toBe(true);
  });

  test('of an allow and a deny at once, one counts', async () => {
    for (let round = 0; round < 10; round += 1) {
      await schools.campus.connections.revokeAll(site(), 'sam');
      const browser = schools.browser('sam');
      const page = await consentPage(browser, 'openid profile');
      const stops = await Promise.all([browser.decide(page, 'allow'), browser.decide(page, 'deny')]);
      const back = stops.filter(({ url }) => url.origin !== schools.harbour);
      expect(back).toHaveLength(1);
      expect(await scopes()).toEqual(back[0]?.url.searchParams.has('code') ? ['openid', 'profile'] : []);
    }
  });
});

test('a revocation right before the code is issued: access_denied, and no code', async () => {
  const store = memoryStore();
  await schools.close();
  let revoked = false;
  schools = await startSchools({
    campus: {
      store: {
        ...store,
        save: async (siteId, entry) => {
          if (entry.kind === 'AuthorizationCode') revoked = (await store.revoke(siteId, { memberId: 'sam' })) > 0;
          return store.save(siteId, entry);
        },
      },
    },
  });
  const { url } = await allow('openid');
  expect([revoked, url.searchParams.get('error'), url.searchParams.has('code')]).toEqual([
    true,
    'access_denied',
    false,
  ]);
});
