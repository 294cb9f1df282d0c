import { describe, expect, test } from '@jest/globals';
import type { RegistrationPolicy } from '../../lib/features/registration/domain/registration-policy.ts';
import type { RegistrationMetadata } from '../../lib/core/clients/registered-metadata.ts';
import { OAuthError } from '../../lib/kernel/errors.ts';
import { type VendorPlatform, vendorPlatforms } from '../../policies/index.ts';
import { standardScopes } from '../helpers/scopes.ts';
import { harbourSite } from '../helpers/sites.ts';

const site = harbourSite();

const claude: VendorPlatform = {
  clientId: 'claude',
  clientName: 'Claude',
  names: ['Claude', 'Claude Desktop', /^claude-\d+$/],
  redirectUris: ['https://claude.ai/api/mcp/auth_callback'],
};
const policy = vendorPlatforms([
  claude,
  { ...claude, clientId: 'cursor', clientName: 'Cursor', names: ['Cursor', /^cursor (?:a|b)|cursor c$|^cursor d$/g] },
  { ...claude, clientId: 'windsurf', clientName: 'Windsurf', names: ['Windsurf'] },
  { ...claude, clientId: 'replit', clientName: 'Replit', names: ['Replit'], scopes: ['openid'] },
  { ...claude, clientId: 'bolt', clientName: 'Bolt', names: ['Bolt.new'], clientUri: 'https://bolt.new' },
  { ...claude, clientId: 'doubao', clientName: '豆包', names: ['豆包'] },
  { ...claude, clientId: 'quoi', clientName: '???', names: ['???'] },
]);

/** The known client's id, `refused`, or nothing. */
async function verdict(name: string | undefined, by: RegistrationPolicy = policy): Promise<string | undefined> {
  const metadata: RegistrationMetadata = { client_name: name, redirect_uris: ['https://evil.example/cb'] };
  try {
    const result = await by.decide({ site, metadata });
    return result?.decision === 'known' ? result.clientId : result?.decision;
  } catch (error) {
    if (error instanceof OAuthError && error.error === 'invalid_client_metadata') return 'refused';
    throw error;
  }
}

