import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { timeLeft } from '../../../lib/store.ts';
import { authorizeUrl, pkce } from '../../helpers/flow.ts';
import { client, documentSchools } from './document-schools.ts';

const campus = documentSchools();

// The fetch runs within the time of the request that began it, so that one's slow shard fails the others with 503.
test('a fetch that several schools wait for is not within the time of the first one', async () => {
  const inner = memoryStore();
  const left: (number | undefined)[] = [];
  await campus.start(undefined, {
    store: {
      ...inner,
      deadline: 4,
      find: async (siteId, ...record) => {
        // The shard of Harbour is slow, that of the documents is not.
        if (siteId === 'harbour') await sleep(800);
        return inner.find(siteId, ...record);
      },
      save: async (siteId, entry) => {
        if (entry.kind === 'Document') left.push(timeLeft());
        return inner.save(siteId, entry);
      },
    },
  });
  campus.publish();
  const schools = campus.schools();
  await schools.browser('olivia').fetch(authorizeUrl(schools.harbour, client, pkce()));
  expect(left).toEqual([undefined]);
});
