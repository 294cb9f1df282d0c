import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as two from '@modelcontextprotocol/client';
import { PrivateKeyJwtProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { exportJWK } from 'jose';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import type { StaticClient } from '../../lib/index.ts';
import { defineTool } from '../../lib/mcp/index.ts';
import { type ClientKey, clientKey } from '../helpers/client-keys.ts';
import { authorize } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { withServices } from '../helpers/services.ts';

let schools: Schools;
let keys: Readonly<Record<string, ClientKey>>;
const nightly = defineTool({
  name: 'nightly',
  description: 'For services.',
  access: { scopes: ['courses:read'], audience: ['operator', 'service'] },
  run: () => 'done',
});
const algorithms = ['Ed25519', 'ES256', 'PS256', 'RS256'] as const;
const redirectUri = 'https://robot.example/callback';

beforeAll(async () => {
  const made = await Promise.all(algorithms.map(async (alg) => [alg, await clientKey(alg, alg)] as const));
  keys = Object.fromEntries(made);
  const publicKeys = { keys: made.map(([, { publicJwk }]) => publicJwk) };
  const clients: readonly StaticClient[] = [
    ...withServices.clients,
    {
      clientId: 'robot',
      clientName: 'Robot',
      audience: 'operator',
      redirectUris: [redirectUri],
      scopes: ['openid', 'profile', 'courses:read'],
      publicKeys,
    },
    {
      clientId: 'keyed',
      clientName: 'Keyed',
      audience: 'service',
      redirectUris: [],
      scopes: ['courses:read'],
      // The SDK's assertions name no key.
      publicKeys: { keys: publicKeys.keys.filter(({ alg }) => alg === 'ES256') },
    },
  ];
  const campus = { ...withServices, clients, clientAuthentication: ['private_key_jwt'] } as const;
  schools = await startSchools({ campus, mcp: { tools: [nightly] } });
});
afterAll(() => schools.close());

function own(alg: string): ClientKey {
  const key = keys[alg];
  if (!key) throw new Error(`no key for ${alg}`);
  return key;
}

test.each(algorithms)('openid-client with %s: exchanges, refreshes, introspects and revokes', async (alg) => {
  const { privateKey: key, kid } = own(alg);
  const insecure = { execute: [oidc.allowInsecureRequests] };
  const issuer = schools.harbour;
  const config = await oidc.discovery(new URL(issuer), 'robot', undefined, oidc.PrivateKeyJwt({ key, kid }), insecure);
  const supported = config.serverMetadata()['token_endpoint_auth_signing_alg_values_supported'];
  expect(supported).toEqual(['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256']);
  const verifier = oidc.randomPKCECodeVerifier();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid courses:read',
    resource: issuer,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    prompt: 'consent',
  });
  const { url: callback } = await authorize(schools.browser('olivia'), url);
  const tokens = await oidc.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier });
  const again = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(await oidc.tokenIntrospection(config, again.access_token)).toMatchObject({ active: true });
  await oidc.tokenRevocation(config, again.access_token);
  expect(await oidc.tokenIntrospection(config, again.access_token)).toMatchObject({ active: false });
});

test('oauth4webapi: a service', async () => {
  const { privateKey: key, kid } = own('ES256');
  const options = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(schools.harbour);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
  const client = { client_id: 'keyed' };
  const proof = oauth.PrivateKeyJwt({ key, kid });
  const response = await oauth.clientCredentialsGrantRequest(server, client, proof, {}, options);
  expect(await oauth.processClientCredentialsResponse(server, client, response)).toMatchObject({
    scope: 'courses:read',
  });
});

test('both versions of the MCP SDK: a service signs in by itself', async () => {
  const { privateKey } = own('ES256');
  const identity = {
    clientId: 'keyed',
    privateKey: { ...(await exportJWK(privateKey)) },
    algorithm: 'ES256',
    expectedIssuer: schools.harbour,
  };
  const url = new URL('/mcp/operator', schools.harbour);
  const info = { name: 'test', version: '1' };
  const first = new PrivateKeyJwtProvider(identity);
  const client = new Client(info);
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: first }));
  expect(first.tokens()).toMatchObject({ scope: 'courses:read' });
  await client.close();
  const second = new two.PrivateKeyJwtProvider(identity);
  const other = new two.Client(info);
  await other.connect(new two.StreamableHTTPClientTransport(url, { authProvider: second }));
  expect(second.tokens()).toMatchObject({ scope: 'courses:read' });
  await other.close();
});
