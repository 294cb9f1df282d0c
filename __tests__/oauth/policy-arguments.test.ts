import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authorizeUrl, connect, pkce, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const stranger = 'https://stranger.example/callback';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    campus: {
      consent: [
        ({ client }) => {
          // What JavaScript lets a policy do, whatever the types say.
          if (Array.isArray(client.redirectUris) && !Object.isFrozen(client.redirectUris)) {
            client.redirectUris.push(stranger);
          }
          return undefined;
        },
      ],
    },
  });
});
afterAll(() => schools.close());

// One client object serves all schools, and the policy gets its very list.
test('a consent policy that changes its arguments at one school changes no client at another', async () => {
  await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  const url = authorizeUrl(schools.summit, { ...webMemberApp, redirectUri: stranger }, pkce());
  expect((await schools.browser('sam').fetch(url)).status).toBe(400);
});
