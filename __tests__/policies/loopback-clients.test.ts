import { describe, expect, test } from '@jest/globals';
import type { RegistrationMetadata } from '../../lib/core/clients/registered-metadata.ts';
import { loopbackClients, operatorScopes } from '../../policies/index.ts';
import { harbourSite } from '../helpers/sites.ts';

const site = harbourSite();

const policy = loopbackClients();
const policies = { on: policy, off: loopbackClients({ localhost: false, ttl: 60 }) };
const wrongUri = expect.objectContaining({ error: 'invalid_redirect_uri', status: 400 });
const loopback = ['http://127.0.0.1/callback', 'http://[::1]/callback'];

/** The verdict, or the error code. */
async function decide(metadata: RegistrationMetadata, by = policy): Promise<unknown> {
  try {
    return await by.decide({ site, metadata });
  } catch (error) {
    return error;
  }
}

describe('loopbackClients().decide(request)', () => {
  test('admits a public native client that may ask for every operator scope', async () => {
    const metadata = { client_name: ' A tool ', redirect_uris: loopback, client_uri: 'https://tool.example/' };
    expect(await decide(metadata)).toEqual({
      decision: 'admit',
      ttl: 86_400,
      metadata: {
        client_name: 'A tool',
        application_type: 'native',
        redirect_uris: loopback,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        client_uri: 'https://tool.example/',
        scope: operatorScopes.join(' '),
      },
    });
    expect(operatorScopes).not.toContain('account:read');
    expect(operatorScopes).toHaveLength(37);
  });

  test('does not mutate the request', async () => {
    const metadata = Object.freeze({ redirect_uris: Object.freeze([...loopback, ...loopback]) });
    expect(await decide(metadata)).toMatchObject({ metadata: { redirect_uris: loopback } });
  });

  test.each<RegistrationMetadata>([
    { application_type: 'web' },
    { application_type: 'native' },
    { token_endpoint_auth_method: 'none' },
    { token_endpoint_auth_method: 'client_secret_post' },
    { token_endpoint_auth_method: 'client_secret_basic' },
    { token_endpoint_auth_method: 'private_key_jwt' },
    { token_endpoint_auth_method: '' },
    { grant_types: ['client_credentials', 'implicit'] },
    { grant_types: [] },
    { response_types: ['token'] },
    { scope: 'openid' },
    { scope: 'account:read mcp:tools' },
    { client_name: '' },
    { client_name: '工具 🛠️ אבג' },
    { client_name: 'x'.repeat(200) },
    { logo_uri: 'http://tool.example/logo.png' },
  ])('answers %j with what the server offers', async (more) => {
    expect(await decide({ redirect_uris: loopback, ...more })).toMatchObject({
      decision: 'admit',
      metadata: {
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: operatorScopes.join(' '),
      },
    });
  });

  test.each<[string, RegistrationMetadata]>([
    ['a long name', { client_name: 'x'.repeat(201) }],
    ['a name of two lines', { client_name: 'A\nB' }],
    ['a name with NUL', { client_name: 'A\u0000' }],
    ['a name that turns around', { client_name: '\u202eedualC' }],
    ['a name with half a character', { client_name: '\ud800' }],
    ['a script as home page', { client_uri: 'javascript:alert(1)' }],
    ['data as logo', { logo_uri: 'data:image/png;base64,' }],
    ['terms without a scheme', { tos_uri: 'tool.example/terms' }],
    ['a policy with a user name', { policy_uri: 'https://claude.ai@evil.example/' }],
    ['a very long home page', { client_uri: `https://tool.example/${'x'.repeat(2000)}` }],
  ])('refuses %s', async (_what, more) => {
    expect(await decide({ redirect_uris: loopback, ...more })).toMatchObject({ error: 'invalid_client_metadata' });
  });

  test('accepts ten redirect URIs', async () => {
    const redirect_uris = Array.from({ length: 10 }, (_, i) => `http://127.0.0.1/${i}`);
    expect(await decide({ redirect_uris })).toMatchObject({ decision: 'admit' });
  });
});

