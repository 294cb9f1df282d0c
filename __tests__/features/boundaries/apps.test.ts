import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as two from '@modelcontextprotocol/client';
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import * as oneClient from '@modelcontextprotocol/sdk/client/index.js';
import * as oneTransport from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import * as oidc from 'openid-client';
import { loopbackClients } from '../../../policies/index.ts';
import { authorizeUrl, jsonResponse, pkce, webMemberApp } from '../../helpers/flow.ts';
import { redirectQuery } from '../../helpers/responses.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { oauthMemory } from '../../mcp/oauth-memory.ts';
import { Asking, Classes, limited, tools, withClasses } from './limited-schools.ts';

let schools: Schools;
let events: { readonly action: string; readonly reason?: string | undefined }[];
beforeAll(async () => {
  const options = withClasses(new Classes());
  const clients = options.clients?.map((client) =>
    client.clientId === webMemberApp.id ? { ...client, firstParty: true } : client,
  );
  schools = await startSchools({
    campus: { ...options, clients, registration: [loopbackClients()] },
    mcp: { tools },
  });
  events = [];
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterAll(() => schools.close());

const ask = () => new Asking(schools.browser('olivia'), schools.harbour);
const details = (...identifiers: string[]): string => JSON.stringify([{ type: 'class', identifiers }]);

test('openid-client asks for two classes, the person chooses another one, and it reads what it has', async () => {
  const insecure = { execute: [oidc.allowInsecureRequests] };
  const auth = oidc.ClientSecretPost(limited.secret ?? '');
  const config = await oidc.discovery(new URL(schools.harbour), limited.id, undefined, auth, insecure);
  expect(config.serverMetadata()['authorization_details_types_supported']).toEqual(['class']);
  const verifier = oidc.randomPKCECodeVerifier();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: limited.redirectUri,
    scope: 'openid courses:read',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // One that she has, and one of another person.
    authorization_details: details('c300', 's1'),
  });
  const asking = await ask().at(url);
  const ticked = () => asking.page.getAllByRole('checkbox', { name: /^Class/ }).filter(({ checked }) => checked);
  expect(ticked().map(({ value }) => value)).toEqual(['c300']);
  expect(asking.page.getByRole('checkbox', { name: /^All my classes/ }).checked).toBe(false);
  expect(asking.html).not.toContain('"s1"');
  await asking.allow({ 'only.class': 'c7' });
  const callback = asking.stop?.url ?? new URL('about:blank');
  const tokens = await oidc.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  expect(tokens.authorization_details).toEqual(JSON.parse(details('c7')));
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(refreshed.authorization_details).toEqual(JSON.parse(details('c7')));
  const active = await oidc.tokenIntrospection(config, refreshed.access_token);
  expect(active).toMatchObject({ active: true, authorization_details: JSON.parse(details('c7')) });
  // The same request again: what was chosen before is on the page, not what the app asks for.
  url.searchParams.set('prompt', 'consent');
  await asking.at(url);
  expect(ticked().map(({ value }) => value)).toEqual(['c7']);
});

