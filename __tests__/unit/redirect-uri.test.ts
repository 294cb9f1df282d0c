import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { checkRedirectUri, isLoopbackRedirect, redirectHost } from '../../lib/core/clients/redirect-uri.ts';
import { cases } from '../helpers/properties.ts';

/** What each URI is: loopback for everyone, only where localhost is allowed, another allowed kind, or nothing. */
type Kind = 'loopback' | 'localhost' | 'https' | 'private-use' | 'custom-scheme' | 'refused';

const table: readonly (readonly [uri: string, kind: Kind])[] = [
  ['http://127.0.0.1', 'loopback'],
  ['http://127.0.0.1/', 'loopback'],
  ['http://127.0.0.1/callback', 'loopback'],
  ['http://127.0.0.1:1/callback', 'loopback'],
  ['http://127.0.0.1:80/callback', 'loopback'],
  ['http://127.0.0.1:443/callback', 'loopback'],
  ['http://127.0.0.1:3118/callback', 'loopback'],
  ['http://127.0.0.1:65535/oauth/callback', 'loopback'],
  ['http://127.0.0.1:33418', 'loopback'],
  ['http://127.0.0.1/cb?tool=cli', 'loopback'],
  ['http://127.0.0.1/cb/%7Euser', 'loopback'],
  ['http://127.0.0.1/@me', 'loopback'],
  ['http://[::1]', 'loopback'],
  ['http://[::1]/callback', 'loopback'],
  ['http://[::1]:8080/callback', 'loopback'],
  ['http://localhost', 'localhost'],
  ['http://localhost/callback', 'localhost'],
  ['http://localhost:8787/callback', 'localhost'],
  // other spellings of this machine
  ['http://127.0.0.2/callback', 'refused'],
  ['http://127.1/callback', 'refused'],
  ['http://127.0.1/callback', 'refused'],
  ['http://0x7f.1/callback', 'refused'],
  ['http://0x7f000001/callback', 'refused'],
  ['http://0177.0.0.1/callback', 'refused'],
  ['http://017700000001/callback', 'refused'],
  ['http://2130706433/callback', 'refused'],
  ['http://127.000.000.001/callback', 'refused'],
  ['http://127.0.0.1./callback', 'refused'],
  ['http://localhost./callback', 'refused'],
  ['http://0.0.0.0/callback', 'refused'],
  ['http://0/callback', 'refused'],
  ['http://[::]/callback', 'refused'],
  ['http://[::ffff:127.0.0.1]/callback', 'refused'],
  ['http://[::ffff:7f00:1]/callback', 'refused'],
  ['http://[0:0:0:0:0:0:0:1]/callback', 'refused'],
  ['http://[::0001]/callback', 'refused'],
  ['http://[::1%25lo]/callback', 'refused'],
  ['http://[0000::1]:80/callback', 'refused'],
  ['http://１２７.0.0.1/callback', 'refused'],
  ['http://127。0。0。1/callback', 'refused'],
  ['http://%31%32%37.0.0.1/callback', 'refused'],
  ['http://LOCALHOST/callback', 'refused'],
  ['http://ⓛocalhost/callback', 'refused'],
  ['HTTP://127.0.0.1/callback', 'refused'],
  ['Http://localhost/callback', 'refused'],
  // somewhere else, dressed up
  ['http://127.0.0.1.evil.example/callback', 'refused'],
  ['http://localhost.evil.example/callback', 'refused'],
  ['http://localhost.evil/callback', 'refused'],
  ['http://evil.example/127.0.0.1', 'refused'],
  ['http://evil.example:80/?http://127.0.0.1/', 'refused'],
  ['http://user@127.0.0.1/callback', 'refused'],
  ['http://user:secret@127.0.0.1/callback', 'refused'],
  ['http://@127.0.0.1/callback', 'refused'],
  ['http://:@127.0.0.1/callback', 'refused'],
  ['http://127.0.0.1@evil.example/callback', 'refused'],
  ['http://127.0.0.1:80@evil.example/callback', 'refused'],
  ['http://127.0.0.1\\@evil.example/callback', 'refused'],
  ['http://evil.example\\@127.0.0.1/callback', 'refused'],
  ['http://127.0.0.1\\.evil.example/', 'refused'],
  ['http:\\\\127.0.0.1\\callback', 'refused'],
  ['http:/127.0.0.1/callback', 'refused'],
  ['http:127.0.0.1/callback', 'refused'],
  ['http:///127.0.0.1/callback', 'refused'],
  ['http://127.0.0.1#@evil.example/', 'refused'],
  ['http://127.0.0.1?@evil.example/', 'refused'],
  ['//127.0.0.1/callback', 'refused'],
  ['127.0.0.1:8080/callback', 'refused'],
  ['localhost:3000/callback', 'refused'],
  // a port, a path, a query out of shape
  ['http://127.0.0.1:/callback', 'refused'],
  ['http://127.0.0.1:0/callback', 'refused'],
  ['http://127.0.0.1:080/callback', 'refused'],
  ['http://127.0.0.1:65536/callback', 'refused'],
  ['http://127.0.0.1:99999/callback', 'refused'],
  ['http://127.0.0.1:+80/callback', 'refused'],
  ['http://127.0.0.1:*/callback', 'refused'],
  ['http://127.0.0.1:80:80/callback', 'refused'],
  ['http://127.0.0.1/a/../callback', 'refused'],
  ['http://127.0.0.1/%2e%2e/callback', 'refused'],
  ['http://127.0.0.1/./callback', 'refused'],
  ['http://127.0.0.1/callback#', 'refused'],
  ['http://127.0.0.1/callback#fragment', 'refused'],
  ['http://127.0.0.1/call back', 'refused'],
  [' http://127.0.0.1/callback', 'refused'],
  ['http://127.0.0.1/callback\n', 'refused'],
  ['http://127.0.0.1\t/callback', 'refused'],
  ['ht\ntp://127.0.0.1/callback', 'refused'],
  ['http://127.0.0.1/\u0000', 'refused'],
  ['http://127.0.0.1/caf\u00e9', 'refused'],
  ['http://127.0.0.1/"><script>', 'refused'],
  [`http://127.0.0.1/${'a'.repeat(2000)}`, 'refused'],
  ['', 'refused'],
  ['*', 'refused'],
  // fixed callbacks
  ['https://app.example/callback', 'https'],
  ['https://app.example', 'https'],
  ['https://app.example:8443/callback?tenant=a', 'https'],
  ['https://claude.ai/api/mcp/auth_callback', 'https'],
  ['https://127.0.0.1/callback', 'https'],
  ['https://xn--bcher-kva.example/callback', 'https'],
  ['https://bücher.example/callback', 'refused'],
  ['https://APP.example/callback', 'refused'],
  ['https://app.example:443/callback', 'refused'],
  ['https://app.example./callback', 'refused'],
  ['https://user@app.example/callback', 'refused'],
  ['https://@app.example/callback', 'refused'],
  ['https:///@app.example/callback', 'refused'],
  ['https://app.example/callback#fragment', 'refused'],
  ['https://app.example/a/../callback', 'refused'],
  ['https://app.example\\@evil.example/', 'refused'],
  ['https:///callback', 'refused'],
  ['https://', 'refused'],
  ['https://*.example/callback', 'refused'],
  ['https://app.example/callback?code=1', 'refused'],
  ['https://app.example/callback?x=1&state=1', 'refused'],
  ['https://app.example/callback?%69ss=1', 'refused'],
  ['https://app.example/callback?error=1', 'refused'],
  ['http://app.example/callback', 'refused'],
  // private-use schemes
  ['com.example.app:/callback', 'private-use'],
  ['com.example.app://oauth/callback', 'private-use'],
  ['com.example.app:/callback@2', 'refused'],
  ['com.example.app://user@oauth/callback', 'refused'],
  ['com.example.app:callback', 'refused'],
  ['com.example.app:/callback#fragment', 'refused'],
  ['COM.example.app:/callback', 'refused'],
  ['javascript:alert(1)', 'refused'],
  ['javascript:/alert.example/', 'refused'],
  ['data:text/html,hello', 'refused'],
  ['vbscript:x.y', 'refused'],
  ['file:///etc/passwd', 'refused'],
  ['blob:https://app.example/1', 'refused'],
  ['about:blank', 'refused'],
  ['ws://127.0.0.1/callback', 'refused'],
  ['wss://127.0.0.1/callback', 'refused'],
  ['ftp://127.0.0.1/callback', 'refused'],
  ['mailto:someone@app.example', 'refused'],
  ['urn:ietf:wg:oauth:2.0:oob', 'refused'],
  ['intent://127.0.0.1/#Intent;end', 'refused'],
  ['view-source:http://127.0.0.1/', 'refused'],
  // schemes of apps
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'custom-scheme'],
  ['vscode-insiders://vscode.mcp/callback?x=1', 'custom-scheme'],
  ['cursor:/callback', 'refused'],
  ['cursor:callback', 'refused'],
  ['cursor://', 'refused'],
  ['cursor:///callback', 'refused'],
  ['cursor://?x=1', 'refused'],
  ['cursor://user@anysphere.cursor-mcp/callback', 'refused'],
  ['cursor://anysphere.cursor-mcp/callback#fragment', 'refused'],
  ['cursor://anysphere.cursor-mcp/a/../callback', 'refused'],
  ['cursor://anysphere.cursor-mcp/callback?code=1', 'refused'],
  ['cursor://anysphere.cursor-mcp/call back', 'refused'],
  ['Cursor://anysphere.cursor-mcp/oauth/callback', 'refused'],
  ['1cursor://anysphere.cursor-mcp/oauth/callback', 'refused'],
  ['cursor_://anysphere.cursor-mcp/oauth/callback', 'refused'],
  ['javascript://app.example/%0aalert(1)', 'refused'],
  ['vbscript://app.example/%0amsgbox', 'refused'],
  ['data://app.example/text/html,hello', 'refused'],
  ['file://app.example/etc/passwd', 'refused'],
  ['blob://app.example/1', 'refused'],
  ['filesystem://app.example/1', 'refused'],
  ['about://blank', 'refused'],
  ['ftp://app.example/callback', 'refused'],
  ['ws://app.example/callback', 'refused'],
  ['wss://app.example/callback', 'refused'],
  ['mailto://someone', 'refused'],
  ['urn://app.example/callback', 'refused'],
  ['intent://app.example/callback', 'refused'],
  ['view-source://app.example/callback', 'refused'],
  ['chrome-extension://app.example/callback', 'refused'],
  ['tel://1', 'refused'],
];

