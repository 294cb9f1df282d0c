import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as two from '@modelcontextprotocol/client';
import { type OAuthDiscoveryState, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import * as oneClient from '@modelcontextprotocol/sdk/client/index.js';
import * as oneTransport from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { loopbackClients } from '../../policies/index.ts';
import { authorize } from '../helpers/flow.ts';
import { movingSchool } from '../helpers/moving.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { oauthMemory } from './oauth-memory.ts';
import { accessTools } from './tools.ts';

/** A client of an SDK, as these tests use it. */
interface SdkClient {
  connect(): Promise<void>;
  names(): Promise<string[]>;
  /** Calls a tool; throws `UnauthorizedError` of its SDK when the person is to be asked. */
  call(name: string, args?: Record<string, string>): Promise<unknown>;
  finish(callback: URL): Promise<void>;
  /** Where the person is to be sent. */
  address(): URL;
  scope(): string | undefined;
  readonly unauthorized: new (...args: never[]) => Error;
  close(): Promise<void>;
}

const info = { name: 'test', version: '1' };

function sdkOne(origin: string, path = '/mcp'): SdkClient {
  const memory = oauthMemory<OAuthClientInformationMixed, OAuthTokens, OAuthDiscoveryState>();
  const options = { authProvider: memory };
  const transport = new oneTransport.StreamableHTTPClientTransport(new URL(origin + path), options);
  const client = new oneClient.Client(info);
  return {
    connect: () => client.connect(transport),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => {
      const run = () => client.callTool({ name, arguments: args });
      return run().catch((error: unknown) => {
        // At a 403 it refreshes, tries again and gives up; its users forget the tokens, and are asked.
        if (!(error instanceof oneTransport.StreamableHTTPError) || error.code !== 403) throw error;
        memory.forgetTokens();
        return run();
      });
    },
    finish: (callback) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
    address: () => memory.takeAddress(),
    scope: () => memory.tokens()?.scope,
    unauthorized: UnauthorizedError,
    close: () => client.close(),
  };
}

function sdkTwo(mode: 'legacy' | { pin: string }) {
  return (origin: string, path = '/mcp'): SdkClient => {
    const memory = oauthMemory<two.StoredOAuthClientInformation, two.StoredOAuthTokens, two.OAuthDiscoveryState>();
    const transport = new two.StreamableHTTPClientTransport(new URL(origin + path), { authProvider: memory });
    const client = new two.Client(info, { versionNegotiation: { mode } });
    return {
      connect: () => client.connect(transport),
      names: async () => (await client.listTools(undefined, { cacheMode: 'bypass' })).tools.map(({ name }) => name),
      call: (name, args = {}) => client.callTool({ name, arguments: args }),
      finish: (callback) => transport.finishAuth(callback.searchParams),
      address: () => memory.takeAddress(),
      scope: () => memory.tokens()?.scope,
      unauthorized: two.UnauthorizedError,
      close: () => client.close(),
    };
  };
}

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({ mcp: { tools: accessTools }, campus: { registration: [loopbackClients()] } });
});
afterAll(() => schools.close());

describe.each<[string, typeof sdkOne]>([
  ['@modelcontextprotocol/sdk', sdkOne],
  ['@modelcontextprotocol/client at 2025-11-25', sdkTwo('legacy')],
  ['@modelcontextprotocol/client at 2026-07-28', sdkTwo({ pin: '2026-07-28' })],
])('%s', (_name, make) => {
  test('from nothing but the address: a public tool, then sign-in at the first private one, then step-up', async () => {
    const client = make(schools.harbour);
    await client.connect();
    expect(await client.names()).toEqual(['open']);
    expect(await client.call('open')).toMatchObject({ structuredContent: { site: 'harbour' } });

    // 401: metadata, registration, and the person is asked for what the call needs.
    await expect(client.call('courses')).rejects.toBeInstanceOf(client.unauthorized);
    const first = client.address();
    expect(first.searchParams.get('scope')?.split(' ')).toContain('courses:read');
    await client.finish((await authorize(schools.browser('olivia'), first)).url);
    expect(await client.call('courses')).toMatchObject({ structuredContent: { did: { action: 'list' } } });
    expect(await client.names()).toEqual(['open', 'any_token', 'report', 'courses']);

    // 403: the person is asked for the rest.
    await expect(client.call('courses', { action: 'publish' })).rejects.toBeInstanceOf(client.unauthorized);
    const second = client.address();
    expect(second.searchParams.get('client_id')).toBe(first.searchParams.get('client_id'));
    await client.finish((await authorize(schools.browser('olivia'), second)).url);
    expect(client.scope()?.split(' ')).toEqual(expect.arrayContaining(['courses:read', 'courses:write']));
    expect(await client.call('courses', { action: 'publish' })).toMatchObject({
      structuredContent: { did: { action: 'publish' } },
    });
    await client.close();
  });

  test('at the address with a slash, which people paste, it signs in for that address', async () => {
    const client = make(schools.harbour, '/mcp/');
    await client.connect();
    await expect(client.call('courses')).rejects.toBeInstanceOf(client.unauthorized);
    const address = client.address();
    expect(address.searchParams.get('resource')).toBe(`${schools.harbour}/mcp/`);
    await client.finish((await authorize(schools.browser('olivia'), address)).url);
    expect(await client.call('courses')).toMatchObject({ structuredContent: { did: { action: 'list' } } });
    await client.close();
  });

  test('its school moves: it goes on at the address that it knows, without asking the person', async () => {
    const school = movingSchool();
    const moving = await startSchools({
      mcp: { tools: accessTools },
      campus: { registration: [loopbackClients()], siteCache: school.siteCache },
      wrapPlatform: school.wrapPlatform,
    });
    const client = make(moving.harbour);
    await client.connect();
    await expect(client.call('courses')).rejects.toBeInstanceOf(client.unauthorized);
    await client.finish((await authorize(moving.browser('olivia'), client.address())).url);
    school.move();
    expect(await client.call('courses')).toMatchObject({ structuredContent: { did: { action: 'list' } } });
    await client.close();
    // One that knows nothing but the old address signs in at the new one.
    const other = make(moving.harbour);
    await other.connect();
    await expect(other.call('courses')).rejects.toBeInstanceOf(other.unauthorized);
    const address = other.address();
    expect(address.origin).toBe(moving.summit);
    await other.finish((await authorize(moving.browser('olivia'), address)).url);
    expect(await other.call('courses')).toMatchObject({ structuredContent: { did: { action: 'list' } } });
    await other.close();
    await moving.close();
  });
});
