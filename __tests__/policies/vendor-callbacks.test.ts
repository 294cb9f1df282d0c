import { describe, expect, test } from '@jest/globals';
import { operatorScopes, type VendorPlatform, vendorPlatforms } from '../../policies/index.ts';
import { harbourSite } from '../helpers/sites.ts';

const site = harbourSite();

const prefix = 'https://consent.studio.example/redirect/';
const studio: VendorPlatform = {
  clientName: 'Acme Studio',
  names: ['Acme Studio', 'studio'],
  callbackPrefix: prefix,
  scopes: ['openid', 'courses:read'],
  clientUri: 'https://studio.example',
};
const editor: VendorPlatform = {
  clientId: 'acme-editor',
  clientName: 'Acme Editor',
  names: ['Acme Editor'],
  redirectUris: ['acme://editor.mcp/callback', 'https://editor.example/callback', 'http://localhost:8787/callback'],
};
const chat: VendorPlatform = {
  clientId: 'acme-chat',
  clientName: 'Acme Chat',
  names: ['Acme Chat'],
  redirectUris: ['https://chat.example/callback'],
  callbackPrefix: 'https://chat.example/callback/',
};
const policy = vendorPlatforms([studio, editor, chat]);

/** The verdict, or the error. */
async function decide(client_name: string, redirect_uris: readonly string[] | undefined): Promise<unknown> {
  try {
    return await policy.decide({ site, metadata: { client_name, redirect_uris } });
  } catch (error) {
    return error;
  }
}

describe('a row with a callback prefix', () => {
  test('admits a client of its own with just the posted redirect URIs', async () => {
    const posted = Object.freeze([`${prefix}tool-1`, `${prefix}Tool_2`, `${prefix}tool-1`]);
    expect(await decide(' STUDIO ', posted)).toEqual({
      decision: 'admit',
      metadata: {
        client_name: 'Acme Studio',
        client_uri: 'https://studio.example',
        application_type: 'web',
        redirect_uris: [`${prefix}tool-1`, `${prefix}Tool_2`],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: 'openid courses:read',
      },
    });
    expect(policy.clients?.map(({ clientId }) => clientId)).toEqual(['acme-editor', 'acme-chat']);
  });

  test('admits its fixed callback together with one under the prefix, and no other address', async () => {
    const fixed = 'https://chat.example/callback';
    const both = [fixed, `${fixed}/a`];
    expect(await decide('Acme Chat', both)).toMatchObject({ decision: 'admit', metadata: { redirect_uris: both } });
    const shared = { decision: 'known', clientId: 'acme-chat' };
    for (const uris of [[fixed], [fixed, 'https://evil.example/'], [`${fixed}/a`, 'https://evil.example/']]) {
      expect(await decide('Acme Chat', uris)).toEqual(shared);
    }
  });

  test('has every operator scope without a list', async () => {
    const every = { decision: 'admit', metadata: { scope: operatorScopes.join(' ') } };
    expect(await decide('Acme Chat', ['https://chat.example/callback/a'])).toMatchObject(every);
  });

  test.each([`${prefix}${'x'.repeat(128)}`, `${prefix}0`, `${prefix}-`, `${prefix}_`])('admits %s', async (uri) => {
    expect(await decide('Acme Studio', [uri])).toMatchObject({ decision: 'admit' });
  });

  test.each<[string, string[] | undefined]>([
    ['no list', undefined],
    ['an empty list', []],
    ['the prefix alone', [prefix]],
    ['the prefix without its slash', [prefix.slice(0, -1)]],
    ['a dot segment', [`${prefix}..`]],
    ['a dot segment and a path', [`${prefix}../evil`]],
    ['a dot', [`${prefix}tool.1`]],
    ['an encoded dot segment', [`${prefix}%2e%2e`]],
    ['an encoded slash', [`${prefix}a%2fb`]],
    ['an encoded letter', [`${prefix}%61`]],
    ['a further slash', [`${prefix}a/`]],
    ['a further segment', [`${prefix}a/b`]],
    ['an empty segment', [`${prefix}/a`]],
    ['a backslash', [`${prefix}a\\b`]],
    ['a query', [`${prefix}a?x=1`]],
    ['an empty query', [`${prefix}a?`]],
    ['a fragment', [`${prefix}a#x`]],
    ['a path parameter', [`${prefix}a;b`]],
    ['a space', [`${prefix}a `]],
    ['a line break', [`${prefix}a\n`]],
    ['a NUL', [`${prefix}a\u0000`]],
    ['a letter outside of ASCII', [`${prefix}é`]],
    ['129 characters', [`${prefix}${'x'.repeat(129)}`]],
    ['another host', ['https://evil.example/redirect/a']],
    ['a longer host', ['https://consent.studio.example.evil.example/redirect/a']],
    ['a user name', ['https://consent.studio.example@evil.example/redirect/a']],
    ['a user name of the right host', ['https://a@consent.studio.example/redirect/a']],
    ['a port', ['https://consent.studio.example:8443/redirect/a']],
    ['its default port', ['https://consent.studio.example:443/redirect/a']],
    ['capitals', ['https://CONSENT.studio.example/redirect/a']],
    ['another path', ['https://consent.studio.example/Redirect/a']],
    ['http', ['http://consent.studio.example/redirect/a']],
    ['a loopback address', ['http://127.0.0.1/callback']],
    ['one wrong address among them', [`${prefix}a`, 'https://evil.example/redirect/a']],
    ['a loopback address among them', [`${prefix}a`, 'http://127.0.0.1/callback']],
    ['eleven addresses', Array.from({ length: 11 }, (_, i) => `${prefix}${i}`)],
  ])('refuses %s, and says what it accepts', async (_what, uris) => {
    expect(await decide('Acme Studio', uris)).toMatchObject({
      error: 'invalid_redirect_uri',
      status: 400,
      message: expect.stringMatching(
        /^[\x20\x21\x23-\x5b\x5d-\x7e]+https:\/\/consent\.studio\.example\/redirect\/ and one /,
      ),
    });
  });

  test('a name that only looks like it is refused, and another name has no verdict', async () => {
    expect(await decide('Acme Studіo', [`${prefix}a`])).toMatchObject({ error: 'invalid_client_metadata' });
    expect(await decide('Another', [`${prefix}a`])).toBeUndefined();
  });

  test('beside a shared client: addresses under the prefix get a client of their own, others the shared one', async () => {
    const shared = { decision: 'known', clientId: 'acme-chat' };
    const under = 'https://chat.example/callback/tool-1';
    expect(await decide('Acme Chat', [under])).toMatchObject({
      decision: 'admit',
      metadata: { redirect_uris: [under] },
    });
    for (const uris of [
      undefined,
      [],
      ['https://chat.example/callback'],
      [under, 'https://evil.example/'],
      [`${under}/x`],
    ]) {
      expect(await decide('Acme Chat', uris)).toEqual(shared);
    }
  });
});

