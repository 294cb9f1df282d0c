import assert from 'node:assert/strict';
import { clientFields, connect, memberApp, postForm, refresh, userinfo, webMemberApp } from '../../helpers/flow.ts';
import { assertError } from '../probes.ts';
import type { Row } from '../row.ts';

const section = 'Endpoints: OAuth endpoints, POST /api/oauth/revoke';

/** Revocation. */
export const revokeRows: readonly Row[] = [
  {
    id: 'd33f',
    section,
    sentence: 'MUST revoke an access token',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const token = String((await connect(browser('sam'), harbour, memberApp)).body['access_token']);
      const response = await postForm(`${harbour}/api/oauth/revoke`, { token, client_id: memberApp.id });
      assert.equal(response.status, 200);
      assertError(await userinfo(harbour, token), 'invalid_token', 401);
    },
  },
  {
    id: '5b39',
    section,
    sentence: 'MUST revoke a refresh token and the access tokens of its authorization (RFC 7009 section 2.1)',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const { body } = await connect(browser('sam'), harbour, memberApp);
      const token = String(body['refresh_token']);
      const response = await postForm(`${harbour}/api/oauth/revoke`, { token, client_id: memberApp.id });
      assert.equal(response.status, 200);
      assertError(await refresh(harbour, memberApp, token), 'invalid_grant');
      assertError(await userinfo(harbour, body['access_token']), 'invalid_token', 401);
    },
  },
  {
    id: 'b7e4',
    section,
    sentence: 'MUST NOT revoke the tokens of another authorization, on another device of the same person',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const [first, second] = [
        await connect(browser('sam'), harbour, memberApp),
        await connect(browser('sam'), harbour, memberApp),
      ];
      const token = String(first.body['refresh_token']);
      await postForm(`${harbour}/api/oauth/revoke`, { token, client_id: memberApp.id });
      assertError(await userinfo(harbour, first.body['access_token']), 'invalid_token', 401);
      assert.equal((await userinfo(harbour, second.body['access_token'])).status, 200);
      assert.equal((await refresh(harbour, memberApp, second.body['refresh_token'])).status, 200);
    },
  },
  {
    id: '79c8',
    section,
    sentence: 'MUST accept a form with `token` and `client_id`, and refuse a form without either',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const token = String((await connect(browser('sam'), harbour, memberApp)).body['access_token']);
      const url = `${harbour}/api/oauth/revoke`;
      assertError(await postForm(url, { token }), 'invalid_request');
      assertError(await postForm(url, { client_id: memberApp.id }), 'invalid_request');
      assertError(await postForm(url, { token, client_id: 'nobody' }), 'invalid_client');
      assert.equal((await userinfo(harbour, token)).status, 200);
    },
  },
  {
    id: '9fdd',
    section,
    sentence: 'MUST NOT revoke a token of another client (RFC 7009 section 2.1)',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const token = String((await connect(browser('sam'), harbour, memberApp)).body['access_token']);
      await postForm(`${harbour}/api/oauth/revoke`, { token, ...clientFields(webMemberApp) });
      assert.equal((await userinfo(harbour, token)).status, 200);
    },
  },
  {
    id: '11a0',
    section,
    sentence: 'MUST respond with 200 for an unknown token, of whatever form (RFC 7009 section 2.2)',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const { body } = await connect(browser('sam'), harbour, memberApp);
      for (const token of ['unknown', String(body['id_token'])]) {
        const fields = { token, client_id: memberApp.id };
        assert.equal((await postForm(`${harbour}/api/oauth/revoke`, fields)).status, 200);
      }
      assert.equal((await userinfo(harbour, body['access_token'])).status, 200);
    },
  },
];
