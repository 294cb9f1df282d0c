import assert from 'node:assert/strict';
import { connect, memberApp, userinfo, webMemberApp } from '../../helpers/flow.ts';
import { signingKey } from '../../helpers/keys.ts';
import { getJson, metadata, text, verified } from '../probes.ts';
import type { Row } from '../row.ts';

const section = 'Authentication: ID token verification';

/** ID token verification. */
export const idTokenRows: readonly Row[] = [
  {
    id: 'b2e9',
    section: `${section} 1`,
    sentence: 'MUST have the origin of the service as `iss`',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      for (const origin of [harbour, summit]) {
        const { body } = await connect(browser('sam'), origin, webMemberApp);
        assert.equal((await verified(origin, body['id_token'])).payload.iss, origin);
      }
    },
  },
  {
    id: '8f3b',
    section: `${section} 2`,
    sentence: 'MUST have the `client_id` as `aud`',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      for (const client of [memberApp, webMemberApp]) {
        const { body } = await connect(browser('sam'), harbour, client);
        assert.equal((await verified(harbour, body['id_token'])).payload.aud, client.id);
      }
    },
  },
  {
    id: 'ed18',
    section: `${section} 3`,
    sentence: 'MUST expire in the future',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const { body } = await connect(browser('sam'), harbour, memberApp);
      const { exp = 0 } = (await verified(harbour, body['id_token'])).payload;
      assert.ok(exp > Date.now() / 1000);
    },
  },
  {
    id: '1bfd',
    section: `${section} 4`,
    sentence: 'MUST have the `nonce` of the authorization request',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      for (const nonce of ['one', 'another']) {
        const { body } = await connect(browser('sam'), harbour, memberApp, { nonce });
        assert.equal((await verified(harbour, body['id_token'])).payload['nonce'], nonce);
      }
    },
  },
  {
    id: 'df66',
    section: `${section} 5`,
    sentence: 'MUST be signed with ES256 by the key at `jwks_uri` that `kid` names',
    check: async ({ start }) => {
      const [now, before] = await Promise.all([signingKey('key-2'), signingKey('key-1')]);
      const keys = { signing: [now], published: [before], cookies: ['a secret of the tests'] };
      const { harbour, browser } = await start({ campus: { keys } });
      const { body } = await connect(browser('sam'), harbour, memberApp);
      const { protectedHeader } = await verified(harbour, body['id_token']);
      assert.equal(protectedHeader.alg, 'ES256');
      assert.equal(protectedHeader.kid, 'key-2');
    },
  },
  {
    id: 'dc5a',
    section: `${section} 6`,
    sentence: 'MAY publish keys before they sign; UserInfo then identifies the person',
    check: async ({ start }) => {
      const keys = { signing: [], published: [await signingKey('next')], cookies: ['a secret of the tests'] };
      const { harbour, browser } = await start({ campus: { keys } });
      const { jwks_uri: jwksUri, ...rest } = await metadata(harbour);
      const { keys: published } = (await getJson(text(jwksUri))).body;
      assert.ok(Array.isArray(published) && published.length === 1);
      assert.equal('id_token_signing_alg_values_supported' in rest, false);
      const { body } = await connect(browser('sam'), harbour, memberApp);
      assert.equal('id_token' in body, false);
      assert.equal((await userinfo(harbour, body['access_token'])).body['sub'], 'sam');
    },
  },
  {
    id: '9995',
    section: 'Limits, ID token lifetime',
    sentence: 'MUST issue ID tokens with a lifetime of 10 minutes',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const before = Math.floor(Date.now() / 1000);
      const { body } = await connect(browser('sam'), harbour, memberApp);
      const after = Date.now() / 1000;
      const { exp = 0, iat = 0 } = (await verified(harbour, body['id_token'])).payload;
      assert.equal(exp - iat, 600);
      assert.ok(before <= iat && iat <= after);
    },
  },
];
