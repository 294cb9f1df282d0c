import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { digest } from '../../lib/runtime/crypto.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { countedStore } from '../helpers/stores.ts';

const entries = 1000;
const { store, calls } = countedStore();

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({ campus: { store } });
  const site = { id: 'harbour', origin: schools.harbour, name: 'Harbour School', connectionsEnabled: true };
  const now = Math.floor(Date.now() / 1000);
  for (let i = 0; i < entries; i += 1) {
    const name = `Study Timer ${i} 學習`;
    const redirectUris = ['https://timer.example/callback'];
    const application = { clientName: name, redirectUris, scopes: ['openid', 'account:read'], confidential: true };
    await schools.campus.applications.create(site, { ...application, createdBy: 'olivia' });
    const id = `registered-${i}`;
    const client = { v: 1, client_id: id, client_name: name, scope: 'openid', campus_source: 'registered' };
    await store.save('harbour', { kind: 'Client', id, record: JSON.stringify(client), ttl: 1000 });
    const record = JSON.stringify({ v: 1, client_id: id, at: now - i });
    await store.save('harbour', { kind: 'ConnectedClient', id: digest(id), record, listed: true });
  }
});
afterAll(() => schools.close());

test.each([
  ['/developers/oauth-applications', { list: 2, countGrants: 25 }],
  ['/developers/connections', { list: 4, countGrants: 25, find: 25 }],
])(
  'a page of %s with a thousand entries has 25, weighs less than 100 kB, and reads no other entry',
  async (path, reads) => {
    calls.length = 0;
    const response = await schools.browser('olivia').fetch(`${schools.harbour}${path}?page=20`);
    const html = await response.text();
    expect(html.match(/<h2><a href/g)).toHaveLength(25);
    expect(Buffer.byteLength(html)).toBeLessThan(100_000);
    const counts = Object.groupBy(calls, (name) => name);
    expect(Object.fromEntries(Object.entries(counts).map(([name, all]) => [name, all?.length]))).toEqual(reads);
  },
);
