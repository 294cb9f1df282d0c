import { afterEach, describe, expect, test } from '@jest/globals';
import * as two from '@modelcontextprotocol/client';
import { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { exportJWK } from 'jose';
import type { VerifiedToken, AuditEvent, VerifiedServiceToken } from '../../../lib/index.ts';
import { builtInTools, defineTool } from '../../../lib/mcp/index.ts';
import { clientKey } from '../../helpers/client-keys.ts';
import { testClients } from '../../helpers/clients.ts';
import { connect, reports } from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../../helpers/schools.ts';
import { serviceToken, sync, syncApp, withServices } from '../../helpers/services.ts';
import { testData } from '../../member-api/data.ts';
import { callTool, listedNames, resultOf, rpc } from '../../mcp/rpc.ts';

let schools: Schools;
let events: AuditEvent[];
afterEach(() => schools.close());

/** `access` has no member unless the tool takes people only; what is not there does not compile. */
const tools = [
  defineTool({
    name: 'export_students',
    description: 'For operators and services.',
    access: { scopes: ['students:read'], audience: ['operator', 'service'] },
    run: (_args, { token }) => {
      const who: VerifiedToken | VerifiedServiceToken | undefined = token;
      return who?.member?.id ?? who?.clientId ?? '';
    },
  }),
  defineTool({
    name: 'nightly',
    description: 'For services only.',
    access: {
      scopes: ['courses:read'],
      audience: ['service'],
    },
    run: (_args, { token }) => token?.service.roles.join() ?? '',
  }),
  defineTool({
    name: 'courses',
    description: 'For people, as every tool that says nothing else.',
    access: { scopes: ['courses:read'] },
    run: (_args, { token }) => token?.member.id ?? '',
  }),
  defineTool({
    name: 'any_token',
    description: 'For people, without a scope.',
    access: { scopes: [] },
    run: (_args, { token }) => token?.member.id ?? '',
  }),
  defineTool({
    name: 'open',
    description: 'For everybody.',
    access: 'public',
    run: (_args, { token }) => token?.member.id ?? 'nobody',
  }),
];

async function start(campus: SchoolsOptions['campus'] = {}): Promise<void> {
  const { data } = testData();
  schools = await startSchools({
    campus: { ...withServices, ...campus },
    mcp: { tools: [...tools, ...builtInTools({ data })] },
    platform: { findService: () => ({ roles: ['integration'] }) },
  });
  events = [];
  schools.campus.events.on('audit', (event) => events.push(event));
}

const tokenOf = async (): Promise<string> => String((await serviceToken(schools.harbour)).body['access_token']);

describe('with the token of a service', () => {
  test('the tools are listed that take services, and the public ones', async () => {
    await start();
    const token = await tokenOf();
    expect(await listedNames(schools.harbour, { token })).toEqual([
      'export_students',
      'nightly',
      'open',
      'school_info',
    ]);
    const olivia = await connect(schools.browser('olivia'), schools.harbour, reports);
    const own = await listedNames(schools.harbour, { token: String(olivia.body['access_token']) });
    expect(own).toContain('export_students');
    expect(own).not.toContain('nightly');
  });

  test.each([
    ['export_students', 'sync'],
    ['nightly', 'integration'],
    ['open', 'nobody'],
  ])('%s is called', async (name, text) => {
    await start();
    const response = await callTool(schools.harbour, name, {}, { token: await tokenOf() });
    expect(resultOf(response.body)).toMatchObject({ content: [{ type: 'text', text }] });
    expect(events.at(-1)).toMatchObject({
      action: 'tool.called',
      clientId: 'sync',
      tool: { name, outcome: 'succeeded' },
    });
    expect(events.at(-1)).not.toHaveProperty('memberId');
  });

  test('every other tool refuses it, without a scope that would not help', async () => {
    await start();
    const token = await tokenOf();
    const { data } = testData();
    const others = [
      'courses',
      'any_token',
      ...builtInTools({ data }).flatMap(({ name, access }) => (access === 'public' ? [] : name)),
    ];
    expect(others.length).toBeGreaterThan(4);
    for (const name of others) {
      const response = await callTool(schools.harbour, name, {}, { token });
      expectError(response, 403, 'insufficient_scope');
      expect(response.headers.get('www-authenticate')).not.toContain('scope="');
    }
  });

  test('a tool for services refuses people', async () => {
    await start();
    const { body } = await connect(schools.browser('olivia'), schools.harbour, reports);
    const token = String(body['access_token']);
    expectError(await callTool(schools.harbour, 'nightly', {}, { token }), 403, 'insufficient_scope');
  });

  test('its calls are counted by client', async () => {
    await start({ limits: { tokenCalls: { perMember: 2 } } });
    const token = await tokenOf();
    for (const status of [200, 200, 429]) {
      expect((await rpc(schools.harbour, 'tools/list', {}, { token })).status).toBe(status);
    }
    expect(events.at(-1)).toMatchObject({ action: 'quota.exceeded', reason: 'tokenCalls', clientId: 'sync' });
  });
});

test('the guide says which tools take services', async () => {
  await start();
  const guide = await (await fetch(`${schools.harbour}/auth.md`)).text();
  const row = (name: string): string => guide.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
  expect(row('export_students')).toContain('for operators and services');
  expect(row('nightly')).toContain('for services');
  expect(row('courses')).not.toContain('services');
});

describe.each(['client_secret_post', 'client_secret_basic'])(
  'the ClientCredentialsProvider of the MCP SDK with %s',
  (method) => {
    const options = { clientId: sync.clientId, clientSecret: String(syncApp.secret) };
    const campus = { clientAuthentication: method === 'client_secret_basic' ? (['client_secret_basic'] as const) : [] };

    test('of version 1 signs in by itself', async () => {
      await start(campus);
      const authProvider = new ClientCredentialsProvider({ ...options, expectedIssuer: schools.harbour });
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${schools.harbour}/mcp/operator`), { authProvider }),
      );
      expect(await client.callTool({ name: 'export_students' })).toMatchObject({ content: [{ text: 'sync' }] });
      await client.close();
    });

    test('of version 2 signs in by itself', async () => {
      await start(campus);
      const authProvider = new two.ClientCredentialsProvider({ ...options, expectedIssuer: schools.harbour });
      const client = new two.Client({ name: 'test', version: '1' });
      const url = new URL(`${schools.harbour}/mcp/operator`);
      await client.connect(new two.StreamableHTTPClientTransport(url, { authProvider }));
      expect(await client.callTool({ name: 'export_students' })).toMatchObject({ content: [{ text: 'sync' }] });
      await client.close();
    });
  },
);

test('the PrivateKeyJwtProvider of both versions signs in by itself', async () => {
  const { privateKey, publicJwk } = await clientKey();
  const { clientSecret: _secret, ...keyed } = sync;
  const client = { ...keyed, publicKeys: { keys: [publicJwk] } };
  await start({ clients: [...testClients, client], clientAuthentication: ['private_key_jwt'] });
  const key = { ...(await exportJWK(privateKey)) };
  const identity = { clientId: sync.clientId, privateKey: key, algorithm: 'ES256', expectedIssuer: schools.harbour };
  const url = new URL(`${schools.harbour}/mcp/operator`);
  const first = new Client({ name: 'test', version: '1' });
  await first.connect(new StreamableHTTPClientTransport(url, { authProvider: new PrivateKeyJwtProvider(identity) }));
  expect(await first.callTool({ name: 'export_students' })).toMatchObject({ content: [{ text: 'sync' }] });
  await first.close();
  const second = new two.Client({ name: 'test', version: '1' });
  const authProvider = new two.PrivateKeyJwtProvider(identity);
  await second.connect(new two.StreamableHTTPClientTransport(url, { authProvider }));
  expect(await second.callTool({ name: 'export_students' })).toMatchObject({ content: [{ text: 'sync' }] });
  await second.close();
});
