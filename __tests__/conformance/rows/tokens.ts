import assert from 'node:assert/strict';
import { connect, introspect, memberApp, refresh, reports, userinfo, webMemberApp } from '../../helpers/flow.ts';
import { signingKey } from '../../helpers/keys.ts';
import { metadata, text, texts, verified } from '../probes.ts';
import type { Row } from '../row.ts';

const idToken = 'Resources: Tokens 3';

/** The kinds of token. */
export const tokens: readonly Row[] = [
  {
    id: 'ca66',
    section: 'Resources: Tokens 1',
    sentence: 'MUST bind the access token to the audience in `resource` (RFC 8707)',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      for (const origin of [harbour, summit]) {
        const { body } = await connect(browser('sam'), origin, webMemberApp);
        assert.equal((await introspect(origin, webMemberApp, body['access_token'])).body['aud'], origin);
      }
    },
  },
  {
    id: 'fabd',
    section: 'Resources: Tokens 2',
    sentence: 'MUST issue a refresh token that can be redeemed',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      for (const [person, client] of [
        ['sam', memberApp],
        ['olivia', reports],
      ] as const) {
        const { body } = await connect(browser(person), harbour, client);
        assert.equal((await refresh(harbour, client, text(body['refresh_token']))).status, 200);
      }
    },
  },
  {
    id: 'a13c',
    section: idToken,
    sentence: 'MUST return an ID token from the code exchange when `openid` was granted',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const listed = await metadata(harbour);
      texts(listed['id_token_signing_alg_values_supported']);
      text(listed['jwks_uri']);
      text((await connect(browser('sam'), harbour, memberApp, { scope: 'openid' })).body['id_token']);
    },
  },
  {
    id: 'a496',
    section: idToken,
    sentence: 'MUST NOT return an ID token when `openid` was not requested',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const changes = { scope: 'profile email account:read', nonce: undefined };
      const { status, body } = await connect(browser('sam'), harbour, memberApp, changes);
      assert.equal(status, 200);
      assert.equal('id_token' in body, false);
    },
  },
  {
    id: '08de',
    section: idToken,
    sentence: 'MUST NOT return an ID token while the discovery document lists no signing algorithm',
    check: async ({ start }) => {
      const keys = { signing: [], published: [await signingKey('next')], cookies: ['a secret of the tests'] };
      const { harbour, browser } = await start({ campus: { keys } });
      assert.equal('id_token_signing_alg_values_supported' in (await metadata(harbour)), false);
      const { status, body } = await connect(browser('sam'), harbour, memberApp);
      assert.equal(status, 200);
      assert.equal('id_token' in body, false);
    },
  },
  {
    id: 'd660',
    section: idToken,
    sentence: 'MUST include iss, aud, exp, nonce, sub, email, name, picture, org_id and roles in the ID token',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const { body } = await connect(browser('sam'), harbour, memberApp);
      const { payload } = await verified(harbour, body['id_token']);
      for (const name of ['iss', 'aud', 'exp', 'nonce', 'sub', 'email', 'name', 'picture', 'org_id', 'roles']) {
        assert.ok(name in payload, `no ${name}`);
      }
    },
  },
  {
    id: 'e725',
    section: idToken,
    sentence: 'MUST return the same claims about the person in the ID token and at UserInfo, for all scopes',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      for (const scope of ['openid profile email', 'openid profile', 'openid email', 'openid']) {
        const { body } = await connect(browser('olivia'), harbour, memberApp, { scope });
        const { payload } = await verified(harbour, body['id_token']);
        const { body: info } = await userinfo(harbour, body['access_token']);
        const { sub, email, name, picture, org_id: organisation, roles } = payload;
        const there = { sub, email, name, picture, organisation, roles };
        const { org_id: asked, ...rest } = info;
        const here = { ...rest, organisation: asked };
        for (const [claim, value] of Object.entries(there)) assert.deepEqual(Reflect.get(here, claim), value, claim);
      }
    },
  },
];
