import assert from 'node:assert/strict';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { Store } from '../../../lib/store.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  getCode,
  memberApp,
  pkce,
  postForm,
  refresh,
  reports,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { assertChallenge, assertError, assertRefused, getJson } from '../probes.ts';
import type { Row } from '../row.ts';

/** The error table. */
export const errors: readonly Row[] = [
  {
    id: '7c43',
    section: 'Errors',
    sentence: 'MUST return errors of OAuth endpoints as JSON with `error` and `error_description`',
    check: async ({ start }) => {
      const { harbour } = await start();
      for (const path of ['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/introspect']) {
        assertError(await postForm(`${harbour}${path}`, {}), 'invalid_request', 400);
      }
      assertError(await getJson(`${harbour}/api/oauth/userinfo`), 'invalid_token', 401);
      const unknown = authorizeUrl(harbour, memberApp, pkce(), { client_id: 'nobody' });
      assertError(await getJson(unknown.href, { accept: 'application/json' }), 'invalid_client');
    },
  },
  {
    id: 'a9cc',
    section: 'Errors, invalid_request',
    sentence: 'MUST be returned for a malformed request',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const token = `${harbour}/api/oauth/token`;
      assertError(await postForm(token, { client_id: memberApp.id }), 'invalid_request');
      const type = 'application/x-www-form-urlencoded';
      for (const body of ['grant_type=authorization_code&client_id=member-app&code=a&code=b', '%']) {
        const response = await fetch(token, { method: 'POST', body, headers: { 'content-type': type } });
        const result = { status: response.status, headers: response.headers, body: Object(await response.json()) };
        assertError(result, 'invalid_request');
      }
      const twice = authorizeUrl(harbour, memberApp, pkce());
      twice.searchParams.append('state', 'another');
      const { url } = await browser('sam').follow(twice);
      assert.equal(url.searchParams.get('error'), 'invalid_request', url.href);
    },
  },
  {
    id: '4b8e',
    section: 'Errors, invalid_request',
    sentence: 'MUST be returned for an authorization request that is too long, at the redirect URI if that is valid',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      await assertRefused(browser('sam'), harbour, memberApp, { nonce: 'n'.repeat(501) }, 'invalid_request');
      await assertRefused(browser('sam'), harbour, memberApp, { max_age: '1e3' }, 'invalid_request');
      const long = authorizeUrl(harbour, memberApp, pkce(), { state: 's'.repeat(9000) });
      assertError(await getJson(long.href, { accept: 'application/json' }), 'invalid_request', 400);
    },
  },
  {
    id: '526d',
    section: 'Errors, invalid_grant',
    sentence: 'MUST be returned for a code or refresh token that is not acceptable',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const issued = await getCode(browser('sam'), harbour, memberApp);
      assertError(await exchange(issued, { code: 'unknown' }), 'invalid_grant');
      assertError(await refresh(harbour, memberApp, 'unknown'), 'invalid_grant');
      const { body } = await exchange(issued);
      assertError(await exchange(issued, { code: String(body['access_token']) }), 'invalid_grant');
    },
  },
  {
    id: '1cb8',
    section: 'Errors, invalid_client',
    sentence: 'MUST be returned for a client that is not acceptable',
    check: async ({ start }) => {
      const { harbour, summit } = await start();
      assertError(await refresh(harbour, { ...memberApp, id: 'nobody' }, 'any'), 'invalid_client');
      assertError(await refresh(summit, memberApp, 'any'), 'invalid_client');
      assertError(await refresh(harbour, { ...reports, secret: 'wrong' }, 'any'), 'invalid_client');
    },
  },
  {
    id: 'a951',
    section: 'Errors, invalid_scope',
    sentence: 'MUST be returned for a scope that does not exist or that the client may not request',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      for (const scope of ['openid nothing:read', 'openid courses:read', 'openid Email']) {
        await assertRefused(browser('sam'), harbour, memberApp, { scope }, 'invalid_scope');
      }
      const { body } = await connect(browser('sam'), harbour, memberApp, { scope: 'openid email' });
      const wider = { scope: 'openid email account:read' };
      assertError(await refresh(harbour, memberApp, body['refresh_token'], wider), 'invalid_scope');
    },
  },
  {
    id: 'fc5a',
    section: 'Errors, 401 invalid_token',
    sentence: 'MUST be returned for an invalid token and a token for another origin, with `WWW-Authenticate`',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      const { body } = await connect(browser('sam'), summit, webMemberApp);
      for (const token of ['unknown', String(body['access_token']), String(body['refresh_token'])]) {
        const result = await userinfo(harbour, token);
        assertError(result, 'invalid_token', 401);
        await assertChallenge(result, harbour, 'invalid_token');
      }
    },
  },
  {
    id: 'd722',
    section: 'Errors, 403 insufficient_scope',
    sentence: 'MUST be returned for a valid token that lacks a required scope, with `WWW-Authenticate`',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const changes = { scope: 'email profile', nonce: undefined };
      const { body } = await connect(browser('sam'), harbour, memberApp, changes);
      const result = await userinfo(harbour, body['access_token']);
      assertError(result, 'insufficient_scope', 403);
      await assertChallenge(result, harbour, 'insufficient_scope');
      assert.match(result.headers.get('www-authenticate') ?? '', /scope="(?:email profile|profile email) openid"/);
    },
  },
  {
    id: '928d',
    section: 'Errors, 503 temporarily_unavailable',
    sentence:
      'SHOULD be returned at UserInfo, too, when no verdict on the token can be reached, without `WWW-Authenticate`',
    check: async ({ start }) => {
      const memory = memoryStore();
      let down = false;
      const find: Store['find'] = async (...question) => {
        if (down) throw new Error('the store is down');
        return memory.find(...question);
      };
      const { harbour, browser } = await start({ campus: { store: { ...memory, find } } });
      const { body } = await connect(browser('sam'), harbour, memberApp);
      down = true;
      const result = await userinfo(harbour, body['access_token']);
      assertError(result, 'temporarily_unavailable', 503);
      assert.equal(result.headers.get('www-authenticate'), null);
      down = false;
      assert.equal((await userinfo(harbour, body['access_token'])).status, 200);
    },
  },
];