describe('vendorPlatforms(rows).decide(request)', () => {
  test.each([
    ['Claude', 'claude'],
    ['claude', 'claude'],
    ['CLAUDE', 'claude'],
    ['  Claude\t\n', 'claude'],
    ['Claude   Desktop', 'claude'],
    ['Claude\u00a0Desktop', 'claude'],
    ['Ｃｌａｕｄｅ', 'claude'],
    ['𝐂𝐥𝐚𝐮𝐝𝐞', 'claude'],
    ['Ⓒⓛⓐⓤⓓⓔ', 'claude'],
    ['claude-42', 'claude'],
    ['Claude-42', 'claude'],
    ['cursor a', 'cursor'],
    ['Cursor C', 'cursor'],
    ['cursor d', 'cursor'],
    ['bolt.new', 'bolt'],
    ['豆包', 'doubao'],
  ])('returns the client_id for %j', async (name, clientId) => {
    expect(await verdict(name)).toBe(clientId);
    expect(await verdict(name)).toBe(clientId);
  });

  test.each([
    ['Сlaude', 'Cyrillic С'],
    ['Clаude', 'Cyrillic а'],
    ['ϹLΑUDΕ', 'Greek capitals'],
    ['Сӏаυԁе', 'no Latin letter at all'],
    ['Clauԁe', 'Cyrillic ԁ'],
    ['CIaude', 'capital I for l'],
    ['C1aude', '1 for l'],
    ['C|aude', 'a bar for l'],
    ['Cláude', 'an accent'],
    ['C̈laude', 'a combining mark'],
    ['Cla\u200bude', 'zero width space'],
    ['Claude\u200b', 'zero width space at the end'],
    ['\u200dClaude', 'zero width joiner'],
    ['Claude\u2060', 'word joiner'],
    ['Claude\ufeff\u00ad', 'byte order mark and soft hyphen'],
    ['Cl\u034faude', 'combining grapheme joiner'],
    ['\u202dClaude\u202c', 'direction marks'],
    ['Claude\u{e0041}', 'a tag character'],
    ['Claude\ufe0f', 'a variation selector'],
    ['C l a u d e', 'spaces between'],
    ['Claude™', 'a trade mark'],
    ['Claude®', 'a registered trade mark'],
    ['Claude ✅', 'a tick'],
    ['[Claude]', 'brackets'],
    ['"Claude"', 'quotes'],
    ['Claude.', 'a full stop'],
    ['ᴄʟᴀᴜᴅᴇ', 'small capitals'],
    ['ᏟᏞᎪꓴᎠᎬ', 'Cherokee'],
    ['ꓚꓡꓮꓴꓓꓰ', 'Lisu'],
    ['🇨🇱🇦🇺🇩🇪', 'flags'],
    ['🅒🅛🅐🅤🅓🅔', 'negative circled letters'],
    ['🅲🅻🅰🆄🅳🅴', 'negative squared letters'],
    ['Cłaude', 'l with stroke'],
    ['ClaudeDesktop', 'no space'],
    ['Claude_Desktop', 'another separator'],
    ['Bolt', 'the display name of a vendor that registers under another'],
    ['Boltnew', 'no dot'],
    ['VVindsurf', 'two v for w'],
    ['Wіndsurf', 'Cyrillic і'],
    ['Windѕurf', 'Cyrillic ѕ'],
    ['Wlndsurf', 'l for i'],
    ['Repl1t', '1 for i'],
    ['RepIit', 'I for l'],
    ['Curs0r', '0 for o'],
    ['Cursοr', 'Greek ο'],
    ['Сursоr', 'Cyrillic С and о'],
    ['豆\u200b包', 'zero width space in Chinese'],
  ])('refuses %j: %s', async (name) => {
    expect(await verdict(name)).toBe('refused');
  });

  test.each([
    undefined,
    '',
    ' ',
    '!!!',
    'Claude Code',
    'My Claude helper',
    'claude-x',
    'xclaude-42',
    'claude-42x',
    'cursor ab',
    'cursor',
    'Claudette',
    'Cloud',
    'Клод',
    'Κλοντ',
    'Courser',
    'Bolts',
    '包豆',
    'some tool',
    `Claude${' '.repeat(200)}`,
    'Сlaude '.repeat(2000),
  ])('has no verdict on %j', async (name) => {
    const known = name === 'cursor' ? 'cursor' : undefined;
    expect(await verdict(name)).toBe(known);
  });

  test('a pattern keeps no state between calls', async () => {
    const global = vendorPlatforms([{ ...claude, names: [/^tool \d$/g, /^other \d$/y] }]);
    for (const name of ['tool 1', 'tool 2', 'other 1', 'other 2']) expect(await verdict(name, global)).toBe('claude');
  });

  // Where it took longer with every character, this would not end within the time of a test.
  test('a hostile name is decided in a bounded time', async () => {
    for (const name of ['\u0300'.repeat(200), 'ﷺ'.repeat(200), 'v'.repeat(200), '🇨'.repeat(100)]) {
      for (let i = 0; i < 100; i += 1) expect(await verdict(name)).toBeUndefined();
    }
  });
});

describe('vendorPlatforms(rows).clients', () => {
  test('are public operator clients with their own redirect URIs', () => {
    expect(policy.clients).toHaveLength(7);
    expect(policy.clients?.[0]).toEqual({
      clientId: 'claude',
      clientName: 'Claude',
      audience: 'operator',
      redirectUris: ['https://claude.ai/api/mcp/auth_callback'],
      scopes: undefined,
      clientUri: undefined,
    });
    expect(policy.clients?.[3]?.scopes).toEqual(['openid']);
    expect(policy.clients?.[4]?.clientUri).toBe('https://bolt.new');
    for (const client of policy.clients ?? []) expect(client.clientSecret).toBeUndefined();
  });
});

