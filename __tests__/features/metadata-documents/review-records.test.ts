import { schoolAppIds } from '../../../lib/core/access/school-apps.ts';
import { accessPolicies } from '../../../lib/core/access/ask-policies.ts';
import { schoolRules } from '../../../lib/core/access/school-rules.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ShownVersions } from '../../../lib/core/access/app-review.ts';
import { memoryStore } from '../../../adapters/memory/index.ts';
import {
  createDocumentCache,
  type DocumentCache,
} from '../../../lib/features/metadata-documents/domain/document-cache.ts';
import { changeRule } from '../../../lib/features/apps/domain/stored-rule.ts';
import { createReviews } from '../../../lib/features/apps/domain/reviews.ts';
import { createRuleChecks } from '../../../lib/features/apps/domain/rule-check.ts';
import { noLimitChoices } from '../../../lib/core/boundaries/limit-choices.ts';
import { noVersions } from '../../../lib/core/access/client-versions.ts';
import { shownId } from '../../../lib/core/access/school-records.ts';
import type { RecordStore } from '../../../lib/records/record-store.ts';
import { campusParts } from '../../helpers/parts.ts';
import { harbourSite } from '../../helpers/sites.ts';

const site = harbourSite(undefined, { connectionsEnabled: false });

let beforeSave: (() => Promise<unknown>) | undefined;
let store: RecordStore;
let cache: DocumentCache;
let reviews: ReturnType<typeof createReviews>;
let documents: ShownVersions;
beforeEach(async () => {
  beforeSave = undefined;
  const memory = memoryStore();
  const { settings, core } = await campusParts({
    store: {
      ...memory,
      save: async (...args) => {
        const waited = beforeSave;
        beforeSave = undefined;
        await waited?.();
        return memory.save(...args);
      },
    },
  });
  const { host, records, limits, audit } = core;
  ({ store } = records);
  cache = createDocumentCache(store);
  const { catalogue } = settings;
  const access = accessPolicies([], catalogue, audit.onFault);
  const sources = { policies: access, catalogue, boundaries: [], hasPseudonyms: false };
  const apps = schoolAppIds(store, new Set());
  const known = {
    access,
    apps,
    rowOf: () => undefined,
    appIdOf: () => undefined,
    waysOf: () => [],
    clientsInCode: () => [],
    reviewedInCode: async () => false,
  };
  reviews = createReviews(settings, {
    versions: { ...noVersions, find: cache.find, markUsed: cache.markUsed },
    records,
    rules: { ...known, schoolRule: schoolRules(store), sources },
    limits,
    checks: createRuleChecks(settings, { host, records, choices: noLimitChoices }),
    audit,
  });
  documents = reviews.documents;
});

const block = (clientId: string): Promise<unknown> =>
  changeRule(store, site.id, { target: { clientId }, app: undefined }, () => ({ rule: { access: 'blocked' } }));
const url = (i: number): string => `https://docs.example/${String(i).padStart(4, '0')}`;
const see = (i: number, digest = 'd'): Promise<void> =>
  reviews.recordShown(site, 'olivia', {
    clientId: url(i),
    audience: 'operator',
    clientName: `Client ${i}`,
    redirectUris: [],
    digest,
  });

describe('the list of seen documents', () => {
  test('has 1,000 without a decision at most: the oldest makes room, and decisions stay', async () => {
    for (let i = 0; i < 1002; i += 1) await see(i);
    const ids = async (): Promise<string[]> => (await documents.list(site)).map(({ clientId }) => clientId);
    expect(await ids()).toHaveLength(1000);
    const [oldest = ''] = (await ids()).slice(-1);
    await block(oldest);
    await see(2000);
    expect(await ids()).toHaveLength(1001);
    await see(2001);
    expect(await ids()).toHaveLength(1001);
    expect(await ids()).toEqual(expect.arrayContaining([oldest, url(2001)]));
  });

  test('describes a document that is no longer cached as it was last shown', async () => {
    await see(1, 'first');
    await see(1, 'second');
    expect(await documents.list(site)).toMatchObject([
      { clientName: 'Client 1', digest: 'second', status: 'unreviewed' },
    ]);
    await documents.approve(site, url(1), 'second');
    expect(await documents.list(site)).toMatchObject([{ digest: 'second', status: 'approved' }]);
    await see(1, 'third');
    expect(await documents.list(site)).toMatchObject([{ digest: 'third', status: 'changed' }]);
  });
});

test('a consent page that is shown at the moment of a decision does not undo it', async () => {
  await see(1, 'first');
  beforeSave = () => block(url(1));
  await see(1, 'second');
  expect(await documents.list(site)).toMatchObject([{ digest: 'second', status: 'unreviewed' }]);
  expect(await reviews.reviewOf(site.id, url(1))).toMatchObject({ decision: 'rejected' });
});

describe('two operators at once', () => {
  const versionOf = async (i: number): Promise<string | undefined> => (await documents.find(site, url(i)))?.version;
  const conflict = { status: 409, name: 'VersionConflict' };

  test('an approval does not undo a rejection that was made after the page was shown', async () => {
    await see(1);
    const page = await documents.find(site, url(1));
    await block(url(1));
    await expect(documents.approve(site, url(1), 'd', page)).rejects.toMatchObject(conflict);
    expect(await reviews.reviewOf(site.id, url(1))).toMatchObject({ decision: 'rejected' });
    await documents.approve(site, url(1), 'd', {
      rule: { access: 'allowed' },
      version: await versionOf(1),
    });
    expect(await documents.find(site, url(1))).toMatchObject({ status: 'approved' });
  });

  test('an approval does not undo a rejection that is written at the same moment', async () => {
    await see(1);
    beforeSave = () => block(url(1));
    await expect(documents.approve(site, url(1), 'd')).rejects.toMatchObject(conflict);
    expect(await reviews.reviewOf(site.id, url(1))).toMatchObject({ decision: 'rejected' });
  });

  const publish = (digest: string): Promise<unknown> =>
    cache.save(url(1), { document: { client_name: digest, redirect_uris: [] }, digest, ttl: 60 });
  const shown = async () => (await store.find(site.id, 'DocumentReview', shownId(url(1))))?.record;

  test('an approval that comes too late changes nothing of what the other operator was shown', async () => {
    await see(1, 'first');
    await publish('second');
    beforeSave = async () => {
      await publish('third');
      await documents.approve(site, url(1), 'third');
    };
    await expect(documents.approve(site, url(1), 'second')).rejects.toMatchObject(conflict);
    expect(await shown()).toMatchObject({ digest: 'third', client_name: 'third' });
    expect(await documents.find(site, url(1))).toMatchObject({ digest: 'third', status: 'approved' });
  });

  test('an approval does not undo that a third operator was shown a later version', async () => {
    await see(1, 'first');
    await publish('second');
    beforeSave = async () => {
      await publish('third');
      await see(1, 'third');
    };
    await documents.approve(site, url(1), 'second');
    expect(await shown()).toMatchObject({ digest: 'third', client_name: 'Client 1' });
    expect(await documents.find(site, url(1))).toMatchObject({ digest: 'third', status: 'changed' });
  });

  test('the same approval again is no conflict', async () => {
    await see(1);
    const page = await documents.find(site, url(1));
    await documents.approve(site, url(1), 'd', page);
    await documents.approve(site, url(1), 'd', page);
    expect(await documents.find(site, url(1))).toMatchObject({ status: 'approved' });
  });
});
