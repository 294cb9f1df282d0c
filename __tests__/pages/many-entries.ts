// Prints what pages with a thousand entries weigh, and how long they take beside the same pages without one. A process of its
// own: in Jest's modules parsing is several times slower than in Node.
import { memoryStore } from '../../adapters/memory/index.ts';
import { digest } from '../../lib/runtime/crypto.ts';
import { startSchools } from '../helpers/schools.ts';

const entries = 1000;
const name = `<b>"${'漢字'.repeat(40)}`;
const store = memoryStore();
const schools = await startSchools({ campus: { store } });
const site = { id: 'harbour', origin: schools.harbour, name: 'Harbour School', connectionsEnabled: true };
const browser = schools.browser('olivia');
const now = Math.floor(Date.now() / 1000);

const pages = ['/developers/oauth-applications?page=20', '/developers/connections?page=20'];

/** The shortest of many requests, in milliseconds. */
async function shortest(page: string): Promise<{ readonly time: number; readonly html: string }> {
  let time = Infinity;
  let html = '';
  for (let i = 0; i < 60; i += 1) {
    const start = performance.now();
    html = await (await browser.fetch(schools.harbour + page)).text();
    time = Math.min(time, performance.now() - start);
  }
  return { time, html };
}

const empty: number[] = [];
for (const page of pages) empty.push((await shortest(page)).time);
for (let i = 0; i < entries; i += 1) {
  const redirectUris = ['https://timer.example/callback'];
  const application = { clientName: name, redirectUris, scopes: ['openid', 'account:read'], confidential: true };
  await schools.campus.applications.create(site, { ...application, createdBy: 'olivia' });
  const id = `registered-${i}`;
  const client = { v: 1, client_id: id, client_name: name, scope: 'openid', campus_source: 'registered' };
  await store.save('harbour', { kind: 'Client', id, record: JSON.stringify(client), ttl: 1000 });
  const record = JSON.stringify({ v: 1, client_id: id, at: now - i });
  await store.save('harbour', { kind: 'ConnectedClient', id: digest(id), record, listed: true });
}
const report: object[] = [];
for (const [i, page] of pages.entries()) {
  const { time, html } = await shortest(page);
  const cards = html.match(/<h2><a href/g)?.length;
  report.push({ page, cards, bytes: Buffer.byteLength(html), ratio: time / (empty[i] ?? 0) });
}
console.log(JSON.stringify(report));
await schools.close();
