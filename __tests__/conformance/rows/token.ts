import assert from 'node:assert/strict';
import {
  clientFields,
  connect,
  exchange,
  getCode,
  jsonResponse,
  memberApp,
  refresh,
  reports,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { assertError, text } from '../probes.ts';
import type { Row } from '../row.ts';

const endpoint = 'Endpoints: OAuth endpoints, POST /api/oauth/token';
const code = 'Endpoints: Token endpoint parameters, authorization_code';
const refreshing = 'Endpoints: Token endpoint parameters, refresh_token';

/** The token endpoint and its parameters. */
export const tokenRows: readonly Row[] = [
  {
    id: 'add2',
    section: endpoint,
    sentence: 'MUST accept form-urlencoded bodies, and no others',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const { code: value, verifier } = await getCode(browser('sam'), harbour, memberApp);
      const fields = {
        grant_type: 'authorization_code',
        code: value,
        redirect_uri: memberApp.redirectUri,
        code_verifier: verifier,
        resource: harbour,
        client_id: memberApp.id,
      };
      const post = async (body: string, type: string) =>
        jsonResponse(
          await fetch(`${harbour}/api/oauth/token`, { method: 'POST', body, headers: { 'content-type': type } }),
        );
      assertError(await post(JSON.stringify(fields), 'application/json'), 'invalid_request');
      const form = await post(new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded');
      assert.equal(form.status, 200);
    },
  },
  {
    id: 'dc8e',
    section: endpoint,
    sentence: 'MUST respond with JSON that has the tokens and must not be cached',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const { status, headers, body } = await connect(browser('sam'), harbour, memberApp);
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(text(body['token_type']).toLowerCase(), 'bearer');
      for (const name of ['access_token', 'refresh_token', 'id_token']) text(body[name]);
    },
  },
  {
    id: 'e511',
    section: `${code}, code`,
    sentence: 'MUST be a code that this site issued to this client, and be redeemable once',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      const issued = await getCode(browser('sam'), harbour, webMemberApp);
      assertError(await exchange(issued, { code: undefined }), 'invalid_request');
      assertError(await exchange(issued, { code: 'made-up' }), 'invalid_grant');
      assertError(await exchange({ ...issued, origin: summit }), 'invalid_grant');
      assertError(await exchange(issued, clientFields(reports)), 'invalid_grant');
      assert.equal((await exchange(issued)).status, 200);
      assertError(await exchange(issued), 'invalid_grant');
    },
  },
  {
    id: '2aa1',
    section: `${code}, redirect_uri`,
    sentence: 'MUST be the value of the authorization request',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const issued = await getCode(browser('sam'), harbour, webMemberApp);
      assertError(await exchange(issued, { redirect_uri: 'https://buddy.example/Callback' }), 'invalid_grant');
      assertError(await exchange(issued, { redirect_uri: 'https://buddy.example/other' }), 'invalid_grant');
      assert.equal((await exchange(issued)).status, 200);
    },
  },
  {
    id: 'f58f',
    section: `${code}, client_id`,
    sentence: 'MUST be present and identify a client of this site',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const issued = await getCode(browser('sam'), harbour, memberApp);
      assertError(await exchange(issued, { client_id: undefined }), 'invalid_request');
      assertError(await exchange(issued, { client_id: 'nobody' }), 'invalid_client');
      assert.equal((await exchange(issued)).status, 200);
    },
  },
  {
    id: 'ade6',
    section: `${code}, code_verifier`,
    sentence: 'MUST match the challenge that was sent to the authorization endpoint',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      for (const [person, client] of [
        ['sam', memberApp],
        ['olivia', reports],
      ] as const) {
        for (const verifier of [undefined, 'x'.repeat(43)]) {
          const issued = await getCode(browser(person), harbour, client);
          assertError(await exchange(issued, { code_verifier: verifier }), 'invalid_grant');
        }
        assert.equal((await exchange(await getCode(browser(person), harbour, client))).status, 200);
      }
    },
  },
  {
    id: '21a3',
    section: `${code}, resource`,
    sentence: 'MUST repeat the value of the authorization request',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      const issued = await getCode(browser('sam'), harbour, memberApp);
      for (const resource of [summit, 'https://elsewhere.example']) {
        assertError(await exchange(issued, { resource }), 'invalid_target');
      }
      assert.equal((await exchange(issued)).status, 200);
    },
  },
  {
    id: '98d9',
    section: `${code}, client_secret`,
    sentence: 'MUST be sent in the form by a confidential client (`client_secret_post`), and be correct',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const issued = await getCode(browser('olivia'), harbour, reports);
      for (const secret of [undefined, 'wrong']) {
        assertError(await exchange(issued, { client_secret: secret }), 'invalid_client');
      }
      assert.equal((await exchange(issued)).status, 200);
    },
  },
  {
    id: '12a3',
    section: refreshing,
    sentence: 'MUST yield a new access token without prompting the person',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const first = await connect(browser('sam'), harbour, memberApp);
      const second = await refresh(harbour, memberApp, first.body['refresh_token']);
      assert.equal(second.status, 200);
      assert.notEqual(second.body['access_token'], first.body['access_token']);
      assert.equal((await userinfo(harbour, second.body['access_token'])).body['sub'], 'sam');
    },
  },
  {
    id: '65b5',
    section: refreshing,
    sentence: 'MUST NOT respond with an `id_token`',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const first = await connect(browser('sam'), harbour, memberApp);
      assert.ok('id_token' in first.body);
      const second = await refresh(harbour, memberApp, first.body['refresh_token']);
      assert.equal(second.status, 200);
      assert.equal('id_token' in second.body, false);
    },
  },
  {
    id: '1a16',
    section: refreshing,
    sentence: 'MUST come with the identification of the client to which the refresh token was issued',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const { body } = await connect(browser('olivia'), harbour, reports);
      const token = body['refresh_token'];
      assertError(
        await refresh(harbour, reports, token, { client_id: undefined, client_secret: undefined }),
        'invalid_request',
      );
      assertError(await refresh(harbour, reports, token, { client_secret: undefined }), 'invalid_client');
      assertError(await refresh(harbour, webMemberApp, token), 'invalid_grant');
      assert.equal((await refresh(harbour, reports, token)).status, 200);
    },
  },
];