describe.each(['on', 'off'] as const)('redirect URIs with localhost %s', (localhost) => {
  const by = policies[localhost];
  const local = ['http://localhost:8787/callback', 'http://localhost/callback'];

  test('admits localhost as the option says, alone and beside other loopback addresses', async () => {
    const admitted = (redirect_uris: string[]) => ({ decision: 'admit', metadata: { redirect_uris } });
    expect(await decide({ redirect_uris: loopback }, by)).toMatchObject(admitted(loopback));
    for (const redirect_uris of [local, [...loopback, ...local], [...local, ...loopback]]) {
      const verdict = await decide({ redirect_uris }, by);
      if (localhost === 'on') expect(verdict).toMatchObject(admitted(redirect_uris));
      // Without a loopback address there is no verdict, and the refusal is the policy's: see below.
      else expect(verdict).toEqual(redirect_uris === local ? undefined : wrongUri);
    }
  });

  const own = localhost === 'on' ? local : loopback;
  test.each<[string, string[]]>([
    ['one fixed callback among them', [...own, 'https://evil.example/cb']],
    ['a fixed callback first', ['https://evil.example/cb', ...own]],
    ['a fixed callback on this machine', [...own, 'https://localhost/callback']],
    ['a private-use scheme among them', [...own, 'com.example.app:/cb']],
    ['the scheme of an application', [...own, 'cursor://anysphere.cursor-mcp/oauth/callback']],
    ['a script', [...own, 'javascript:alert(1)']],
    ['another spelling among them', [...own, 'http://127.1/cb']],
    ['another address of this machine', [...own, 'http://127.0.0.2/cb']],
    ['capitals', [...own, 'http://LOCALHOST/cb']],
    ['a host that begins like localhost', [...own, 'http://localhost.evil.example/cb']],
    ['a host that ends like localhost', [...own, 'http://evil.localhost/cb']],
    ['a full stop after localhost', [...own, 'http://localhost./cb']],
    ['a user name', [...own, 'http://localhost@evil.example/cb']],
    ['a backslash', [...own, 'http://localhost\\@evil.example/cb']],
    ['a bad port', [...own, 'http://localhost:080/cb']],
    ['a response parameter', ['http://127.0.0.1/cb?code=1']],
    ['a long one', [`http://127.0.0.1/${'x'.repeat(2000)}`]],
    ['eleven', Array.from({ length: 11 }, (_, i) => `http://127.0.0.1/${i}`)],
  ])('refuses %s', async (_what, redirect_uris) => {
    expect(await decide({ redirect_uris }, by)).toEqual(wrongUri);
  });
});

describe('loopbackClients().refusal(request)', () => {
  test.each<[string[] | undefined, string]>([
    [undefined, 'redirect_uris is missing or empty'],
    [[], 'redirect_uris is missing or empty'],
    [['https://app.example/cb'], 'redirect_uris[0] is a fixed https: callback, which is not allowed here'],
    [['http://localhost./cb'], 'redirect_uris[0] uses http: for something other than'],
    [['http://127.0.0.2/cb'], 'redirect_uris[0] uses http: for something other than'],
    [['javascript:alert(1)'], 'redirect_uris[0] uses the scheme javascript:, which is not allowed here'],
    [['com.example.app:/cb'], 'redirect_uris[0] uses the scheme com.example.app:, which is not allowed here'],
    [['nonsense'], 'redirect_uris[0] is not an absolute URI'],
  ])('%j: decide has no verdict, and the refusal says %s', async (redirect_uris, message) => {
    const request = { site, metadata: { redirect_uris } };
    expect(await decide(request.metadata)).toBeUndefined();
    const refusal = policy.refusal?.(request);
    expect(refusal).toMatchObject({ error: 'invalid_redirect_uri', message: expect.stringContaining(message) });
    // RFC 6749 section 5.2: the characters of an error_description.
    expect(refusal?.message).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  });
});

test('loopbackClients({ localhost: false }) says what to write instead of localhost', () => {
  const refusal = policies.off.refusal?.({ site, metadata: { redirect_uris: ['http://localhost/cb'] } });
  const message = 'redirect_uris[0] names localhost; write http://127.0.0.1 or http://[::1]; ';
  expect(refusal).toMatchObject({ error: 'invalid_redirect_uri', message: expect.stringContaining(message) });
  expect(policies.off.guide?.text).not.toContain('localhost');
  expect(policies.on.guide?.text).toContain('`http://localhost:PORT/…`');
});

describe('loopbackClients(options)', () => {
  test('uses the given ttl', async () => {
    expect(await decide({ redirect_uris: loopback }, policies.off)).toMatchObject({ decision: 'admit', ttl: 60 });
  });

  test.each([
    [{ ttl: 0 }, 'loopbackClients.ttl'],
    [{ ttl: 1.5 }, 'loopbackClients.ttl'],
    [{ ttl: Number.NaN }, 'loopbackClients.ttl'],
  ])('refuses %j at construction', (options, path) => {
    expect(() => loopbackClients(options)).toThrow(TypeError);
    expect(() => loopbackClients(options)).toThrow(path);
  });
});
