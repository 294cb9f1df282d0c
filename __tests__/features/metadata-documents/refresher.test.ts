import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { createDocumentBudget } from '../../../lib/core/outbound/budget.ts';
import {
  createDocumentCache,
  type DocumentCache,
} from '../../../lib/features/metadata-documents/domain/document-cache.ts';
import {
  createDocumentRefresher,
  type DocumentRefresher,
} from '../../../lib/features/metadata-documents/domain/document-refresher.ts';
import { recordStore } from '../../../lib/records/record-store.ts';
import { RequestTime } from '../../../lib/kernel/request-time.ts';
import { metadataDocuments } from '../../../policies/index.ts';
import { resetClock, setClockAhead, stopTime } from '../../helpers/clock.ts';
import { fetcherHarness, send, url } from '../../outbound/fetcher-harness.ts';

const { server, fetcherOf } = fetcherHarness();
afterEach(resetClock);

interface Parts {
  readonly refresher: DocumentRefresher;
  readonly cache: DocumentCache;
  readonly reasons: (string | undefined)[];
}

function parts(perHost = 240, fetcher = fetcherOf()): Parts {
  const cache = createDocumentCache(recordStore(memoryStore(), () => undefined));
  const reasons: (string | undefined)[] = [];
  const refresher = createDocumentRefresher({
    policy: metadataDocuments({ open: true }),
    cache,
    fetcher,
    budget: createDocumentBudget({ perHost }),
    reportChange: async (siteId) => void reasons.push(`changed at ${siteId}`),
    onAudit: ({ action, reason }) => reasons.push(`${action} ${reason}`),
    storeTime: new RequestTime(Infinity),
  });
  return { refresher, cache, reasons };
}

const document = { client_id: url, redirect_uris: ['https://docs.example/cb'] };
const publish = (more: object = {}): void =>
  server().respond((_request, response) => send(response, JSON.stringify({ ...document, ...more })));
const occasion = { siteId: 'harbour', stored: undefined };

describe('refresh(clientId, occasion)', () => {
  test('concurrent calls of several schools share one request, later calls do not', async () => {
    publish();
    const { refresher } = parts();
    const before = server().requests.length;
    const calls = Array.from({ length: 50 }, (_, i) => refresher.refresh(url, { ...occasion, siteId: `site-${i}` }));
    expect(new Set(await Promise.all(calls)).size).toBe(1);
    expect(server().requests).toHaveLength(before + 1);
    await refresher.refresh(url, occasion);
    expect(server().requests).toHaveLength(before + 2);
  });

  test('names that never resolve stop no document that somebody has allowed or approved', async () => {
    publish();
    const resolve = async (host: string) =>
      host === new URL(url).hostname ? [{ address: '127.0.0.1', family: 4 }] : new Promise<never>(() => undefined);
    const fetcher = fetcherOf({ testing: { resolve } });
    const { refresher, cache } = parts(240, fetcher);
    await cache.markUsed(url, 'd', 3600);
    const silent = Array.from({ length: 64 }, (_, i) =>
      refresher.refresh(`https://silent-${i}.example/client.json`, occasion).catch(String),
    );
    await expect(refresher.refresh(url, { ...occasion, stored: await cache.find(url) })).resolves.toMatchObject({
      document,
    });
    await refresher.close();
    await Promise.all(silent);
  });

  test('over budget: slow_down without a request', async () => {
    publish();
    const { refresher } = parts(1);
    await refresher.refresh(url, occasion);
    const before = server().requests.length;
    await expect(refresher.refresh(url, occasion)).rejects.toMatchObject({ error: 'slow_down', status: 429 });
    expect(server().requests).toHaveLength(before);
  });

  test('a change of the digest is dated and reported; other changes are not', async () => {
    publish();
    const { refresher, reasons } = parts();
    expect((await refresher.refresh(url, occasion)).since).toBe(0);
    publish({ logo_uri: 'https://docs.example/logo.png' });
    expect((await refresher.refresh(url, occasion)).since).toBe(0);
    publish({ client_name: 'New' });
    expect((await refresher.refresh(url, occasion)).since).toBeGreaterThan(0);
    expect(reasons).toEqual(['changed at harbour']);
  });

  test('an unreachable document keeps its copy; an unusable one loses it, and its return with other content is noticed', async () => {
    publish();
    const { refresher, cache, reasons } = parts();
    const first = await refresher.refresh(url, occasion);
    server().respond((_request, response) => send(response, '', {}, 403));
    await expect(refresher.refresh(url, { ...occasion, stored: first, copy: first })).rejects.toMatchObject({
      status: 503,
    });
    expect((await cache.find(url))?.document).toEqual(document);
    server().respond((_request, response) => send(response, '', {}, 404));
    await expect(refresher.refresh(url, { ...occasion, stored: first, copy: first })).rejects.toMatchObject({
      status: 400,
    });
    const withdrawn = await cache.find(url);
    expect([withdrawn?.document, withdrawn?.digest]).toEqual([undefined, first.digest]);
    publish({ client_name: 'New' });
    expect((await refresher.refresh(url, occasion)).since).toBeGreaterThan(0);
    expect(reasons).toEqual([
      'document.unreachable stale',
      'document.withdrawn invalid_client_metadata',
      'changed at harbour',
    ]);
  });

  test('a document of which there was no copy is not stored after a failure', async () => {
    const { refresher, cache, reasons } = parts();
    server().respond((_request, response) => send(response, '', {}, 404));
    await expect(refresher.refresh(url, occasion)).rejects.toThrow();
    expect([await cache.find(url), reasons]).toEqual([undefined, []]);
  });
});

describe('refuseRecentFailure(clientId)', () => {
  test.each([
    ['a verdict', 404, { error: 'invalid_client_metadata', status: 400 }],
    ['an unreachable document', 403, { status: 503, headers: { 'Retry-After': '6' } }],
  ])('%s is remembered for 10 seconds, whatever the clock is set to', async (_what, status, expected) => {
    const { refresher } = parts();
    const later = stopTime();
    refresher.refuseRecentFailure(url);
    server().respond((_request, response) => send(response, '', {}, status));
    await expect(refresher.refresh(url, occasion)).rejects.toThrow();
    refresher.refuseRecentFailure('https://docs.example/other');
    later(4.5);
    setClockAhead(-3600);
    expect(() => refresher.refuseRecentFailure(url)).toThrow(expect.objectContaining(expected));
    later(10.1);
    refresher.refuseRecentFailure(url);
  });

  test('a success ends it', async () => {
    const { refresher } = parts();
    server().respond((_request, response) => send(response, '', {}, 503));
    await expect(refresher.refresh(url, occasion)).rejects.toThrow();
    publish();
    await refresher.refresh(url, occasion);
    refresher.refuseRecentFailure(url);
  });
});
