import { describe, expect, test } from '@jest/globals';
import { createDocumentFetcher } from '../../lib/core/outbound/fetcher.ts';
import { certificate } from './document-server.ts';
import { fetcherHarness, unreachable, unused, url } from './fetcher-harness.ts';

const { server, fetcherOf, unreachableOf } = fetcherHarness();

const silentResolver = () => new Promise<never>(() => undefined);

/** Fetches with a resolver that returns these addresses, and expects no connection. */
async function refusedFor(...addresses: string[]): Promise<string> {
  const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const before = server().connections();
  const message = await unreachableOf({ testing: { resolve, allowPrivateAddresses: false } });
  expect(server().connections()).toBe(before);
  return message;
}

describe('resolved addresses', () => {
  test('a private address is refused before a connection', async () => {
    expect(await refusedFor('127.0.0.1')).toContain(unreachable);
  });

  test('a public and a private address together are refused', async () => {
    expect(await refusedFor('93.184.215.14', '127.0.0.1')).toContain(unreachable);
    expect(await refusedFor('2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1')).toContain(unreachable);
    expect(await refusedFor('127.0.0.1', '93.184.215.14')).toContain(unreachable);
  });

  test('a host without addresses is refused', async () => {
    expect(await refusedFor()).toContain(unreachable);
  });

  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', 'localhost'])(
    'https://%s/ is refused with the system’s resolver',
    async (host) => {
      const before = server().connections();
      const address = new URL(`https://${host}/client.json`).href;
      const fetcher = createDocumentFetcher({ testing: { ca: certificate, port: server().port } });
      await expect(fetcher.fetch(address, unused)).rejects.toMatchObject({ error: 'temporarily_unavailable' });
      expect(server().connections()).toBe(before);
    },
  );

  test('a name is resolved only once (DNS rebinding)', async () => {
    let lookups = 0;
    const resolve = async () => [{ address: (lookups += 1) === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }];
    await expect(fetcherOf({ testing: { resolve } }).fetch(url, unused)).resolves.toBeDefined();
    expect(lookups).toBe(1);
  });

  test('every failure below HTTP has the same message', async () => {
    const messages = await Promise.all([
      refusedFor('127.0.0.1'),
      unreachableOf({
        deadline: 5000,
        testing: { resolve: () => Promise.reject(new Error('ENOTFOUND secret.internal')) },
      }),
      unreachableOf({ testing: { port: 1 } }),
      unreachableOf({ testing: { ca: undefined } }),
      unreachableOf({ deadline: 5000, testing: { resolve: async () => [] } }),
    ]);
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).not.toMatch(/127|ENOTFOUND|ECONN|secret|certificate has|self-signed/);
    expect(await unreachableOf({ deadline: 20, testing: { resolve: silentResolver } })).toContain(unreachable);
  });

  test('the error has the cause for the log', async () => {
    await expect(fetcherOf({ testing: { port: 1 } }).fetch(url, unused)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });

  test('does not connect if the deadline passes during DNS resolution', async () => {
    const before = server().connections();
    const late = Promise.withResolvers<{ address: string; family: number }[]>();
    expect(await unreachableOf({ deadline: 10, testing: { resolve: () => late.promise } })).toContain(unreachable);
    late.resolve([{ address: '127.0.0.1', family: 4 }]);
    await new Promise((done) => setImmediate(done));
    expect(server().connections()).toBe(before);
  });

  test('the certificate must be for the host of the URL', async () => {
    await expect(fetcherOf().fetch('https://apps.example/client.json', unused)).resolves.toBeDefined();
    const other = 'https://other.example/client.json';
    await expect(fetcherOf().fetch(other, unused)).rejects.toMatchObject({
      message: expect.stringContaining(`${other} cannot be fetched`),
      cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
  });
});