describe('authorization_details', () => {
  test.each([
    ['[{"type":"course","identifiers":["c1"]}]', 'authorization_details [0].type must be "class"'],
    ['[{"type":"class","identifiers":["c1"]},{"type":"class","identifiers":["c2"]}]', '[1].type must be unique'],
    ['[{"type":"class","identifiers":[]}]', 'authorization_details [0].identifiers must be an array of 1 to 100 ids'],
    ['[{"type":"class","identifiers":["a b"]}]', 'must be an array of 1 to 100 ids'],
    [
      '[{"type":"class","actions":["read"],"identifiers":["c1"]}]',
      'must have only type and identifiers, not "actions"',
    ],
    ['[{"type":"__proto__","identifiers":["c1"]}]', 'authorization_details [0].type must be "class"'],
    ['["class"]', 'authorization_details [0] must be an object with type and identifiers'],
    ['{}', 'must be a JSON array, for example [{"type":"class","identifiers":["7b"]}]'],
    ['[', 'must be a JSON array'],
  ])('%.70s is refused, and the app is told why', async (sent, text) => {
    const url = authorizeUrl(schools.harbour, limited, pkce(), { authorization_details: sent });
    const query = redirectQuery(await schools.browser('olivia').fetch(url), limited.redirectUri);
    expect(query['error']).toBe('invalid_authorization_details');
    // RFC 6749 section 5.2 has no double quotes there.
    expect(query['error_description']).toContain(text.replaceAll('"', "'"));
    expect(events.at(-1)).toMatchObject({ action: 'authorization.refused', reason: 'invalid_authorization_details' });
  });

  test.each([
    ['too long', JSON.stringify('x'.repeat(4000)), 'authorization_details must have at most 4000 characters'],
    [
      'with lines',
      '[\n{"type":"class","identifiers":["c1"]}]',
      'authorization_details must not contain control characters',
    ],
  ])('is refused by the rules of all parameters: %s', async (_how, sent, text) => {
    const url = authorizeUrl(schools.harbour, limited, pkce(), { authorization_details: sent });
    const query = redirectQuery(await schools.browser('olivia').fetch(url), limited.redirectUri);
    expect(query).toMatchObject({ error: 'invalid_request', error_description: text });
  });

  test('is in a form what it is in a query', async () => {
    const { searchParams: body } = authorizeUrl(schools.harbour, limited, pkce(), {
      authorization_details: details('c1'),
    });
    const init = { method: 'POST', body };
    const response = await schools.browser('olivia').fetch(`${schools.harbour}/oauth/authorize`, init);
    const location = new URL(response.headers.get('location') ?? '');
    expect(Object.fromEntries(location.searchParams)).toEqual(Object.fromEntries(body));
  });

  test('of a first-party client is refused: nobody is asked, so it would get more than it asks for', async () => {
    const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { authorization_details: details('c1') });
    const query = redirectQuery(await schools.browser('sam').fetch(url), webMemberApp.redirectUri);
    expect(query['error']).toBe('invalid_authorization_details');
  });

  test('is in the metadata and in the guide', async () => {
    const { body } = await jsonResponse(await fetch(`${schools.harbour}/.well-known/oauth-authorization-server`));
    expect(body['authorization_details_types_supported']).toEqual(['class']);
  });
});

/** A client of an SDK, and how often it wanted to send the person to the school. */
interface SdkClient {
  connect(): Promise<void>;
  call(name: string): Promise<unknown>;
  finish(callback: URL): Promise<void>;
  takeAddress(): URL;
  close(): Promise<void>;
}

const info = { name: 'test', version: '1' };

function sdkOne(origin: string): SdkClient {
  const memory = oauthMemory<OAuthClientInformationMixed, OAuthTokens, OAuthDiscoveryState>();
  const transport = new oneTransport.StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: memory });
  const client = new oneClient.Client(info);
  return {
    connect: () => client.connect(transport),
    call: (name) => client.callTool({ name, arguments: {} }),
    finish: (callback) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
    takeAddress: () => memory.takeAddress(),
    close: () => client.close(),
  };
}

function sdkTwo(origin: string): SdkClient {
  const memory = oauthMemory<two.StoredOAuthClientInformation, two.StoredOAuthTokens, two.OAuthDiscoveryState>();
  const transport = new two.StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: memory });
  const client = new two.Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  return {
    connect: () => client.connect(transport),
    call: (name) => client.callTool({ name, arguments: {} }),
    finish: (callback) => transport.finishAuth(callback.searchParams),
    takeAddress: () => memory.takeAddress(),
    close: () => client.close(),
  };
}

test.each([
  ['@modelcontextprotocol/sdk', sdkOne],
  ['@modelcontextprotocol/client', sdkTwo],
])(
  '%s uses a limited token, and what is not limited is refused without asking the person again',
  async (_name, make) => {
    const client = make(schools.harbour);
    await client.connect();
    await expect(client.call('list_courses')).rejects.toThrow();
    const asking = await ask().at(client.takeAddress());
    // Nobody has checked this app, so a limit is proposed.
    expect(asking.page.getByRole('checkbox', { name: /^All my classes/ }).checked).toBe(false);
    await asking.allow({ 'only.class': ['c7'] });
    await client.finish(asking.stop?.url ?? new URL('about:blank'));
    expect(JSON.stringify(await client.call('list_courses'))).toContain('c7');
    for (let i = 0; i < 3; i += 1) await expect(client.call('statistics')).rejects.toThrow();
    expect(() => client.takeAddress()).toThrow('the client has not redirected to authorization');
    expect(JSON.stringify(await client.call('list_courses'))).toContain('c7');
    await client.close();
  },
);
