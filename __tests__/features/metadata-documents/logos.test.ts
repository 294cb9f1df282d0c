import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { Site } from '../../../lib/index.ts';
import type { Store } from '../../../lib/store.ts';
import { createDocumentBudget } from '../../../lib/core/outbound/budget.ts';
import { createDocumentFetcher } from '../../../lib/core/outbound/fetcher.ts';
import { createLogoFinder } from '../../../lib/features/metadata-documents/domain/logos.ts';
import { setClockAhead } from '../../helpers/clock.ts';
import { authorizeUrl, pkce } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { client, documentSchools, ordinary } from './document-schools.ts';
import { fetcherHarness, send, unused } from '../../outbound/fetcher-harness.ts';
import { reviewsOf } from '../../helpers/reviews.ts';

const address = 'https://docs.example/logo.png';

function png(width: number, height: number, more = ''): Buffer {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13);
  header.write('IHDR', 4);
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), header, Buffer.from(more)]);
}

function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffd8ffe000044a46ffc000110800000000', 'hex');
  frame.writeUInt16BE(height, 13);
  frame.writeUInt16BE(width, 15);
  return Buffer.concat([frame, Buffer.alloc(20)]);
}

function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', side: number, flags = 0): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write(`RIFF\0\0\0\0WEBP${kind}`, 'latin1');
  bytes.writeUInt8(flags, 20);
  if (kind === 'VP8 ') for (const at of [26, 28]) bytes.writeUInt16LE(side, at);
  if (kind === 'VP8L') bytes.writeUInt32LE((side - 1) | ((side - 1) << 14), 21);
  if (kind === 'VP8X') for (const at of [24, 27]) bytes.writeUIntLE(side - 1, at, 3);
  return bytes;
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><image href="https://evil.example/"/></svg>';

describe('fetchLogo', () => {
  const { server, fetcherOf } = fetcherHarness();
  const fetched = (
    body: string | Buffer,
    type: string,
    { status = 200, headers = {} }: { status?: number; headers?: object } = {},
  ): Promise<string> => {
    server().respond((_request, response) => send(response, body, { 'Content-Type': type, ...headers }, status));
    return fetcherOf().fetchLogo(address, unused);
  };

  test.each([
    ['image/png', png(64, 64)],
    ['image/png; charset=binary', png(1024, 1)],
    ['image/jpeg', jpeg(200, 100)],
    ['IMAGE/WEBP', webp('VP8 ', 300)],
    ['image/webp', webp('VP8L', 1024)],
    ['image/webp', webp('VP8X', 512, 0x10)],
  ])('%s is a data: URL of that type', async (type, bytes) => {
    const expected = type.toLowerCase().split(';', 1)[0];
    expect(await fetched(bytes, type)).toBe(`data:${expected};base64,${bytes.toString('base64')}`);
  });

  test.each<[string, string | Buffer, string]>([
    ['SVG', svg, 'image/svg+xml'],
    ['SVG that says it is PNG', svg, 'image/png'],
    ['HTML that says it is JPEG', '<script>alert(1)</script>', 'image/jpeg'],
    ['JPEG that says it is PNG', jpeg(64, 64), 'image/png'],
    ['PNG without a type', png(64, 64), ''],
    ['PNG of another type', png(64, 64), 'application/octet-stream'],
    ['a type that breaks out of an attribute', png(64, 64), 'image/png"onerror=alert(1)'],
    ['GIF', 'GIF89a@\0@\0', 'image/gif'],
    ['a picture that moves: PNG', png(64, 64, 'acTL'), 'image/png'],
    ['a picture that moves: WebP', webp('VP8X', 64, 0x02), 'image/webp'],
    ['a picture of gigabytes: PNG', png(65_535, 65_535), 'image/png'],
    ['a picture of gigabytes: JPEG', jpeg(65_535, 65_535), 'image/jpeg'],
    ['a picture of gigabytes: WebP', webp('VP8X', 1025), 'image/webp'],
    ['a picture without height', png(64, 0), 'image/png'],
    ['a JPEG that has no frame', Buffer.concat([Buffer.from('ffd8ffe00002', 'hex'), Buffer.alloc(64)]), 'image/jpeg'],
    ['a PNG that ends early', png(64, 64).subarray(0, 20), 'image/png'],
    ['a file of 48 kB and a byte', png(64, 64, 'x'.repeat(48 * 1024 - 32)), 'image/png'],
    ['nothing', '', 'image/png'],
  ])('%s is refused', async (_what, body, type) => {
    await expect(fetched(body, type)).rejects.toThrow();
  });

  test.each<[string, { status?: number; headers?: object }]>([
    ['a redirect', { status: 302, headers: { location: 'https://docs.example/other.png' } }],
    ['an error', { status: 404 }],
    ['a compressed response', { headers: { 'Content-Encoding': 'gzip' } }],
  ])('%s is refused, and leads nowhere else', async (_what, options) => {
    const before = server().requests.length;
    await expect(fetched(png(64, 64), 'image/png', options)).rejects.toThrow();
    expect(server().requests.length).toBe(before + 1);
  });

  test.each([
    'http://docs.example/logo.png',
    'https://docs.example',
    'https://a:b@docs.example/logo.png',
    'data:,',
    'x',
  ])('%s is not asked', async (wrong) => {
    await expect(fetcherOf().fetchLogo(wrong, unused)).rejects.toThrow('plain https: address');
  });

  test('a host with an address that is not public is not asked', async () => {
    const before = server().connections();
    const fetcher = fetcherOf({ testing: { allowPrivateAddresses: false } });
    await expect(fetcher.fetchLogo(address, unused)).rejects.toThrow('not public');
    expect(server().connections()).toBe(before);
  });
});

