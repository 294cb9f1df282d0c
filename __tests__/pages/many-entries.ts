// Prints what pages with a thousand entries weigh, and how much processor time they take beside the same pages without one. A process of its
// own: in Jest's modules parsing is several times slower than in Node.
import { memoryStore } from '../../adapters/memory/index.ts';
import { digest } from '../../lib/runtime/crypto.ts';
import { startSchools } from '../helpers/schools.ts';

const entries = 1000;
const store = memoryStore();
const [full, empty] = await Promise.all([startSchools({ campus: { store } }), startSchools()]);
const site = { id: 'harbour', origin: full.harbour, name: 'Harbour School', connectionsEnabled: true };
const browser = full.browser('olivia');
const now = Math.floor(Date.now() / 1000);

for (let i = 0; i < entries; i += 1) {
  const name = `Study Timer ${i} 學習`;
  const redirectUris = ['https://timer.example/callback'];
  const application = { clientName: name, redirectUris, scopes: ['openid', 'account:read'], confidential: true };
  await full.campus.applications.create(site, { ...application, createdBy: 'olivia' });
  const id = `registered-${i}`;
  const client = { v: 1, client_id: id, client_name: name, scope: 'openid', campus_source: 'registered' };
  await store.save('harbour', { kind: 'Client', id, record: JSON.stringify(client), ttl: 1000 });
  const record = JSON.stringify({ v: 1, client_id: id, at: now - i });
  await store.save('harbour', { kind: 'ConnectedClient', id: digest(id), record, listed: true });
}

const htmlOf = async (url: string): Promise<string> => (await browser.fetch(url)).text();

/** Microseconds of the processor for a request: unlike the time of day, they do not depend on what else the machine does. */
async function processorTime(url: string): Promise<number> {
  const before = process.cpuUsage();
  await htmlOf(url);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The cheapest of many requests each, in turn. */
async function compare(page: string): Promise<object> {
  const html = await htmlOf(full.harbour + page);
  const times = { full: Infinity, empty: Infinity };
  for (let i = 0; i < 300; i += 1) {
    times.full = Math.min(times.full, await processorTime(full.harbour + page));
    times.empty = Math.min(times.empty, await processorTime(empty.harbour + page));
  }
  const cards = html.match(/<h2><a href/g)?.length;
  return { page, cards, bytes: Buffer.byteLength(html), ratio: times.full / times.empty };
}

const report: object[] = [];
for (const page of ['/developers/oauth-applications?page=20', '/developers/connections?page=20']) {
  report.push(await compare(page));
}
console.log(JSON.stringify(report));
await Promise.all([full.close(), empty.close()]);