describe('the table of redirect URIs', () => {
  test('has at least 80 rows, each once', () => {
    expect(new Set(table.map(([uri]) => uri)).size).toBe(table.length);
    expect(table.length).toBeGreaterThanOrEqual(80);
  });

  test.each(table)('%j is %s', (uri, kind) => {
    const allowed = (allow: Parameters<typeof checkRedirectUri>[1]) => checkRedirectUri(uri, allow) === undefined;
    expect({
      loopback: allowed({ loopback: true }),
      localhost: allowed({ loopback: true, localhost: true }),
      https: allowed({ https: true }),
      privateUse: allowed({ privateUse: true }),
      customScheme: allowed({ customScheme: true }),
      nothing: allowed({}),
      localhostAlone: allowed({ localhost: true }),
    }).toEqual({
      loopback: kind === 'loopback',
      localhost: kind === 'loopback' || kind === 'localhost',
      https: kind === 'https',
      privateUse: kind === 'private-use',
      customScheme: kind === 'custom-scheme',
      nothing: false,
      localhostAlone: false,
    });
  });

  test.each(table.filter(([uri]) => uri.length <= 2000))('isLoopbackRedirect(%j) agrees', (uri, kind) => {
    expect(isLoopbackRedirect(uri)).toBe(kind === 'loopback');
    expect(isLoopbackRedirect(uri, { localhost: true })).toBe(kind === 'loopback' || kind === 'localhost');
  });
});

