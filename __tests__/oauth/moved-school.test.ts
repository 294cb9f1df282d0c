import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  connect,
  introspect,
  type JsonResponse,
  refresh,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

/** One school that is reached at two origins, as before and after it moved. */
let schools: Schools;
let tokens: JsonResponse;
beforeAll(async () => {
  schools = await startSchools({
    wrapPlatform: (platform) => ({
      ...platform,
      findSite: async (origin) => {
        const site = await platform.findSite(origin);
        return site && { ...site, id: 'harbour' };
      },
    }),
  });
  tokens = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
});
afterAll(() => schools.close());

const gateway: TestClient = { id: 'gateway', redirectUri: '', secret: 'gateway-secret', scope: '' };

test('an access token of the old origin is refused at the new one, and so is its refresh', async () => {
  expect((await userinfo(schools.summit, tokens.body['access_token'])).status).toBe(401);
  expect((await refresh(schools.summit, webMemberApp, tokens.body['refresh_token'])).status).toBe(400);
  expect((await userinfo(schools.harbour, tokens.body['access_token'])).status).toBe(200);
});

// The introspection endpoint says `active`, with the new origin as `aud` and `iss`.
test.each([
  ['access_token', webMemberApp],
  ['access_token', gateway],
  ['refresh_token', webMemberApp],
])('its %s is inactive at introspection by $id: it is bound to the old origin', async (name, client) => {
  const { body } = await introspect(schools.summit, client, tokens.body[name]);
  expect(body).toEqual({ active: false });
});
