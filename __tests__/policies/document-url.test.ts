import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { refusalOf } from '../helpers/refusal.ts';
import { metadataDocuments } from '../../policies/index.ts';
import { cases } from '../helpers/properties.ts';

const listed = metadataDocuments({ hosts: ['docs.example', 'ports.example:8443', '192.0.2.1', 'localhost:3000'] });
const open = metadataDocuments({ open: true });

/** Who resolves it: only the allowlist above, only an open server, both, or nobody. */
type Who = 'listed' | 'open' | 'both' | 'nobody';

const table: readonly (readonly [url: string, who: Who])[] = [
  ['https://docs.example/client.json', 'both'],
  ['https://docs.example/oauth/client-metadata', 'both'],
  ['https://docs.example/a/', 'both'],
  ['https://docs.example/client?v=2', 'both'],
  ['https://docs.example/~user/client', 'both'],
  ['https://docs.example/caf%C3%A9', 'both'],
  ['https://docs.example/a%20b', 'both'],
  ['https://docs.example/@team/client', 'both'],
  ['https://docs.example/a.b/c..d', 'both'],
  ['https://docs.example/.well-known/client', 'both'],
  ['https://other.example/client', 'open'],
  ['https://sub.docs.example/client', 'open'],
  ['https://docs.example.evil.example/client', 'open'],
  ['https://evildocs.example/client', 'open'],
  ['https://xn--bcher-kva.example/client', 'open'],
  ['https://ports.example/client', 'open'],
  ['https://ports.example:8443/client', 'listed'],
  ['https://192.0.2.1/client', 'listed'],
  ['https://localhost:3000/client', 'listed'],
  // a port that is not listed
  ['https://docs.example:8443/client', 'nobody'],
  ['https://docs.example:443/client', 'nobody'],
  ['https://docs.example:/client', 'nobody'],
  ['https://ports.example:9443/client', 'nobody'],
  // not https
  ['http://docs.example/client', 'nobody'],
  ['HTTPS://docs.example/client', 'nobody'],
  ['Https://docs.example/client', 'nobody'],
  ['ftp://docs.example/client', 'nobody'],
  ['file:///etc/passwd', 'nobody'],
  ['docs.example/client', 'nobody'],
  ['//docs.example/client', 'nobody'],
  ['https:docs.example/client', 'nobody'],
  ['https:/docs.example/client', 'nobody'],
  ['https:///docs.example/client', 'nobody'],
  ['https:\\\\docs.example\\client', 'nobody'],
  ['', 'nobody'],
  ['claude', 'nobody'],
  // no path, or one with two spellings
  ['https://docs.example', 'nobody'],
  ['https://docs.example/', 'nobody'],
  ['https://docs.example?v=2', 'nobody'],
  ['https://docs.example/?v=2', 'nobody'],
  ['https://docs.example//client', 'nobody'],
  ['https://docs.example/a//client', 'nobody'],
  ['https://docs.example/client//', 'nobody'],
  ['https://docs.example/./client', 'nobody'],
  ['https://docs.example/a/../client', 'nobody'],
  ['https://docs.example/a/..', 'nobody'],
  ['https://docs.example/%2e/client', 'nobody'],
  ['https://docs.example/a/%2E%2e/client', 'nobody'],
  ['https://docs.example/a/.%2e/client', 'nobody'],
  ['https://docs.example/a%2eb', 'nobody'],
  ['https://docs.example/a%2fb', 'nobody'],
  ['https://docs.example/a%5Cb', 'nobody'],
  ['https://docs.example/a%00', 'nobody'],
  ['https://docs.example/client?', 'nobody'],
  ['https://docs.example/client#', 'nobody'],
  ['https://docs.example/client#fragment', 'nobody'],
  ['https://docs.example/client?#', 'nobody'],
  // someone in front of the host
  ['https://user@docs.example/client', 'nobody'],
  ['https://user:secret@docs.example/client', 'nobody'],
  ['https://@docs.example/client', 'nobody'],
  ['https://:@docs.example/client', 'nobody'],
  ['https://docs.example@evil.example/client', 'nobody'],
  ['https://docs.example\\@evil.example/client', 'nobody'],
  ['https://docs.example%40evil.example/client', 'nobody'],
  // spellings of a host
  ['https://DOCS.example/client', 'nobody'],
  ['https://docs.example./client', 'nobody'],
  ['https://docs..example/client', 'nobody'],
  ['https://.docs.example/client', 'nobody'],
  ['https://docs%2eexample/client', 'nobody'],
  ['https://dócs.example/client', 'nobody'],
  ['https://docs。example/client', 'nobody'],
  ['https://docs.example\u00ad/client', 'nobody'],
  ['https://*.example/client', 'nobody'],
  // addresses and private names
  ['https://127.0.0.1/client', 'nobody'],
  ['https://127.1/client', 'nobody'],
  ['https://2130706433/client', 'nobody'],
  ['https://0x7f.1/client', 'nobody'],
  ['https://10.0.0.1/client', 'nobody'],
  ['https://169.254.169.254/latest/meta-data', 'nobody'],
  ['https://8.8.8.8/client', 'nobody'],
  ['https://[::1]/client', 'nobody'],
  ['https://[::ffff:127.0.0.1]/client', 'nobody'],
  ['https://[2001:4860:4860::8888]/client', 'nobody'],
  ['https://localhost/client', 'nobody'],
  ['https://app.localhost/client', 'nobody'],
  ['https://printer.local/client', 'nobody'],
  ['https://vault.internal/client', 'nobody'],
  ['https://nas.home.arpa/client', 'nobody'],
  ['https://intranet/client', 'nobody'],
  // characters
  ['https://docs.example/a b', 'nobody'],
  [' https://docs.example/client', 'nobody'],
  ['https://docs.example/client ', 'nobody'],
  ['https://docs.example/client\n', 'nobody'],
  ['https://docs.example/cl\tient', 'nobody'],
  ['https://docs.example/café', 'nobody'],
  ['https://docs.example/"x"', 'nobody'],
  ['https://docs.example/a\\b', 'nobody'],
  [`https://docs.example/${'a'.repeat(1000)}`, 'nobody'],
];