describe('createLogoFinder', () => {
  const counted = (answer: () => Promise<string>) => {
    let calls = 0;
    const fetchLogo = (): Promise<string> => ((calls += 1), answer());
    return { fetcher: { ...createDocumentFetcher(), fetchLogo }, calls: () => calls };
  };

  test('asks once, whoever wants it and at whichever school', async () => {
    const { fetcher, calls } = counted(async () => 'data:a');
    const find = createLogoFinder(fetcher, undefined);
    const [first, second] = await Promise.all([find('harbour', address), find('summit', address)]);
    expect([first?.picture, second?.picture]).toEqual(['data:a', 'data:a']);
    expect([await find('harbour', address), calls()]).toEqual([first, 1]);
  });

  test('has a digest of the picture and its address', async () => {
    const pictures = ['data:a', 'data:b'];
    const find = () => createLogoFinder(counted(async () => pictures[0] ?? '').fetcher, undefined);
    const digests = [
      await find()('harbour', address),
      await find()('summit', address),
      await find()('summit', `${address}?`),
    ];
    pictures.shift();
    digests.push(await find()('harbour', address));
    const [a, b, c, d] = digests.map((logo) => logo?.digest);
    expect(a).toBe(b);
    expect(new Set([a, c, d]).size).toBe(3);
  });

  test('remembers a failure, and is within the budget of documents', async () => {
    const { fetcher, calls } = counted(() => Promise.reject(new Error('no')));
    const find = createLogoFinder(fetcher, createDocumentBudget({ perHost: 4 }));
    for (let i = 0; i < 3; i += 1) expect(await find('harbour', address)).toBeUndefined();
    expect(calls()).toBe(1);
    for (let i = 0; i < 10; i += 1) await find('harbour', `${address}?${i}`);
    expect(calls()).toBe(3);
  });

  test('does not let a page wait for a slow host; the next page has the logo', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { fetcher, calls } = counted(() => promise);
    const find = createLogoFinder(fetcher, undefined);
    expect(await find('harbour', address)).toBeUndefined();
    resolve('data:late');
    expect([(await find('harbour', address))?.picture, calls()]).toEqual(['data:late', 1]);
  });
});