describe('checkRedirectUri(uri, allow)', () => {
  test.each([
    ['http://127.0.0.1/#x', 'has a fragment'],
    ['http://localhost/cb', 'names localhost; write http://127.0.0.1 or http://[::1]'],
    ['https://app.example/cb', 'is a fixed https: callback, which is not allowed here'],
    ['app.example/cb', 'is not an absolute URI'],
    ['cursor://x/cb', 'uses the scheme cursor:, which is not allowed here'],
  ])('says what is wrong with %s', (uri, wrong) => {
    expect(checkRedirectUri(uri, { loopback: true })).toBe(wrong);
  });

  test.each([
    [{ loopback: true }, 'a plain http://127.0.0.1[:port]/... or http://[::1][:port]/...'],
    [
      { loopback: true, localhost: true },
      'a plain http://127.0.0.1[:port]/..., http://localhost[:port]/... or http://[::1][:port]/...',
    ],
  ])('names the loopback hosts that %j allows', (allow, hosts) => {
    expect(checkRedirectUri('http://app.example/cb', allow)).toBe(`uses http: for something other than ${hosts}`);
  });

  test('names the plain form', () => {
    const wrong = checkRedirectUri('https://APP.example:443/a/../cb', { https: true });
    expect(wrong).toBe('is not in its plain form, https://app.example/cb');
  });
});

