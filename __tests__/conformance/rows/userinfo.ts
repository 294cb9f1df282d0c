import assert from 'node:assert/strict';
import { connect, memberApp, userinfo } from '../../helpers/flow.ts';
import { assertError, getJson, text } from '../probes.ts';
import type { Row } from '../row.ts';

const section = 'Endpoints: OAuth endpoints, GET /api/oauth/userinfo';

/** UserInfo. */
export const userinfoRows: readonly Row[] = [
  {
    id: 'e428',
    section,
    sentence: 'MUST take the access token from the `Authorization: Bearer` header',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const token = text((await connect(browser('sam'), harbour, memberApp)).body['access_token']);
      assert.equal((await userinfo(harbour, token)).status, 200);
      const inAddress = await getJson(`${harbour}/api/oauth/userinfo?access_token=${encodeURIComponent(token)}`);
      assertError(inAddress, 'invalid_token', 401);
    },
  },
  {
    id: '854c',
    section,
    sentence: 'MUST respond with JSON that has sub, email, name, picture, org_id and roles of the person at this site',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const tokens = await connect(browser('olivia'), harbour, memberApp);
      const { headers, body } = await userinfo(harbour, tokens.body['access_token']);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
      const { sub, email, name, picture, org_id: organisation, roles } = body;
      assert.deepEqual(
        { sub, email, name, picture, organisation, roles },
        {
          sub: 'olivia',
          email: 'olivia@example.com',
          name: 'Olivia Owner',
          picture: 'https://cdn.example/olivia.png',
          organisation: 'harbour',
          roles: ['owner', 'teacher'],
        },
      );
    },
  },
];