describe('vendorPlatforms(rows).refusal(request)', () => {
  test('is invalid_client_metadata', () => {
    for (const client_name of ['Nobody', undefined]) {
      expect(policy.refusal?.({ site, metadata: { client_name } })).toMatchObject({
        error: 'invalid_client_metadata',
        status: 400,
        message: expect.stringContaining('does not match a known integration'),
      });
    }
  });
});

describe('vendorPlatforms(rows)', () => {
  const options: readonly (readonly [object | undefined, string])[] = [
    [undefined, 'vendorPlatforms[0] must be an object'],
    [{ clientId: '' }, 'vendorPlatforms[0].clientId must be printable ASCII'],
    [{ clientId: 'https://claude.ai/x' }, 'vendorPlatforms[0].clientId must not start with https://'],
    [{ clientName: '' }, 'vendorPlatforms[0].clientName must be a non-empty string'],
    [{ names: [] }, 'vendorPlatforms[0].names must be an array'],
    [{ names: ['Claude', 5] }, 'vendorPlatforms[0].names[1] must be a string or a RegExp'],
    [{ names: ['Claude', ' '] }, 'vendorPlatforms[0].names[1] must not be empty'],
    [{ names: ['Claude', 'ＣＬＡＵＤＥ'] }, 'vendorPlatforms[0].names[1] must be unique'],
    [{ names: ['Claude', /claude/] }, 'vendorPlatforms[0].names[1] must be anchored'],
    [{ names: ['Claude', /^claude/] }, 'vendorPlatforms[0].names[1] must be anchored'],
    [{ names: ['Claude', /claude$/] }, 'vendorPlatforms[0].names[1] must be anchored'],
    [{ names: ['Claude', /^claude\$/] }, 'vendorPlatforms[0].names[1] must be anchored'],
    [{ names: ['Claude', /^claude$/m] }, 'vendorPlatforms[0].names[1] must be anchored'],
    [{ redirectUris: [] }, 'vendorPlatforms[0].redirectUris must be an array'],
    [{ redirectUris: ['http://claude.ai/'] }, 'vendorPlatforms[0].redirectUris[0] must be a redirect URI, but it uses'],
    [{ redirectUris: [7] }, 'vendorPlatforms[0].redirectUris[0] must be a redirect URI, but it is not a string'],
    [{ scopes: ['openid', 5] }, 'vendorPlatforms[0].scopes[1] must be a scope of the catalogue, not 5'],
    [{ clientUri: 'javascript:x' }, 'vendorPlatforms[0].clientUri must be an https: or http: address'],
  ];

  test.each(options)('refuses %j at construction', (row, message) => {
    const rows = JSON.parse('[]');
    rows.push(row && { ...claude, ...row });
    expect(() => vendorPlatforms(rows)).toThrow(TypeError);
    expect(() => vendorPlatforms(rows)).toThrow(message);
  });

  test.each([
    [
      ['openid', 'account:read'],
      'vendorPlatforms[1].scopes[1] must be an operator scope of the catalogue, not "account:read"',
    ],
    [['all'], 'vendorPlatforms[1].scopes[0] must be an operator scope of the catalogue, not "all"'],
  ])('refuses the scopes %j once it is known which there are', (scopes, message) => {
    const two = vendorPlatforms([claude, { ...claude, clientId: 'b', names: ['B'], scopes }]);
    expect(() => two.checkScopes?.(standardScopes.rows)).toThrow(new TypeError(message));
  });

  test('refuses a duplicate client_id', () => {
    const rows = [claude, { ...claude, names: ['Other'] }];
    expect(() => vendorPlatforms(rows)).toThrow('vendorPlatforms[1].clientId must be unique');
  });

  test('accepts an escaped backslash before the end of a pattern', async () => {
    expect(await verdict('claude\\', vendorPlatforms([{ ...claude, names: [/^claude\\$/] }]))).toBe('claude');
  });
});
