import assert from 'node:assert/strict';
import Koa from 'koa';
import { decisionsOn } from '../../helpers/browser.ts';
import {
  connect,
  exchange,
  getCode,
  memberApp,
  postForm,
  reports,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { assertError, getJson, metadata, request, text, texts } from '../probes.ts';
import type { Row } from '../row.ts';

const endpoints = {
  authorization_endpoint: '/oauth/authorize',
  token_endpoint: '/api/oauth/token',
  userinfo_endpoint: '/api/oauth/userinfo',
  revocation_endpoint: '/api/oauth/revoke',
};

/** What the service does. */
export const service: readonly Row[] = [
  {
    id: '6f09',
    section: 'Introduction',
    sentence: 'MUST serve every address of a site under that site’s own origin',
    check: async ({ start }) => {
      const { harbour, summit } = await start();
      for (const [origin, other] of [
        [harbour, summit],
        [summit, harbour],
      ] as const) {
        const document = JSON.stringify(await metadata(origin));
        assert.ok(document.includes(origin) && !document.includes(other));
      }
    },
  },
  {
    id: '38c5',
    section: 'What the service does 1',
    sentence: 'MUST be the authorization server of each site, and the protected resource that accepts its tokens',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      for (const origin of [harbour, summit]) {
        const { body: resource } = await getJson(`${origin}/.well-known/oauth-protected-resource`);
        assert.deepEqual(texts(resource['authorization_servers']), [origin]);
        const tokens = await connect(browser('sam'), origin, webMemberApp);
        assert.equal((await userinfo(origin, tokens.body['access_token'])).status, 200);
      }
    },
  },
  {
    id: 'fefb',
    section: 'What the service does 2',
    sentence: 'MUST allow an operator client to reach the Admin API, and refuse tokens without the scope',
    check: async ({ start }) => {
      const { harbour, browser } = await start({
        app: (campus) => {
          const app = new Koa();
          app.silent = true;
          app.use(campus.middleware());
          app.use(campus.requireAccess({ scopes: ['courses:read'] }));
          app.use((ctx) => {
            ctx.body = { courses: [] };
          });
          return app;
        },
      });
      const admin = async (token: unknown) =>
        getJson(`${harbour}/api/courses`, { authorization: `Bearer ${text(token)}` });
      const operator = await connect(browser('olivia'), harbour, reports);
      assert.equal((await admin(operator.body['access_token'])).status, 200);
      const member = await connect(browser('olivia'), harbour, memberApp);
      assertError(await admin(member.body['access_token']), 'insufficient_scope', 403);
    },
  },
  {
    id: '29d7',
    section: 'What the service does 2',
    sentence: 'MUST limit a member client to the data of the one signed-in person at the one site',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      const { body } = await connect(browser('sam'), harbour, webMemberApp);
      assert.equal((await userinfo(harbour, body['access_token'])).body['sub'], 'sam');
      assertError(await userinfo(summit, body['access_token']), 'invalid_token', 401);
    },
  },
  {
    id: 'f5f4',
    section: 'What the service does 6',
    sentence: 'MUST list every endpoint in the discovery documents at its actual address',
    check: async ({ start }) => {
      const { harbour } = await start();
      const listed = await metadata(harbour);
      for (const [name, path] of Object.entries(endpoints)) assert.equal(listed[name], `${harbour}${path}`);
      const addresses = Object.entries(listed).filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri');
      for (const [name, address] of addresses) {
        const { status } = await fetch(text(address), { redirect: 'manual' });
        assert.notEqual(status, 404, `${name} does not exist`);
      }
    },
  },
  {
    id: '1f7f',
    section: 'What the service does 6',
    sentence: 'MUST list every grant type in the discovery documents, and accept no other',
    check: async ({ start }) => {
      const { harbour } = await start();
      const { grant_types_supported: grantTypes } = await metadata(harbour);
      assert.deepEqual(texts(grantTypes), ['authorization_code', 'refresh_token']);
      for (const grantType of ['password', 'client_credentials', 'implicit']) {
        const fields = { grant_type: grantType, client_id: 'reports', client_secret: 'reports-secret' };
        assertError(await postForm(`${harbour}/api/oauth/token`, fields), 'unsupported_grant_type');
      }
    },
  },
  {
    id: '54bb',
    section: 'What the service does 7',
    sentence: 'MUST NOT offer an identity assertion, service auth or claim ceremony',
    check: async ({ start }) => {
      const { harbour } = await start();
      const names = Object.keys(await metadata(harbour)).join(' ');
      assert.doesNotMatch(names, /agent|assertion|identity|ceremony/);
      const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
      const fields = { grant_type: grantType, assertion: 'x', client_id: 'member-app' };
      assertError(await postForm(`${harbour}/api/oauth/token`, fields), 'unsupported_grant_type');
    },
  },
  {
    id: 'eb9c',
    section: 'What the service does 7',
    sentence: 'MUST ask for consent interactively at the authorization endpoint before it issues a code',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const { url, html } = await request(browser('sam'), harbour, memberApp);
      assert.equal(url.origin, harbour);
      assert.deepEqual(decisionsOn(html), ['allow', 'deny']);
      assert.equal((await exchange(await getCode(browser('sam'), harbour, memberApp))).status, 200);
    },
  },
];
