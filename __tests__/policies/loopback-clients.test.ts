import { describe, expect, test } from '@jest/globals';
import type { RegistrationMetadata } from '../../lib/contracts/registration.ts';
import { loopbackClients, operatorScopes } from '../../policies/index.ts';
import { site } from './site.ts';

const policy = loopbackClients();
const withLocalhost = loopbackClients({ localhost: true, ttl: 60 });
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
    { grant_types: ['client_credentials', 'implicit'] },
    { response_types: ['token'] },
    { scope: 'openid' },
    { scope: 'account:read mcp:tools' },
    { client_name: '' },
    { client_name: '工具 🛠️ אבג' },
    { client_name: 'x'.repeat(200) },
    { logo_uri: 'http://tool.example/logo.png' },
  ])('ignores %j', async (more) => {
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
    ['a secret in the body', { token_endpoint_auth_method: 'client_secret_post' }],
    ['a secret in a header', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['a key', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['no method at all', { token_endpoint_auth_method: '' }],
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

  test.each<[string, string[]]>([
    ['one fixed callback among them', [...loopback, 'https://evil.example/cb']],
    ['a fixed callback first', ['https://evil.example/cb', ...loopback]],
    ['a private-use scheme among them', [...loopback, 'com.example.app:/cb']],
    ['another spelling among them', [...loopback, 'http://127.1/cb']],
    ['localhost among them', [...loopback, 'http://localhost/cb']],
    ['a response parameter', ['http://127.0.0.1/cb?code=1']],
    ['a long one', [`http://127.0.0.1/${'x'.repeat(2000)}`]],
    ['eleven', Array.from({ length: 11 }, (_, i) => `http://127.0.0.1/${i}`)],
  ])('refuses redirect URIs with %s', async (_what, redirect_uris) => {
    expect(await decide({ redirect_uris })).toMatchObject({ error: 'invalid_redirect_uri', status: 400 });
  });

  test('accepts ten redirect URIs', async () => {
    const redirect_uris = Array.from({ length: 10 }, (_, i) => `http://127.0.0.1/${i}`);
    expect(await decide({ redirect_uris })).toMatchObject({ decision: 'admit' });
  });

  test('accepts localhost with the option, and uses the given ttl', async () => {
    const redirect_uris = ['http://localhost:8787/callback', ...loopback];
    expect(await decide({ redirect_uris }, withLocalhost)).toMatchObject({ ttl: 60, metadata: { redirect_uris } });
  });
});

describe('loopbackClients().refusal(request)', () => {
  test.each<[string[] | undefined, string]>([
    [undefined, 'redirect_uris is missing or empty'],
    [[], 'redirect_uris is missing or empty'],
    [['https://app.example/cb'], 'redirect_uris[0] is a fixed https: callback, which is not allowed here'],
    [['http://localhost/cb'], 'redirect_uris[0] names localhost; write http://127.0.0.1 or http://[::1]'],
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

describe('loopbackClients(options)', () => {
  test.each([
    [{ ttl: 0 }, 'loopbackClients.ttl'],
    [{ ttl: 1.5 }, 'loopbackClients.ttl'],
    [{ ttl: Number.NaN }, 'loopbackClients.ttl'],
  ])('refuses %j at construction', (options, path) => {
    expect(() => loopbackClients(options)).toThrow(TypeError);
    expect(() => loopbackClients(options)).toThrow(path);
  });
});
