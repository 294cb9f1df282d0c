import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { csrfOf } from '../helpers/browser.ts';
import {
  authorizeUrl,
  type Code,
  connect,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  pkce,
  refresh,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { type CrowdedStore, crowdedStore } from '../helpers/stores.ts';

let crowded: CrowdedStore;
let schools: Schools;
let phone: JsonResponse;
let laptop: JsonResponse;
beforeEach(async () => {
  crowded = crowdedStore();
  schools = await startSchools({ campus: { store: crowded.store } });
  phone = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  laptop = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
});
afterEach(() => schools.close());

const narrow = 'openid profile email';

/** Another consent of the same person, in which only these scopes stay ticked. */
async function consent(scopes: string): Promise<Code> {
  const browser = schools.browser('sam');
  const pair = pkce();
  const page = await browser.follow(authorizeUrl(schools.harbour, webMemberApp, pair, { prompt: 'consent' }));
  const body = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow', choice: 'shown' });
  for (const scope of scopes.split(' ')) body.append('scope', scope);
  const { url } = await browser.follow(page.url, { method: 'POST', body });
  const code = url.searchParams.get('code') ?? '';
  return { origin: schools.harbour, client: webMemberApp, code, verifier: pair.verifier };
}

const status = async (tokens: JsonResponse): Promise<number> =>
  (await userinfo(schools.harbour, tokens.body['access_token'])).status;
const again = ({ body }: JsonResponse): Promise<JsonResponse> =>
  refresh(schools.harbour, webMemberApp, body['refresh_token']);

describe('a consent that takes a scope away', () => {
  test('ends the access tokens from before on every device at once', async () => {
    expect(phone.body['scope']).toContain('account:read');
    await consent(narrow);
    for (const device of [phone, laptop]) {
      expectError(await userinfo(schools.harbour, device.body['access_token']), 401, 'invalid_token');
      const { body } = await introspect(schools.harbour, webMemberApp, device.body['access_token']);
      expect(body).toEqual({ active: false });
    }
  });

  test('takes it from what introspection says of the refresh tokens', async () => {
    await consent(narrow);
    for (const device of [phone, laptop]) {
      const { body } = await introspect(schools.harbour, webMemberApp, device.body['refresh_token']);
      expect(body).toMatchObject({ active: true, scope: narrow });
    }
  });

  test('lets every device refresh, and gives it the narrower scope', async () => {
    const tablet = await exchange(await consent(narrow));
    expect(tablet.body['scope']).toBe(narrow);
    for (const device of [phone, laptop, tablet]) {
      const next = await again(device);
      expect([next.status, next.body['scope']]).toEqual([200, narrow]);
      expect(await status(next)).toBe(200);
    }
  });

  test('also ends the tokens of a refresh and of a code exchange that read the grant right before it', async () => {
    crowded.beforeRedemption(() => consent(narrow));
    const next = await again(phone);
    expect([next.status, await status(next)]).toEqual([200, 401]);
    await consent(webMemberApp.scope);
    const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
    crowded.beforeRedemption(() => consent(narrow));
    const tablet = await exchange(code);
    expect([tablet.status, await status(tablet)]).toEqual([200, 401]);
    for (const device of [next, tablet]) {
      const { status: refreshed, body } = await again(device);
      expect([refreshed, body['scope']]).toEqual([200, narrow]);
    }
  });
});

test('a consent that takes no scope away ends no token', async () => {
  await consent(webMemberApp.scope);
  await getCode(schools.browser('sam'), schools.harbour, webMemberApp, { scope: 'openid', prompt: 'consent' });
  for (const device of [phone, laptop]) expect(await status(device)).toBe(200);
});
