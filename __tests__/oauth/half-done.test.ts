import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Site } from '../../lib/index.ts';
import { csrfOf } from '../helpers/browser.ts';
import { authorizeUrl, connect, pkce, refresh, type TestClient, userinfo, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { type BreakableStore, breakableStore } from '../helpers/stores.ts';

let breakable: BreakableStore;
let schools: Schools;
beforeEach(async () => {
  breakable = breakableStore();
  schools = await startSchools({ campus: { store: breakable.store } });
});
afterEach(() => schools.close());

const site = (): Site => harbourSite(schools.harbour);

describe('the store fails in the middle', () => {
  test('of a consent that takes a scope away: the request does not go on with what was allowed before', async () => {
    const sam = schools.browser('sam');
    await connect(sam, schools.harbour, webMemberApp);
    const pair = pkce();
    const page = await sam.follow(authorizeUrl(schools.harbour, webMemberApp, pair, { prompt: 'consent' }));
    breakable.break('save Grant');
    const form = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow', choice: 'shown', scope: 'email' });
    expect((await sam.fetch(page.url, { method: 'POST', body: form })).status).toBe(503);
    breakable.break();
    const { url } = await sam.follow(page.url.href.replace('interaction', 'authorize'));
    expect(url.searchParams.has('code')).toBe(false);
    expect(url.pathname).toMatch(/^\/oauth\/interaction\//);
  });

  test('of a consent that takes nothing away: the request does not go on without a grant', async () => {
    const sam = schools.browser('sam');
    const page = await sam.follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
    breakable.break('save Grant');
    await sam.fetch(page.url, {
      method: 'POST',
      body: new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow' }),
    });
    breakable.break();
    const { url } = await sam.follow(page.url.href.replace('interaction', 'authorize'));
    expect(url.searchParams.has('code')).toBe(false);
  });

  test('of a stricter rule: the same decision again does what is left', async () => {
    const { apps } = schools.campus;
    const target = { clientId: webMemberApp.id };
    const owners = { access: 'allowed', roles: ['owner'] } as const;
    for (const method of ['revoke', 'save Grant', 'grantsOf', 'save AppRule'] as const) {
      const [sam, olivia] = await Promise.all(
        ['sam', 'olivia'].map((person) => connect(schools.browser(person), schools.harbour, webMemberApp)),
      );
      breakable.break(method);
      await expect(apps.set(site(), target, owners)).rejects.toMatchObject({ status: 503 });
      breakable.break();
      await apps.set(site(), target, owners);
      expect(await schools.campus.connections.list(site(), 'sam')).toEqual([]);
      const statuses = [sam, olivia].map(
        async (each) => (await userinfo(schools.harbour, each?.body['access_token'])).status,
      );
      expect(await Promise.all(statuses)).toEqual([401, 401]);
      const { status } = await refresh(schools.harbour, webMemberApp, olivia?.body['refresh_token']);
      expect(status).toBe(200);
      await apps.reset(site(), target);
    }
  });

  describe('of a change of an application', () => {
    let client: TestClient;
    let accessToken: unknown;
    const status = async (): Promise<number> => (await userinfo(schools.harbour, accessToken)).status;
    beforeEach(async () => {
      const { application, clientSecret } = await schools.campus.applications.create(site(), {
        clientName: 'Study Timer',
        redirectUris: ['https://timer.example/callback'],
        scopes: ['openid', 'email', 'account:read'],
        confidential: true,
      });
      const { clientId: id } = application;
      client = { id, redirectUri: 'https://timer.example/callback', secret: clientSecret ?? '', scope: 'openid email' };
      accessToken = (await connect(schools.browser('sam'), schools.harbour, client)).body['access_token'];
    });

    test('that takes a scope away: the same change again ends its connections', async () => {
      const { applications } = schools.campus;
      const narrow = () => applications.update(site(), client.id, { scopes: ['openid'] });
      breakable.break('revoke');
      await expect(narrow()).rejects.toThrow();
      await expect(narrow()).rejects.toThrow();
      breakable.break();
      expect(await status()).toBe(200);
      const { version } = await narrow();
      expect(await status()).toBe(401);
      expect((await applications.find(site(), client.id))?.version).toBe(version);
    });

    test('that takes a scope away: another change ends them too, and those from after it stay', async () => {
      const { applications } = schools.campus;
      breakable.break('revoke');
      await expect(applications.update(site(), client.id, { scopes: ['openid'] })).rejects.toThrow();
      breakable.break();
      const rotated = await applications.rotateSecret(site(), client.id);
      await applications.update(site(), client.id, { clientName: 'Timer' });
      expect(await status()).toBe(401);
      client = { ...client, secret: rotated.clientSecret ?? '', scope: 'openid' };
      accessToken = (await connect(schools.browser('sam'), schools.harbour, client)).body['access_token'];
      await applications.update(site(), client.id, { clientName: 'Timer 2' });
      expect(await status()).toBe(200);
    });

    test('a removal: the same removal again ends its connections', async () => {
      const { applications } = schools.campus;
      breakable.break('revoke');
      await expect(applications.remove(site(), client.id)).rejects.toThrow();
      breakable.break();
      expect(await status()).toBe(200);
      expect(await applications.remove(site(), client.id)).toEqual({ connections: 1 });
      expect(await status()).toBe(401);
      await expect(applications.remove(site(), client.id)).rejects.toMatchObject({ status: 404 });
    });
  });
});
