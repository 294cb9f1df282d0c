import assert from 'node:assert/strict';
import { connect, memberApp, postForm, refresh, userinfo } from '../../helpers/flow.ts';
import { assertError, assertRefused, text } from '../probes.ts';
import { acme, both, newTool, register, schools, tool } from '../registering.ts';
import type { Row } from '../row.ts';

/** Clients from the registration endpoint. */
export const registeredClients: readonly Row[] = [
  {
    id: 'e309',
    section: 'Resources: OAuth client, client_id',
    sentence: 'MUST be issued to a client that registers, and identify it afterwards',
    check: async (ctx) => {
      const { harbour, browser } = await schools(ctx, both);
      const [one, two] = [await newTool(harbour), await newTool(harbour)];
      assert.notEqual(one.id, two.id);
      assert.equal((await connect(browser('olivia'), harbour, one)).status, 200);
    },
  },
  {
    id: '3657',
    section: 'Authentication: Flow 2',
    sentence: 'MUST work in sequence with registration after discovery',
    check: async (ctx) => {
      const { harbour, browser } = await schools(ctx, both);
      const client = await newTool(harbour);
      const { body } = await connect(browser('olivia'), harbour, client);
      assert.equal((await userinfo(harbour, body['access_token'])).body['sub'], 'olivia');
      const second = await refresh(harbour, client, body['refresh_token']);
      const fields = { token: text(second.body['refresh_token']), client_id: client.id };
      assert.equal((await postForm(`${harbour}/api/oauth/revoke`, fields)).status, 200);
      assertError(await userinfo(harbour, second.body['access_token']), 'invalid_token', 401);
    },
  },
  {
    id: 'ef1c',
    section: 'Authentication: Registration rules 4',
    sentence: 'MUST allow a registered client to act for a site operator only',
    check: async (ctx) => {
      const { harbour, browser } = await schools(ctx, both);
      const client = await newTool(harbour);
      await assertRefused(browser('sam'), harbour, client, {}, 'access_denied');
      const vendor = { id: acme.clientId, redirectUri: acme.redirectUris[0] ?? '', scope: 'openid' };
      await assertRefused(browser('sam'), harbour, vendor, {}, 'access_denied');
      assert.equal((await connect(browser('olivia'), harbour, client)).status, 200);
      assert.equal((await connect(browser('olivia'), harbour, vendor)).status, 200);
    },
  },
  {
    id: 'bc1c',
    section: 'Authentication: Registration rules 6',
    sentence: 'MUST refuse `account:read` to a client from the registration endpoint with `invalid_scope`',
    check: async (ctx) => {
      const { harbour, browser } = await schools(ctx, both);
      const client = await newTool(harbour);
      await assertRefused(browser('olivia'), harbour, client, { scope: 'openid account:read' }, 'invalid_scope');
      const wider = { ...tool, scope: 'openid account:read' };
      const { body } = await register(harbour, wider);
      const asked = { ...client, id: text(body['client_id']) };
      await assertRefused(browser('olivia'), harbour, asked, { scope: 'openid account:read' }, 'invalid_scope');
    },
  },
  {
    id: '07f0',
    section: 'Authentication: Registration rules 5',
    sentence: 'MUST NOT create a member client through registration',
    check: async (ctx) => {
      const { harbour, browser } = await schools(ctx, both);
      assert.equal((await connect(browser('sam'), harbour, memberApp)).status, 200);
      const { body } = await register(harbour, { ...tool, audience: 'member', campus_audience: 'member' });
      const client = { id: text(body['client_id']), redirectUri: tool.redirect_uris[0] ?? '', scope: 'openid' };
      await assertRefused(browser('sam'), harbour, client, {}, 'access_denied');
    },
  },
  {
    id: 'a94a',
    section: 'Errors, invalid_scope',
    sentence: 'MUST be returned if a client from the registration endpoint requests `account:read`',
    check: async (ctx) => {
      const { harbour, browser } = await schools(ctx, both);
      const client = await newTool(harbour);
      await assertRefused(
        browser('olivia'),
        harbour,
        client,
        { scope: 'account:read', nonce: undefined },
        'invalid_scope',
      );
    },
  },
];