describe('a row whose callback prefix ends inside of a segment', () => {
  const own = 'https://relay.example/r/user_bound-';
  const relay: VendorPlatform = { clientName: 'Acme Relay', names: ['Acme Relay'], callbackPrefix: own, anyName: true };
  const by = vendorPlatforms([relay]);

  test.each([`${own}a`, `${own}116-mcp_example_com`])('admits %s', async (uri) => {
    const metadata = { client_name: 'x', redirect_uris: [uri] };
    expect(await by.decide({ site, metadata })).toMatchObject({
      decision: 'admit',
      metadata: { redirect_uris: [uri] },
    });
  });

  test.each([
    own,
    'https://relay.example/r/project',
    'https://relay.example/r/user_bound',
    'https://relay.example/r/user_boundX',
    `${own}a/b`,
    `${own}a.b`,
    `${own}../evil`,
    `${own}%2e%2e`,
    `${own}${'x'.repeat(129)}`,
  ])('refuses %s', async (uri) => {
    const metadata = { client_name: 'x', redirect_uris: [uri] };
    expect(await by.decide({ site, metadata })).toBeUndefined();
    const named = async () => by.decide({ site, metadata: { ...metadata, client_name: 'Acme Relay' } });
    await expect(named()).rejects.toThrow(`each ${own} and the rest of its last segment`);
  });
});

describe('a row with anyName', () => {
  const by = vendorPlatforms([
    { ...studio, anyName: true },
    editor,
    { ...chat, anyName: true, redirectUris: [...(chat.redirectUris ?? []), 'http://127.0.0.1/cb'] },
  ]);
  const verdict = async (client_name: string | undefined, redirect_uris: string[] | undefined): Promise<unknown> => {
    try {
      return await by.decide({ site, metadata: { client_name, redirect_uris } });
    } catch (error) {
      return error;
    }
  };

  test.each([undefined, '', 'Somebody', 'Acme Studіo', 'Acme-Studio'])(
    'is found by its callbacks under %j',
    async (name) => {
      const own = { decision: 'admit', metadata: { client_name: 'Acme Studio', redirect_uris: [`${prefix}a`] } };
      expect(await verdict(name, [`${prefix}a`])).toMatchObject(own);
      const shared = { decision: 'known', clientId: 'acme-chat' };
      expect(await verdict(name, ['https://chat.example/callback'])).toEqual(shared);
    },
  );

  test.each<[string, string[] | undefined]>([
    ['no address', undefined],
    ['an empty list', []],
    ['an address of no vendor', ['https://evil.example/']],
    ['one more address', [`${prefix}a`, 'https://evil.example/']],
    ['addresses of two vendors', [`${prefix}a`, 'https://chat.example/callback']],
    ['the loopback address of the row', ['http://127.0.0.1/cb']],
    ['a loopback address beside its own', ['https://chat.example/callback', 'http://127.0.0.1/cb']],
    ['a deeper path', [`${prefix}a/b`]],
    ['the addresses of a row without anyName', ['acme://editor.mcp/callback', 'https://editor.example/callback']],
  ])('is not found with %s', async (_what, uris) => {
    expect(await verdict('Somebody', uris)).toBeUndefined();
  });

  test('the name of another vendor comes first', async () => {
    expect(await verdict('Acme Editor', [`${prefix}a`])).toEqual({ decision: 'known', clientId: 'acme-editor' });
  });
});

