import assert from 'node:assert/strict';
import { connect, exchange, getCode, introspect, memberApp, userinfo, webMemberApp } from '../../helpers/flow.ts';
import { assertChallenge, assertError, assertRefused, getJson } from '../probes.ts';
import type { Row } from '../row.ts';

const binding = 'Authentication: Audience binding';
const missing = 'Authentication: Anonymous and missing tokens';

/** Audience binding, and requests with an invalid token. */
export const audience: readonly Row[] = [
  {
    id: '25f9',
    section: `${binding} 1`,
    sentence: 'MUST require `resource` from a member client at authorization and again at the token endpoint',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      await assertRefused(browser('sam'), harbour, webMemberApp, { resource: undefined }, 'invalid_target');
      const issued = await getCode(browser('sam'), harbour, webMemberApp);
      assertError(await exchange(issued, { resource: undefined }), 'invalid_target');
      assert.equal((await exchange(issued)).status, 200);
    },
  },
  {
    id: '599a',
    section: `${binding} 1`,
    sentence: 'MUST bind a member token to the origin, so that other origins refuse it',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      const { body } = await connect(browser('sam'), harbour, webMemberApp);
      assert.equal((await userinfo(harbour, body['access_token'])).status, 200);
      const elsewhere = await userinfo(summit, body['access_token']);
      assertError(elsewhere, 'invalid_token', 401);
      await assertChallenge(elsewhere, summit, 'invalid_token');
    },
  },
  {
    id: '06f6',
    section: `${binding} 3`,
    sentence: 'MUST report the binding through token introspection (RFC 7662)',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      const { body } = await connect(browser('sam'), harbour, webMemberApp);
      const here = await introspect(harbour, webMemberApp, body['access_token']);
      assert.equal(here.body['active'], true);
      assert.equal(here.body['aud'], harbour);
      const there = await introspect(summit, webMemberApp, body['access_token']);
      assert.deepEqual({ ...there.body }, { active: false });
    },
  },
  {
    id: 'e5d2',
    section: `${binding} 3`,
    sentence: 'MUST report a token that is not active here as inactive, of whatever form (RFC 7662 section 2.2)',
    check: async ({ start }) => {
      const { harbour, summit, browser } = await start();
      const { body } = await connect(browser('sam'), harbour, webMemberApp);
      assert.deepEqual((await introspect(harbour, webMemberApp, body['id_token'])).body, { active: false });
      assert.deepEqual((await introspect(harbour, webMemberApp, 'unknown')).body, { active: false });
      assert.deepEqual((await introspect(summit, webMemberApp, body['access_token'])).body, { active: false });
    },
  },
  {
    id: '2809',
    section: `${missing} 3`,
    sentence: 'MUST respond with 401 `invalid_token` to an invalid or malformed token',
    check: async ({ start }) => {
      const { harbour } = await start();
      for (const authorization of ['Bearer unknown', 'Bearer', 'Bearer two words', 'Bearer ü', 'Basic YTpi', 'x']) {
        const header = Buffer.from(authorization).toString('latin1');
        const response = await getJson(`${harbour}/api/oauth/userinfo`, { authorization: header });
        assertError(response, 'invalid_token', 401);
      }
    },
  },
  {
    id: '1e0d',
    section: `${missing} 3`,
    sentence: 'MUST respond with 403 `insufficient_scope` to a valid token that lacks a required scope',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      const changes = { scope: 'profile account:read', nonce: undefined };
      const { body } = await connect(browser('sam'), harbour, memberApp, changes);
      assertError(await userinfo(harbour, body['access_token']), 'insufficient_scope', 403);
    },
  },
  {
    id: '8cc6',
    section: `${missing} 3`,
    sentence: 'MUST send `WWW-Authenticate` with both, pointing to the protected-resource metadata',
    check: async ({ start }) => {
      const { harbour, browser } = await start();
      await assertChallenge(await userinfo(harbour, 'unknown'), harbour, 'invalid_token');
      const changes = { scope: 'email', nonce: undefined };
      const { body } = await connect(browser('sam'), harbour, memberApp, changes);
      await assertChallenge(await userinfo(harbour, body['access_token']), harbour, 'insufficient_scope');
    },
  },
];
