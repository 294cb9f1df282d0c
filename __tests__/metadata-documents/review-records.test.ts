import { beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Site } from '../../lib/index.ts';
import { createDocumentCache } from '../../lib/metadata-documents/cache.ts';
import { createDocumentReviews } from '../../lib/metadata-documents/reviews.ts';
import { recordStore } from '../../lib/records/record-store.ts';

const site: Site = {
  id: 'harbour',
  origin: 'https://harbour.example',
  name: 'Harbour School',
  connectionsEnabled: false,
};

let beforeSave: (() => Promise<unknown>) | undefined;
let reviews: ReturnType<typeof createDocumentReviews>;
beforeEach(() => {
  beforeSave = undefined;
  const memory = memoryStore();
  const store = recordStore(
    {
      ...memory,
      save: async (...args) => {
        const waited = beforeSave;
        beforeSave = undefined;
        await waited?.();
        return memory.save(...args);
      },
    },
    () => undefined,
  );
  reviews = createDocumentReviews({ store, cache: createDocumentCache(store, 3600), onAudit: () => undefined });
});

const url = (i: number): string => `https://docs.example/${String(i).padStart(4, '0')}`;
const see = (i: number, digest = 'd'): Promise<void> =>
  reviews.seen(site, 'olivia', { clientId: url(i), clientName: `Client ${i}`, redirectUris: [], digest });

describe('the list of seen documents', () => {
  test('has 1,000 without a decision at most: the oldest makes room, and decisions stay', async () => {
    for (let i = 0; i < 1002; i += 1) await see(i);
    const ids = async (): Promise<string[]> => (await reviews.list(site)).map(({ clientId }) => clientId);
    expect(await ids()).toHaveLength(1000);
    const [oldest = ''] = (await ids()).slice(-1);
    await reviews.reject(site, oldest);
    await see(2000);
    expect(await ids()).toHaveLength(1001);
    await see(2001);
    expect(await ids()).toHaveLength(1001);
    expect(await ids()).toEqual(expect.arrayContaining([oldest, url(2001)]));
  });

  test('describes a document that is no longer cached as it was last shown', async () => {
    await see(1, 'first');
    await see(1, 'second');
    expect(await reviews.list(site)).toMatchObject([
      { clientName: 'Client 1', digest: 'second', status: 'unreviewed' },
    ]);
    await reviews.approve(site, url(1), 'second');
    expect(await reviews.list(site)).toMatchObject([{ digest: 'second', status: 'approved' }]);
    await see(1, 'third');
    expect(await reviews.list(site)).toMatchObject([{ digest: 'third', status: 'changed' }]);
  });
});

test('a consent page that is shown at the moment of a decision does not undo it', async () => {
  await see(1, 'first');
  beforeSave = () => reviews.reject(site, url(1));
  await see(1, 'second');
  expect(await reviews.list(site)).toMatchObject([{ digest: 'second', status: 'rejected' }]);
  expect(await reviews.reviewOf(site.id, url(1))).toMatchObject({ decision: 'rejected' });
});