test('the guide names the vendors with a shared client, and the prefixes', () => {
  expect(policy.guide?.text).toMatch(
    /Known vendor platforms: Acme Editor, Acme Chat\. Acme Studio gets a separate client/,
  );
  expect(policy.guide?.text).toContain(`is \`${prefix}\` and one last segment`);
  expect(policy.guide?.example).toEqual({ client_name: 'Acme Editor' });
  const alone = vendorPlatforms([studio]).guide;
  expect(alone?.text).toMatch(/^Acme Studio gets a separate client/);
  expect(alone?.example).toEqual({ client_name: 'Acme Studio', redirect_uris: [`${prefix}example`] });
});

describe('vendorPlatforms(rows)', () => {
  const prefixDemand = 'vendorPlatforms[0].callbackPrefix must be an https: address with a path that ends with / or -';
  const redirect = 'vendorPlatforms[0].redirectUris[0] must be a redirect URI, but it';
  const own = { clientId: undefined, redirectUris: undefined };
  const rows: readonly (readonly [object, string])[] = [
    ...[
      'http://consent.studio.example/redirect/',
      'consent.studio.example/redirect/',
      'https://consent.studio.example',
      'https://consent.studio.example/',
      'https://consent.studio.example//',
      'https://consent.studio.example/redirect',
      'https://consent.studio.example-',
      'https://consent.studio.example/-',
      'https://consent.studio.example/redirect_',
      'https://consent.studio.example/redirect?x=-',
      'https://consent.studio.example/redirect/?x=/',
      'https://consent.studio.example/redirect/?',
      'https://consent.studio.example/redirect/#/',
      'https://consent.studio.example/redirect//',
      'https://consent.studio.example/a/../redirect/',
      'https://consent.studio.example:443/redirect/',
      'https://CONSENT.studio.example/redirect/',
      'https://user@consent.studio.example/redirect/',
      'https://*.studio.example/redirect/',
      'cursor://studio.example/redirect/',
      '/redirect/',
      '',
      7,
    ].map((callbackPrefix) => [{ ...own, callbackPrefix }, prefixDemand] as const),
    [own, 'vendorPlatforms[0].redirectUris must be set, or callbackPrefix'],
    [{ redirectUris: undefined }, 'vendorPlatforms[0].redirectUris must be set with clientId'],
    [{ ...own, clientId: 'x', callbackPrefix: prefix }, 'vendorPlatforms[0].redirectUris must be set with clientId'],
    [{ clientId: undefined }, 'vendorPlatforms[0].clientId must be set with redirectUris'],
    [{ clientId: undefined, callbackPrefix: prefix }, 'vendorPlatforms[0].clientId must be set with redirectUris'],
    [{ redirectUris: ['javascript://x.example/%0aalert(1)'] }, `${redirect} uses the scheme javascript:`],
    [{ redirectUris: ['data:text/html,x'] }, `${redirect} uses the scheme data:`],
    [{ redirectUris: ['file:///etc/passwd'] }, `${redirect} uses the scheme file:`],
    [{ redirectUris: ['cursor:callback'] }, `${redirect} uses the scheme cursor:`],
    [{ redirectUris: ['Cursor://x/callback'] }, redirect],
    [
      { redirectUris: ['https://localhost/cb', 'acme://x/cb'] },
      'redirectUris must not mix an https: address of this machine',
    ],
    [
      { redirectUris: ['https://[::1]:8/cb', 'http://[::1]/cb'] },
      'redirectUris must not mix an https: address of this',
    ],
    [{ anyName: 'yes' }, 'vendorPlatforms[0].anyName must be true or false'],
    [{ sources: 'https://acme.example' }, 'vendorPlatforms[0].sources must be an array of sources'],
    [
      { sources: [{ url: 'acme', kind: 'read' }] },
      'vendorPlatforms[0].sources[0].url must be an https: or http: address',
    ],
    [
      { sources: [{ url: 'https://a.example', kind: 'guess' }] },
      'vendorPlatforms[0].sources[0].kind must be "read" or "recorded"',
    ],
  ];

  test.each(rows)('refuses %j at construction', (change, message) => {
    const given = JSON.parse('[]');
    given.push({ ...editor, ...change });
    expect(() => vendorPlatforms(given)).toThrow(TypeError);
    expect(() => vendorPlatforms(given)).toThrow(message);
  });

  test('accepts https addresses of this machine among themselves, and rows with sources', () => {
    const redirectUris = ['https://localhost/cb', 'https://localhost.example/cb'];
    const sources = [{ url: 'https://acme.example/docs', kind: 'read' }] as const;
    const [client] = vendorPlatforms([{ ...editor, redirectUris, sources }]).clients ?? [];
    expect(client).not.toHaveProperty('sources');
    expect(client?.redirectUris).toEqual(redirectUris);
  });
});
