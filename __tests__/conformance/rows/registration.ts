import assert from 'node:assert/strict';
import { loopbackClients } from '../../../policies/index.ts';
import { connect, postForm } from '../../helpers/flow.ts';
import { assertError, metadata, text, texts } from '../probes.ts';
import { acme, both, register, schools, tool, vendors, web } from '../registering.ts';
import type { Row } from '../row.ts';

/** The registration endpoint. */
export const registration: readonly Row[] = [
  {
    id: 'c5ee',
    section: 'Resources: OAuth client, client_name',
    sentence: 'MUST be matched against the known integrations at registration',
    check: async (ctx) => {
      const { harbour } = await schools(ctx, both);
      assert.equal((await register(harbour, { ...tool, client_name: 'Acme Agents' })).body['client_id'], acme.clientId);
      assert.notEqual((await register(harbour, tool)).body['client_id'], acme.clientId);
    },
  },
  {
    id: '965a',
    section: 'Resources: OAuth client, application_type',
    sentence: 'MUST be accepted at registration, `native` for local tools',
    check: async (ctx) => {
      const { harbour } = await schools(ctx, both);
      assert.equal((await register(harbour, tool)).body['application_type'], 'native');
    },
  },
  {
    id: 'c90d',
    section: 'Resources: OAuth client, token_endpoint_auth_method',
    sentence: 'MUST be `none` for a client that registers, whatever method it asks for',
    check: async (ctx) => {
      const { harbour } = await schools(ctx, both);
      for (const client_name of ['Agent', 'Acme Agents']) {
        const wanted = { ...tool, client_name, token_endpoint_auth_method: 'client_secret_post' };
        const { status, body } = await register(harbour, wanted);
        assert.ok([200, 201].includes(status), JSON.stringify(body));
        assert.equal(body['token_endpoint_auth_method'], 'none');
        assert.equal('client_secret' in body, false);
      }
    },
  },
  {
    id: '6d04',
    section: 'Endpoints: Discovery and description, registration_endpoint',
    sentence: 'MUST be advertised where clients can register, and not elsewhere',
    check: async (ctx) => {
      const open = await schools(ctx, both);
      assert.equal((await metadata(open.harbour))['registration_endpoint'], `${open.harbour}/api/oauth/register`);
      const closed = await schools(ctx, []);
      assert.equal('registration_endpoint' in (await metadata(closed.harbour)), false);
      assert.equal((await fetch(`${closed.harbour}/api/oauth/register`, { method: 'POST' })).status, 404);
    },
  },
  {
    id: '4733',
    section: 'Endpoints: OAuth endpoints, POST /api/oauth/register',
    sentence: 'MUST accept JSON with client_name, application_type, redirect_uris and token_endpoint_auth_method',
    check: async (ctx) => {
      const { harbour } = await schools(ctx, both);
      const { status, body } = await register(harbour, tool);
      assert.ok([200, 201].includes(status));
      const { client_name: name, redirect_uris: uris, token_endpoint_auth_method: method } = body;
      assert.deepEqual({ name, method }, { name: tool.client_name, method: 'none' });
      assert.deepEqual(texts(uris), tool.redirect_uris);
      assert.equal((await postForm(`${harbour}/api/oauth/register`, { client_name: 'Form' })).status, 400);
    },
  },
  {
    id: 'd5c2',
    section: 'Endpoints: OAuth endpoints, POST /api/oauth/register',
    sentence: 'MUST respond with JSON that has `client_id`',
    check: async (ctx) => {
      const { harbour } = await schools(ctx, both);
      const { headers, body } = await register(harbour, tool);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
      text(body['client_id']);
    },
  },
  {
    id: 'd949',
    section: 'Authentication: Registration rules 1',
    sentence: 'MUST return the `client_id` of a known integration for its name, whatever else is posted',
    check: async (ctx) => {
      for (const policies of [vendors, both]) {
        const { harbour } = await schools(ctx, policies);
        const { body } = await register(harbour, { ...web, client_name: 'Acme Agents' });
        assert.equal(body['client_id'], acme.clientId);
        assert.deepEqual(texts(body['redirect_uris']), acme.redirectUris);
      }
    },
  },
  {
    id: '4491',
    section: 'Authentication: Registration rules 1',
    sentence: 'MUST refuse an unknown name with `invalid_client_metadata` if only known integrations can register',
    check: async (ctx) => {
      const { harbour } = await schools(ctx, vendors);
      for (const body of [tool, web, { client_name: 'Acme Agent' }, {}]) {
        assertError(await register(harbour, body), 'invalid_client_metadata');
      }
    },
  },
  {
    id: '40a5',
    section: 'Authentication: Registration rules 2',
    sentence: 'MUST be open to any client that redirects to http://127.0.0.1:PORT/…',
    check: async (ctx) => {
      for (const localhost of [true, false]) {
        const { harbour, browser } = await schools(ctx, [loopbackClients({ localhost })]);
        for (const redirectUri of [
          'http://127.0.0.1:1/',
          'http://127.0.0.1:65535/a/b?c=d',
          'http://127.0.0.1/callback',
        ]) {
          const { status, body } = await register(harbour, { client_name: 'Agent', redirect_uris: [redirectUri] });
          assert.ok([200, 201].includes(status), JSON.stringify(body));
          const client = { id: text(body['client_id']), redirectUri, scope: 'openid' };
          assert.equal((await connect(browser('olivia'), harbour, client)).status, 200);
        }
      }
    },
  },
  {
    id: '7b3e',
    section: 'Authentication: Registration rules 2',
    sentence:
      'MUST be open to http://127.0.0.1:PORT/… alone where the platform chooses so, and to http://localhost otherwise',
    check: async (ctx) => {
      const local = { ...tool, redirect_uris: ['http://localhost:8123/callback'] };
      const letter = await schools(ctx, [loopbackClients({ localhost: false })]);
      assertError(await register(letter.harbour, local), 'invalid_redirect_uri');
      const { harbour } = await schools(ctx, both);
      assert.deepEqual(texts((await register(harbour, local)).body['redirect_uris']), local.redirect_uris);
    },
  },
  {
    id: '9e1e',
    section: 'Authentication: Registration rules 2',
    sentence: 'MUST refuse a fixed HTTPS callback with `invalid_redirect_uri`, except of a known integration',
    check: async (ctx) => {
      for (const policies of [[loopbackClients()], [loopbackClients({ localhost: false })], both]) {
        const { harbour } = await schools(ctx, policies);
        assertError(await register(harbour, web), 'invalid_redirect_uri');
        const mixed = { ...web, redirect_uris: [...tool.redirect_uris, ...web.redirect_uris] };
        assertError(await register(harbour, mixed), 'invalid_redirect_uri');
      }
    },
  },
  {
    id: '6f60',
    section: 'Authentication: Registration rules 2',
    sentence: 'MUST register clients at the address in the metadata, according to the configured description',
    check: async (ctx) => {
      for (const [policies, tools, unknown] of [
        [vendors, 400, 'invalid_client_metadata'],
        [[loopbackClients()], 201, 'invalid_redirect_uri'],
        [both, 201, 'invalid_redirect_uri'],
      ] as const) {
        const { harbour } = await schools(ctx, policies);
        assert.equal((await register(harbour, tool)).status, tools);
        assertError(await register(harbour, web), unknown);
      }
    },
  },
  {
    id: '503f',
    section: 'Errors, invalid_client_metadata',
    sentence: 'MUST be returned for a registration whose name matches no known integration',
    check: async (ctx) => {
      const { harbour } = await schools(ctx, vendors);
      assertError(await register(harbour, { ...web, client_name: 'Nobody' }), 'invalid_client_metadata');
    },
  },
  {
    id: '9907',
    section: 'Errors, invalid_redirect_uri',
    sentence: 'MUST be returned for a registration with a fixed HTTPS callback',
    check: async (ctx) => {
      const { harbour } = await schools(ctx, both);
      assertError(await register(harbour, web), 'invalid_redirect_uri');
    },
  },
];