describe('the consent page of a metadata document', () => {
  const { server, schools, start } = documentSchools();
  const logo = png(64, 64);
  const site = (): Site => harbourSite(schools().harbour);
  const documents = () => reviewsOf(schools().campus);

  /** Publishes the document, and this picture as its logo. */
  function publishLogo(picture: Buffer | undefined, logoUri = address): void {
    server().respond((request, response) => {
      if (request.url?.startsWith('/logo.png') !== true) {
        return send(response, JSON.stringify({ ...ordinary, logo_uri: logoUri }));
      }
      return picture ? send(response, picture, { 'Content-Type': 'image/png' }) : send(response, '', {}, 404);
    });
  }

  /** The page, after the document and its logo were published. */
  async function page(logoUri = address, picture = logo): Promise<{ html: string; policy: string | null }> {
    publishLogo(picture, logoUri);
    const { html, response } = await schools()
      .browser('olivia')
      .follow(authorizeUrl(schools().harbour, client, pkce()));
    return { html, policy: response.headers.get('content-security-policy') };
  }

  test('has the logo of a reviewed one as a data: URL, so that the browser asks nobody else', async () => {
    await start({ hosts: ['docs.example'], reviewed: () => true });
    const { html, policy } = await page();
    expect(html).toContain(`<img class="tile" src="data:image/png;base64,${logo.toString('base64')}" alt="">`);
    expect(html).not.toContain(address);
    expect(policy).toContain('img-src data:;');
    expect(server().requests.filter((request) => request.endsWith('/logo.png'))).toHaveLength(1);
  });

  test('has the logo that a school has approved, and none after the document names another one', async () => {
    await start();
    await page();
    const document = await documents().find(site(), client.id);
    expect(document?.logoUri).toBe(address);
    expect(document?.logo).toMatchObject({
      approved: false,
      picture: `data:image/png;base64,${logo.toString('base64')}`,
    });
    await documents().approve(site(), client.id, document?.version);
    expect(await documents().find(site(), client.id)).toMatchObject({ status: 'approved', logo: { approved: true } });
    expect((await page()).html).toContain('<img class="tile" src="data:image/png;base64,');
    const before = server().requests.length;
    setClockAhead(600);
    const { html } = await page(`${address}?of=another`);
    expect(html).not.toContain('<img');
    expect((await documents().list(site()))[0]?.status).toBe('approved');
    expect(server().requests.slice(before)).toEqual(['docs.example/client.json']);
  });

  // A logo is kept for a day; the process is a new one.
  test.each<[string, Buffer | undefined]>([
    ['another picture behind the approved address', png(65, 65)],
    ['none behind it any more', undefined],
  ])('has a monogram when there is %s', async (_what, picture) => {
    const store = memoryStore();
    await start(undefined, { store });
    await page();
    const document = await documents().find(site(), client.id);
    await documents().approve(site(), client.id, document?.version);
    expect((await page()).html).toContain('<img class="tile"');
    await schools().close();
    await start(undefined, { store });
    publishLogo(picture);
    const { html } = await schools()
      .browser('olivia')
      .follow(authorizeUrl(schools().harbour, client, pkce()));
    expect(readPage(html).getByText('D').attribute('aria-hidden')).toBe('true');
    expect((await documents().find(site(), client.id))?.logo?.approved).toBe(picture && false);
  });

  test('has a monogram for one that was approved from a list, which has no logo', async () => {
    await start();
    await page();
    const [listed] = await documents().list(site());
    await documents().approve(site(), client.id, listed?.version);
    expect((await page()).html).not.toContain('<img');
  });

  test('is not changed by an approval from before there was a digest of the picture: a monogram', async () => {
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      save: (siteId, entry) =>
        inner.save(siteId, { ...entry, record: entry.record.replace(/,?"logo_digest":"[^"]+"/, '') }),
    };
    await start(undefined, { store });
    await page();
    const document = await documents().find(site(), client.id);
    await documents().approve(site(), client.id, document?.version);
    expect((await page()).html).not.toContain('<img');
    expect(await documents().find(site(), client.id)).toMatchObject({ status: 'approved', logo: { approved: false } });
  });

  test('has a monogram for one that nobody has reviewed: its logo could be that of another app', async () => {
    await start();
    const before = server().requests.length;
    const { html } = await page();
    expect(html).not.toContain('<img');
    expect(readPage(html).getByText('D').attribute('aria-hidden')).toBe('true');
    expect(server().requests.slice(before)).toEqual(['docs.example/client.json']);
  });
});
