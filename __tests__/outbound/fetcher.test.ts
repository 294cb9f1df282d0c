import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fetcherHarness, send, unreachable, unused, url } from './fetcher-harness.ts';

const { server, fetcherOf, errorOf, unreachableOf } = fetcherHarness();

const failingResolver = () => Promise.reject(new Error('the resolver was called'));

describe('fetch(url)', () => {
  test('returns the document, requested without cookies or credentials', async () => {
    let seen: IncomingMessage['headers'] = {};
    server().respond((request, response) => {
      seen = request.headers;
      send(response, '{"client_name":"A","redirect_uris":[]}', { 'Cache-Control': 'max-age=600' });
    });
    await expect(fetcherOf().fetch('https://docs.example/a?b=c', unused)).resolves.toEqual({
      document: { client_name: 'A', redirect_uris: [] },
      ttl: 600,
    });
    expect(server().requests.at(-1)).toBe('docs.example/a?b=c');
    expect(seen).toMatchObject({ accept: 'application/json', 'accept-encoding': 'identity' });
    expect(seen.cookie ?? seen.authorization ?? seen.referer).toBeUndefined();
  });

  test.each([
    ['application/json; charset=utf-8', '{}'],
    ['application/json;charset="UTF-8"', '{}'],
    ['Application/JSON', '{}'],
    ['application/json; charset=utf8', JSON.stringify({ x: 'é' })],
    ['application/json; charset=us-ascii', '{}'],
    ['application/json;charset=ISO-8859-1', '{}'],
    ['application/json; charset="windows-1252"', '{}'],
    ['application/json; profile="https://a.example/;b"; charset=utf-8', '{}'],
    ['application/jwk-set+json; odata.metadata=none', '{}'],
    ['application/json;', '{}'],
    ['application/json; charset', '{}'],
    ['application/client-metadata+json', '{}'],
    ['application/json', '\ufeff{}'],
    ['application/json', ' {\n} '],
    ['application/json', JSON.stringify({ x: 'a'.repeat(5 * 1024 - 8) })],
    ['application/json', JSON.stringify({ x: 'é'.repeat((5 * 1024 - 8) / 2) })],
  ])('accepts %s', async (type, body) => {
    server().respond((_request, response) => send(response, body, { 'Content-Type': type }));
    await expect(fetcherOf().fetch(url, unused)).resolves.toMatchObject({ document: {} });
  });

  test('accepts a chunked document without Content-Length', async () => {
    server().respond((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      for (const piece of '{"client_name":"A"}') response.write(piece);
      response.end();
    });
    await expect(fetcherOf().fetch(url, unused)).resolves.toMatchObject({ document: { client_name: 'A' } });
  });

  test.each<[string, (response: ServerResponse) => void, string]>([
    ['a redirect', (r) => send(r, '{}', { Location: 'https://docs.example/other' }, 302), 'responds with a redirect'],
    ['a permanent redirect', (r) => send(r, '{}', { Location: 'http://127.0.0.1/' }, 308), 'responds with a redirect'],
    ['not modified', (r) => send(r, '', {}, 304), 'responds with a redirect'],
    ['gone', (r) => send(r, '{}', {}, 410), 'responds with status 410'],
    ['not found', (r) => send(r, '{}', {}, 404), 'responds with status 404'],
    ['no content', (r) => send(r, '', {}, 204), 'responds with status 204'],
    ['partial content', (r) => send(r, '{}', {}, 206), 'responds with status 206'],
    ['HTML', (r) => send(r, '{}', { 'Content-Type': 'text/html' }), 'is not served as application/json'],
    ['plain text', (r) => send(r, '{}', { 'Content-Type': 'text/plain' }), 'is not served as application/json'],
    ['a script', (r) => send(r, '{}', { 'Content-Type': 'application/jsonp' }), 'is not served as application/json'],
    [
      'another charset',
      (r) => send(r, '{}', { 'Content-Type': 'application/json; charset=utf-16' }),
      'is not JSON in UTF-8',
    ],
    [
      'the bytes of another charset',
      (r) =>
        send(r, Buffer.from('{"client_name":"é"}', 'latin1'), { 'Content-Type': 'application/json; charset=latin1' }),
      'is not JSON in UTF-8',
    ],
    [
      'UTF-8 that is said to be another charset',
      (r) => send(r, '{"client_name":"é"}', { 'Content-Type': 'application/json; charset=iso-8859-1' }),
      'is not JSON in UTF-8',
    ],
    ['no content type', (r) => r.writeHead(200).end('{}'), 'is not served as application/json'],
    ['one byte too many', (r) => send(r, JSON.stringify({ x: 'a'.repeat(5 * 1024 - 7) })), 'is larger than 5120 bytes'],
    [
      'one byte too many in pieces',
      (r) => {
        r.writeHead(200, { 'Content-Type': 'application/json' });
        r.write(JSON.stringify({ x: 'a'.repeat(5 * 1024 - 8) }));
        r.end(' ');
      },
      'is larger than 5120 bytes',
    ],
    [
      'a Content-Length that is too large',
      (r) => r.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1e12 }).write('{}'),
      'is larger than 5120 bytes',
    ],
    [
      'an endless body',
      (r) => {
        r.writeHead(200, { 'Content-Type': 'application/json' });
        const more = () => void (r.destroyed || r.write('['.repeat(1024), () => setImmediate(more)));
        more();
      },
      'is larger than 5120 bytes',
    ],
    [
      'a compressed bomb',
      (r) => send(r, gzipSync(Buffer.alloc(10_000_000, 32)), { 'Content-Encoding': 'gzip' }),
      'is compressed',
    ],
    ['brotli', (r) => send(r, '{}', { 'Content-Encoding': 'br' }), 'is compressed'],
    ['two encodings', (r) => send(r, '{}', { 'Content-Encoding': 'identity, gzip' }), 'is compressed'],
    ['an empty body', (r) => send(r, ''), 'is not JSON in UTF-8'],
    ['half a document', (r) => send(r, '{"client_name":'), 'is not JSON in UTF-8'],
    ['other text', (r) => send(r, '<html>'), 'is not JSON in UTF-8'],
    ['other bytes', (r) => send(r, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 'is not JSON in UTF-8'],
    ['UTF-16', (r) => send(r, Buffer.from('\ufeff{}', 'utf16le')), 'is not JSON in UTF-8'],
    ['deeply nested brackets', (r) => send(r, '['.repeat(2500) + ']'.repeat(2500)), 'is not'],
    ['an array', (r) => send(r, '[{}]'), 'is not a JSON object'],
    ['null', (r) => send(r, 'null'), 'is not a JSON object'],
    ['a string', (r) => send(r, '"{}"'), 'is not a JSON object'],
    ['__proto__', (r) => send(r, '{"__proto__":{"client_name":"A"}}'), 'has a member named __proto__'],
    ['__proto__, escaped', (r) => send(r, '{"\\u005f_proto__":1}'), 'has a member named __proto__'],
    ['__proto__, deep', (r) => send(r, '{"jwks":{"keys":[{"__proto__":null}]}}'), 'has a member named __proto__'],
    ['constructor', (r) => send(r, '{"constructor":{"prototype":{}}}'), 'has a member named'],
  ])('refuses %s', async (_what, respond, wrong) => {
    server().respond((_request, response) => respond(response));
    const before = server().requests.length;
    const message = await errorOf();
    expect(message).toContain(`the metadata document at ${url} ${wrong}`);
    expect(message).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(server().requests).toHaveLength(before + 1);
  });

  test.each([401, 403, 408, 425, 429, 500, 502, 503, 504, 520])(
    'status %d says nothing about the document',
    async (status) => {
      server().respond((_request, response) => send(response, '{}', {}, status));
      expect(await unreachableOf()).toBe(`${unreachable} at the moment: its server responds with status ${status}`);
    },
  );

  test.each<[string, (response: ServerResponse) => void]>([
    ['sends nothing', () => undefined],
    ['stops after the headers', (r) => r.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders()],
    [
      'stops in the middle of the body',
      (r) => r.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 }).write('{'),
    ],
    [
      'sends a byte at a time',
      (r) => {
        r.writeHead(200, { 'Content-Type': 'application/json' });
        const timer = setInterval(() => r.write(' '), 5);
        r.on('close', () => clearInterval(timer));
      },
    ],
    [
      'sends only informational responses',
      (r) => {
        const timer = setInterval(() => r.writeProcessing(), 5);
        r.on('close', () => clearInterval(timer));
      },
    ],
    ['closes the connection', (r) => r.destroy()],
    [
      'closes the connection in the middle of the body',
      (r) => {
        r.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 }).write('{');
        setImmediate(() => r.destroy());
      },
    ],
    ['does not speak HTTP', (r) => r.socket?.end('HELLO\r\n\r\n')],
    ['sends headers that are too large', (r) => send(r, '{}', { 'X-Long': 'x'.repeat(10_000) })],
    ['switches protocols', (r) => r.socket?.write('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')],
  ])('fails within the deadline if the server %s', async (_what, respond) => {
    server().respond((_request, response) => respond(response));
    expect(await unreachableOf({ deadline: 100 })).toContain(unreachable);
    await expect(fetcherOf({ deadline: 100 }).fetchKeys(url, unused)).rejects.toThrow('the key set at');
  });

  test.each([
    'http://docs.example/client.json',
    'https://docs.example',
    'https://DOCS.example/client.json',
    'https://user@docs.example/client.json',
    'file:///etc/passwd',
    'nonsense',
  ])('refuses %s without resolving it', async (address) => {
    expect(await errorOf({ testing: { resolve: failingResolver } }, address)).toBe(
      'a metadata document must be at a plain https: address',
    );
  });
});