describe('redirectHost(uri)', () => {
  test.each([
    ['https://app.example/cb', 'app.example'],
    ['https://app.example:8443/cb', 'app.example:8443'],
    ['http://127.0.0.1:3118/cb', '127.0.0.1'],
    ['http://[::1]:3118/cb', '[::1]'],
    ['http://localhost:3118/cb', 'localhost'],
    ['http://127.0.0.1@evil.example/cb', 'evil.example'],
    ['com.example.app:/cb', 'com.example.app'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor'],
    ['no address', 'no address'],
  ])('%s is %s', (uri, host) => {
    expect(redirectHost(uri)).toBe(host);
  });
});

describe('properties', () => {
  const pieces = [
    'http://',
    'http:',
    'https://',
    'HTTP://',
    '//',
    '/',
    '\\',
    '@',
    ':',
    '.',
    '?',
    '#',
    '%',
    '%2e',
    '%40',
    '[',
    ']',
    '::1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '127.0.0.2',
    'localhost',
    'evil.example',
    '80',
    '65536',
    '0',
    'cb',
    ' ',
    '\t',
    '\n',
    '\u0000',
    '\u00ad',
    '。',
    '１',
  ] as const;
  const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
  const onThisMachine = new Set(['127.0.0.1', '[::1]', 'localhost']);

  test.each([
    ['pieces of addresses', soup],
    ['pieces after a loopback host', soup.map((tail) => `http://127.0.0.1${tail}`)],
    ['pieces between a scheme and a loopback host', soup.map((middle) => `http://${middle}localhost/`)],
    ['arbitrary text after a scheme', fc.string({ unit: 'binary' }).map((tail) => `http://${tail}`)],
    ['web addresses', fc.webUrl({ validSchemes: ['http'], withFragments: true, withQueryParameters: true })],
  ])('nothing that a browser would send off this machine is a loopback address: %s', (_name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (uri) => {
        if (!isLoopbackRedirect(uri, { localhost: true })) return;
        const url = new URL(uri);
        expect(url.protocol).toBe('http:');
        expect(onThisMachine).toContain(url.hostname);
        expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
        // As a naive reader would split it, too.
        expect(onThisMachine).toContain(uri.slice('http://'.length).replace(/(?::\d+)?(?:[/?].*)?$/, ''));
      }),
      cases(2000),
    );
  });

  test('every port from 1 to 65535 is one, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 70_000 }), fc.constantFrom('127.0.0.1', '[::1]'), (port, host) => {
        expect(isLoopbackRedirect(`http://${host}:${port}/cb`)).toBe(port >= 1 && port <= 65_535);
      }),
      cases(100),
    );
  });

  test('an https: redirect URI goes where it says', () => {
    fc.assert(
      fc.property(
        soup.map((tail) => `https://app.example${tail}`),
        (uri) => {
          if (checkRedirectUri(uri, { https: true }) !== undefined) return;
          expect([uri, `${uri}/`]).toContain(new URL(uri).href);
          expect(uri).toMatch(/^https:\/\/app\.example/);
        },
      ),
      cases(2000),
    );
  });
});
