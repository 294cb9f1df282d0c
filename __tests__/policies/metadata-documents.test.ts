import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../lib/kernel/json.ts';
import { documentDigest } from '../../policies/documents/document.ts';
import { metadataDocuments, operatorScopes, unreviewedScopes } from '../../policies/index.ts';

const clientId = 'https://docs.example/client.json';
const policy = metadataDocuments({ hosts: ['docs.example'] });
const plain: JsonObject = { client_id: clientId, client_name: 'A client', redirect_uris: ['https://docs.example/cb'] };

function check(more: JsonObject) {
  return policy.checkDocument(clientId, { ...plain, ...more }).metadata;
}

describe('metadataDocuments(options).checkDocument(clientId, document)', () => {
  test('returns the client metadata', () => {
    expect(check({})).toEqual({
      client_id: clientId,
      client_name: 'A client',
      application_type: 'web',
      redirect_uris: ['https://docs.example/cb'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: unreviewedScopes.join(' '),
    });
  });

  test.each<[string, JsonObject, object]>([
    [
      'a command-line tool with localhost and no application_type',
      {
        redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        client_uri: 'https://docs.example',
      },
      { application_type: 'native', client_uri: 'https://docs.example' },
    ],
    [
      'an editor with fixed and loopback callbacks',
      { redirect_uris: ['http://127.0.0.1:33418/', 'https://docs.example/redirect', 'http://localhost:33418/'] },
      { application_type: 'native' },
    ],
    ['only token_endpoint_auth_methods_supported', { token_endpoint_auth_methods_supported: ['none'] }, {}],
    [
      'a key that it can do without',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
        jwks_uri: 'https://docs.example/jwks',
      },
      { token_endpoint_auth_method: 'none' },
    ],
    ['unknown members', { software_id: 'x', contacts: ['a@docs.example'], '': { deep: [1] } }, {}],
    ['a logo on another host', { logo_uri: 'https://cdn.example/l.png' }, { logo_uri: 'https://cdn.example/l.png' }],
    ['a logo that is no https: address', { logo_uri: 'javascript:alert(1)', tos_uri: 5 }, { logo_uri: undefined }],
    ['a page that is not https:', { client_uri: 'http://docs.example/' }, { client_uri: undefined }],
    ['no refresh token wanted', { grant_types: ['authorization_code'] }, { grant_types: ['authorization_code'] }],
    [
      'more than it gets',
      {
        grant_types: ['authorization_code', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code', 'token'],
        scope: 'account:read courses:write',
        backchannel_logout_uri: 'https://docs.example/logout',
        application_type: 'native',
        redirect_uris: ['https://docs.example/cb', 'https://docs.example/cb'],
      },
      {
        grant_types: ['authorization_code'],
        response_types: ['code'],
        scope: unreviewedScopes.join(' '),
        application_type: 'web',
        redirect_uris: ['https://docs.example/cb'],
      },
    ],
    ['no name', { client_name: undefined }, { client_name: undefined }],
    ['a blank name', { client_name: ' ' }, { client_name: undefined }],
  ])('accepts %s', (_what, more, expected) => {
    const metadata = check(more);
    expect(metadata).toMatchObject({ client_id: clientId, token_endpoint_auth_method: 'none', ...expected });
    expect(Object.keys(metadata)).not.toContain('backchannel_logout_uri');
  });

  test.each<[string, JsonObject]>([
    ['another client_id', { client_id: 'https://docs.example/other.json' }],
    ['a client_id in another spelling', { client_id: 'https://DOCS.example/client.json' }],
    ['no client_id', { client_id: undefined }],
    ['a secret', { client_secret: 'x' }],
    ['an expiry of a secret', { client_secret_expires_at: 0 }],
    ['a shared-secret method', { token_endpoint_auth_method: 'client_secret_post' }],
    ['a key that it needs', { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } }],
    ['only methods that need something', { token_endpoint_auth_methods_supported: ['private_key_jwt'] }],
    ['methods that are no list', { token_endpoint_auth_methods_supported: 'none' }],
    ['a method that is no string', { token_endpoint_auth_method: 5 }],
    ['no redirect URIs', { redirect_uris: undefined }],
    ['an empty list of redirect URIs', { redirect_uris: [] }],
    ['redirect URIs that are no list', { redirect_uris: 'https://docs.example/cb' }],
    ['redirect URIs that are no strings', { redirect_uris: [{}] }],
    ['too many redirect URIs', { redirect_uris: Array.from({ length: 21 }, (_, i) => `https://docs.example/${i}`) }],
    ['a redirect URI on another host', { redirect_uris: ['https://docs.example/cb', 'https://evil.example/cb'] }],
    ['a redirect URI under a sub-domain', { redirect_uris: ['https://app.docs.example/cb'] }],
    ['a redirect URI on another port', { redirect_uris: ['https://docs.example:8443/cb'] }],
    ['a redirect URI with a user name', { redirect_uris: ['https://docs.example@evil.example/cb'] }],
    ['a redirect URI without TLS', { redirect_uris: ['http://docs.example/cb'] }],
    ['a redirect URI with a private-use scheme', { redirect_uris: ['com.example.app:/cb'] }],
    ['a redirect URI with a fragment', { redirect_uris: ['https://docs.example/cb#x'] }],
    ['another spelling of loopback', { redirect_uris: ['http://127.1/cb'] }],
    ['a name that is no string', { client_name: ['A'] }],
    ['a long name', { client_name: 'x'.repeat(201) }],
    ['a name with a control character', { client_name: 'A\u0007' }],
    ['no authorization_code', { grant_types: ['client_credentials'] }],
    ['no response type code', { response_types: ['token'] }],
  ])('refuses %s', (_what, more) => {
    expect(() => check(more)).toThrow(
      expect.objectContaining({
        error: 'invalid_client_metadata',
        status: 400,
        message: expect.stringMatching(/^the metadata document cannot be used: [\x20\x21\x23-\x5b\x5d-\x7e]+$/),
      }),
    );
  });

  test('does not mutate the document', () => {
    const document = structuredClone(plain);
    policy.checkDocument(clientId, document);
    expect(document).toEqual(plain);
  });

  test('a document on a host with a port redirects to that port', () => {
    const id = 'https://docs.example:8443/client.json';
    const document = { client_id: id, redirect_uris: ['https://docs.example:8443/cb'] };
    expect(policy.checkDocument(id, document).metadata.redirect_uris).toEqual(['https://docs.example:8443/cb']);
  });
});

