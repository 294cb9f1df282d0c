import assert from 'node:assert/strict';
import {
  connect,
  exchange,
  getCode,
  introspect,
  memberApp,
  postForm,
  refresh,
  reports,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { assertError, assertRefused, assertShown, getJson, metadata, text, texts } from '../probes.ts';
import type { Row } from '../row.ts';

/** Clients, the authorization flow, and audiences. */
export const clients: readonly Row[] = [
  {
    id: '5509',
    section: 'Resources: OAuth client, redirect_uris',
    sentence: 'MUST redirect the browser only to a redirect URI of the client',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      for (const redirectUri of [
        'https://elsewhere.example/callback',
        'https://buddy.example/callback/more',
        'https://buddy.example/callback?more',
        'https://buddy.example.elsewhere.example/callback',
        'http://buddy.example/callback',
      ]) {
        await assertShown(browser('sam'), harbour, webMemberApp, { redirect_uri: redirectUri });
      }
    },
  },
  {
    id: '068d',
    section: 'Resources: OAuth client, token_endpoint_auth_method',
    sentence: 'MUST be `none` or `client_secret_post`, as the metadata lists',
    check: async ({ start }) => {
      const { harbour } = await start();
      const { token_endpoint_auth_methods_supported: methods } = await metadata(harbour);
      assert.deepEqual(texts(methods), ['client_secret_post', 'none']);
    },
  },
  {
    id: 'f581',
    section: 'Endpoints: Admin API',
    sentence: 'MUST issue tokens with the Admin API’s scopes to operator clients, and not to member clients',
    check: async ({ start }) => {
      const { harbour, browser, campus } = await start();
      const { body } = await connect(browser('olivia'), harbour, reports, { scope: 'courses:write', nonce: undefined });
      assert.equal(body['scope'], 'courses:write');
      await assertRefused(browser('sam'), harbour, memberApp, { scope: 'openid courses:read' }, 'invalid_scope');
      const redirectUris = ['https://timer.example/callback'];
      const member = { clientName: 'Study Timer', redirectUris, scopes: ['openid', 'courses:write'] } as const;
      const site = harbourSite(harbour);
      await assert.rejects(campus.applications.create(site, { ...member, confidential: false }), {
        error: 'invalid_client_metadata',
      });
      await assert.rejects(start({ campus: { clients: [{ ...member, clientId: 'timer', audience: 'member' }] } }), {
        name: 'TypeError',
      });
    },
  },
  {
    id: 'c4fa',
    section: 'Authentication: Flow 1',
    sentence: 'MUST use the code flow with PKCE, method S256 only',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const listed = await metadata(harbour);
      assert.deepEqual(texts(listed['response_types_supported']), ['code']);
      assert.deepEqual(texts(listed['code_challenge_methods_supported']), ['S256']);
      const plain = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' };
      const none = { code_challenge: undefined, code_challenge_method: undefined };
      for (const changes of [plain, none]) {
        await assertRefused(browser('sam'), harbour, memberApp, changes, 'invalid_request');
      }
    },
  },
  {
    id: '9951',
    section: 'Authentication: Flow 1',
    sentence: 'MUST accept a public client without a secret',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const issued = await getCode(browser('sam'), harbour, memberApp);
      assert.equal((await exchange(issued, { client_secret: undefined })).status, 200);
    },
  },
  {
    id: 'd12b',
    section: 'Authentication: Flow 1',
    sentence: 'MUST accept a confidential client’s secret in the form, not in HTTP Basic',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const { code, verifier } = await getCode(browser('olivia'), harbour, reports);
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: reports.redirectUri,
        code_verifier: verifier,
        resource: harbour,
      };
      const authorization = `Basic ${Buffer.from('reports:reports-secret').toString('base64')}`;
      assertError(await postForm(`${harbour}/api/oauth/token`, form, { authorization }), 'invalid_client');
      const posted = { ...form, client_id: 'reports', client_secret: 'reports-secret' };
      assert.equal((await postForm(`${harbour}/api/oauth/token`, posted)).status, 200);
    },
  },
  {
    id: 'a6c4',
    section: 'Authentication: Flow 2',
    sentence: 'MUST work in sequence: discover, authorize, exchange, call with the bearer token, refresh, revoke',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const listed = await metadata(harbour);
      const { body: first } = await connect(browser('sam'), harbour, memberApp);
      const call = async (token: unknown) =>
        getJson(text(listed['userinfo_endpoint']), { authorization: `Bearer ${text(token)}` });
      assert.equal((await call(first['access_token'])).status, 200);
      const { body: second } = await refresh(harbour, memberApp, first['refresh_token']);
      assert.equal((await call(second['access_token'])).status, 200);
      const fields = { token: text(second['refresh_token']), client_id: memberApp.id };
      assert.equal((await postForm(text(listed['revocation_endpoint']), fields)).status, 200);
      assertError(await call(second['access_token']), 'invalid_token', 401);
    },
  },
  {
    id: 'a4c1',
    section: 'Authentication: Registration rules 4',
    sentence: 'MUST allow an operator client to act for an operator of the site only',
    check: async ({ start }) => {
      const { harbour, browser, people } = await start();
      await assertRefused(browser('sam'), harbour, reports, {}, 'access_denied');
      await assertRefused(browser('nora'), harbour, reports, {}, 'access_denied');
      const { body } = await connect(browser('olivia'), harbour, reports);
      assert.equal((await userinfo(harbour, body['access_token'])).status, 200);
      people['harbour'] = { olivia: { id: 'olivia', name: 'Olivia', email: 'olivia@example.com', roles: ['teacher'] } };
      assertError(await userinfo(harbour, body['access_token']), 'invalid_token', 401);
    },
  },
  {
    id: 'ed10',
    section: 'Authentication: Registration rules 5',
    sentence:
      'MUST allow anyone with a role at the site, students included, to authorize a member client, and no one else',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      for (const person of ['sam', 'olivia']) {
        assert.equal((await connect(browser(person), harbour, memberApp)).status, 200);
      }
      await assertRefused(browser('nora'), harbour, memberApp, {}, 'access_denied');
      await assertRefused(browser('tess'), harbour, memberApp, {}, 'access_denied');
    },
  },
  {
    id: '1333',
    section: 'Authentication: Registration rules 6',
    sentence: 'MUST reserve `account:read` to member clients',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      await assertRefused(browser('olivia'), harbour, reports, { scope: 'openid account:read' }, 'invalid_scope');
      const { body } = await connect(browser('sam'), harbour, memberApp, { scope: 'openid account:read' });
      const { scope } = (await introspect(harbour, memberApp, body['access_token'])).body;
      assert.ok(text(scope).split(' ').includes('account:read'));
    },
  },
];