describe('metadataDocuments(options).checkClientId(clientId)', () => {
  test('the table has at least 60 rows, each once', () => {
    expect(new Set(table.map(([url]) => url)).size).toBe(table.length);
    expect(table.length).toBeGreaterThanOrEqual(60);
  });

  test.each(table)('%j: %s', (url, who) => {
    const results = [refusalOf(listed, url), refusalOf(open, url)];
    const permitted = results.map((result) => result === undefined);
    expect(permitted).toEqual([who === 'listed' || who === 'both', who === 'open' || who === 'both']);
    for (const result of results) {
      if (result === undefined) continue;
      expect(result.error).toBe('invalid_client_metadata');
      expect(result.message).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    }
  });

  test('the error names the host that is not permitted', () => {
    expect(refusalOf(listed, 'https://other.example/client')?.message).toContain('on other.example are not permitted');
  });

  test('no host is permitted by default', () => {
    expect(refusalOf(metadataDocuments({ hosts: ['other.example'] }), 'https://docs.example/client')).toBeDefined();
  });

  test('a permitted URL is normalized, and its host is the listed one', () => {
    const pieces = [
      '/',
      '//',
      '.',
      '..',
      '%2e',
      '%2F',
      '?',
      '#',
      '@',
      ':',
      ':443',
      '\\',
      'evil.example',
      'a',
      '\t',
      'é',
    ];
    const tails = fc.array(fc.constantFrom(...pieces), { maxLength: 7 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(tails, fc.constantFrom('https://', 'https://docs.example', 'https://docs.example/'), (tail, head) => {
        const url = `${head}${tail}`;
        if (refusalOf(listed, url) !== undefined) return;
        expect(new URL(url).href).toBe(url);
        expect(new URL(url).host).toBe('docs.example');
        expect(url.startsWith('https://docs.example/')).toBe(true);
      }),
      cases(3000),
    );
  });
});

describe('metadataDocuments(options)', () => {
  test.each([
    'https://docs.example',
    'docs.example/',
    'docs.example:443',
    'DOCS.example',
    'docs.example.',
    'docs.example.:8443',
    'user@docs.example',
    '*.example ',
    '127.1',
    '',
  ])('refuses the host %j at construction', (host) => {
    expect(() => metadataDocuments({ hosts: ['ok.example', host] })).toThrow(TypeError);
    expect(() => metadataDocuments({ hosts: ['ok.example', host] })).toThrow(
      'metadataDocuments.hosts[1] must be a host',
    );
  });

  test('later changes of the given list have no effect', () => {
    const hosts = ['docs.example'];
    const policy = metadataDocuments({ hosts });
    hosts.push('evil.example');
    expect(refusalOf(policy, 'https://evil.example/client')).toBeDefined();
  });
});