describe('documentDigest(document)', () => {
  const document: JsonObject = {
    ...plain,
    redirect_uris: ['https://docs.example/a', 'https://docs.example/b'],
    jwks: { keys: [{ kty: 'EC', x: '1', y: '2' }] },
    jwks_uri: 'https://docs.example/jwks',
  };

  test('is the digest that checkDocument returns', () => {
    expect(policy.checkDocument(clientId, plain).digest).toBe(documentDigest(plain));
    expect(documentDigest(plain)).toMatch(/^[\w-]{43}$/);
  });

  test.each<[string, JsonObject]>([
    ['redirect URIs in another order', { redirect_uris: ['https://docs.example/b', 'https://docs.example/a'] }],
    ['members of a key in another order', { jwks: { keys: [{ y: '2', x: '1', kty: 'EC' }] } }],
    ['a logo', { logo_uri: 'https://docs.example/logo.png' }],
    ['an unknown member', { software_version: '2' }],
  ])('does not change with %s', (_what, more) => {
    expect(documentDigest({ ...document, ...more })).toBe(documentDigest(document));
  });

  test.each<[string, JsonObject]>([
    ['one redirect URI more', { redirect_uris: ['https://docs.example/a', 'https://docs.example/b', 'http://[::1]/'] }],
    ['one redirect URI less', { redirect_uris: ['https://docs.example/a'] }],
    ['redirect URIs run together', { redirect_uris: ['https://docs.example/a,https://docs.example/b'] }],
    ['another name', { client_name: 'A Client' }],
    ['no name', { client_name: undefined }],
    ['another key', { jwks: { keys: [{ kty: 'EC', x: '1', y: '3' }] } }],
    ['no keys', { jwks: undefined }],
    ['keys elsewhere', { jwks_uri: 'https://docs.example/other' }],
  ])('changes with %s', (_what, more) => {
    expect(documentDigest({ ...document, ...more })).not.toBe(documentDigest(document));
  });
});

describe('metadataDocuments(options).allowedScopes(clientId, digest)', () => {
  test('is identity and read scopes for an unreviewed document', async () => {
    expect(await policy.allowedScopes(clientId, 'd')).toEqual(unreviewedScopes);
    expect(unreviewedScopes).toContain('openid');
    expect(unreviewedScopes).toContain('courses:read');
    expect(unreviewedScopes).not.toContain('account:read');
    for (const scope of unreviewedScopes) expect(scope).not.toMatch(/:write$/);
  });

  test('is every operator scope for a reviewed document, and for that document only', async () => {
    const seen: string[][] = [];
    const reviewing = metadataDocuments({
      open: true,
      reviewed: async (...asked) => {
        seen.push(asked);
        return asked[1] === 'good';
      },
    });
    expect(await reviewing.allowedScopes(clientId, 'good')).toEqual(operatorScopes);
    expect(await reviewing.allowedScopes(clientId, 'changed')).toEqual(unreviewedScopes);
    expect(seen).toEqual([
      [clientId, 'good'],
      [clientId, 'changed'],
    ]);
  });

  test.each([{}, { hosts: [] }, { documents: [], open: false }])(
    'a policy that admits nothing (%j) is refused',
    (options) => {
      expect(() => metadataDocuments(options)).toThrow(
        new TypeError('metadataDocuments must admit something: documents, hosts or open'),
      );
    },
  );

  test('rejects when the reviewer rejects', async () => {
    const failing = metadataDocuments({ open: true, reviewed: () => Promise.reject(new Error('down')) });
    await expect(failing.allowedScopes(clientId, 'd')).rejects.toThrow('down');
  });
});
