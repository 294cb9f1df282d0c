import { afterEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { NewRecord, Store } from '../../lib/store.ts';
import { loopbackClients, metadataDocuments } from '../../policies/index.ts';
import { authorizeUrl, pkce } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
afterEach(() => schools.close());

/** A memory store that records what was saved, and the names of the quotas that were consumed. */
function watched(): { store: Store; saved: NewRecord[]; counters: Set<string> } {
  const store = memoryStore();
  const saved: NewRecord[] = [];
  const counters = new Set<string>();
  return {
    saved,
    counters,
    store: {
      ...store,
      save: (siteId, entry) => {
        saved.push(entry);
        return store.save(siteId, entry);
      },
      consumeQuota: async (siteId, quotas, window) => {
        const wait = await store.consumeQuota(siteId, quotas, window);
        if (wait === undefined) for (const { name } of quotas) counters.add(name);
        return wait;
      },
    },
  };
}

/** Counts responses by status. */
function counter(): { add(status: number): void; counted(): Record<string, number> } {
  const counts = new Map<number, number>();
  return {
    add: (status) => void counts.set(status, (counts.get(status) ?? 0) + 1),
    counted: () => Object.fromEntries(counts),
  };
}

async function inTurns(times: number, run: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < times; i += 100) await Promise.all(Array.from({ length: 100 }, (_, j) => run(i + j)));
}

test('2,000 registrations from as many addresses of 8 networks store half of the site’s hour, and a share for each network', async () => {
  const { store, saved, counters } = watched();
  schools = await startSchools({
    campus: { store, registration: [loopbackClients()], limits: { registrations: { perAddress: 5, perSite: 200 } } },
    app: (campus) => {
      const app = new Koa({ proxy: true });
      return app.use(campus.middleware());
    },
  });
  const count = counter();
  await inTurns(2000, async (i) => {
    const response = await fetch(`${schools.harbour}/api/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.${i >> 8}.${i & 255}` },
      body: JSON.stringify({ client_name: `spray ${i}`, redirect_uris: [`http://127.0.0.1/${i}`] }),
    });
    await response.arrayBuffer();
    count.add(response.status);
  });
  // The first 51 come from one network, the next 51 from another one.
  expect(count.counted()).toEqual({ 201: 108, 429: 1892 });
  expect(saved).toHaveLength(108);
  expect(saved.every(({ kind, ttl }) => kind === 'Client' && ttl === 24 * 60 * 60)).toBe(true);
  // A counter for each served address, for each network's share and for the first two networks, and two for the site.
  expect(counters.size).toBe(108 + 8 + 2 + 2);
});

test('2,000 document addresses make no more look-ups than the site’s quota of one hour; failures store nothing', async () => {
  const { store, saved, counters } = watched();
  const count = counter();
  let lookups = 0;
  schools = await startSchools({
    campus: {
      store,
      metadataDocuments: metadataDocuments({ open: true }),
      limits: { documents: { perAddress: 100, perSite: 50 } },
      testing: {
        resolve: async () => {
          lookups += 1;
          return [{ address: '127.0.0.1', family: 4 }];
        },
      },
    },
  });
  await inTurns(2000, async (i) => {
    const client = { id: `https://spray${i}.example/client.json`, redirectUri: 'http://127.0.0.1/', scope: 'openid' };
    const response = await fetch(authorizeUrl(schools.harbour, client, pkce()));
    await response.arrayBuffer();
    count.add(response.status);
  });
  expect(count.counted()).toEqual({ 503: 13, 429: 1987 });
  expect(lookups).toBe(13);
  expect(saved).toEqual([]);
  expect([...counters].sort()).toEqual([
    'documents:127.0.0.1',
    'documents:shared',
    'documents:shared:127.0.0',
    'documents:site',
    'documents:site:127.0.0',
  ]);
});
