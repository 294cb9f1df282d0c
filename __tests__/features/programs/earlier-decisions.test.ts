import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { Explanation, Site } from '../../../lib/index.ts';
import type { Store } from '../../../lib/store.ts';
import { metadataDocuments } from '../../../policies/index.ts';
import { authorizeUrl, pkce } from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../../outbound/document-server.ts';
import { earlierRecords } from './earlier-records.ts';

// A rehearsal of the upgrade on each store: what earlier releases have written is read, and a new decision takes its place.

const document = (name: string): string => `https://docs.example/${name}.json`;
const scopes = ['openid', 'courses:read', 'courses:write'];

let server: DocumentServer;
beforeAll(async () => {
  server = await startDocumentServer();
  server.respond(({ url }, response) => {
    const metadata = {
      client_id: `https://docs.example${url}`,
      client_name: 'Doc Client',
      redirect_uris: ['http://localhost/callback'],
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  });
});
afterAll(() => server.close());

describe.each(Object.entries(earlierRecords))('of a release that stored %s', (_name, records) => {
  let schools: Schools;
  let store: Store;
  const knowsPeople = records.some(({ kind }) => kind === 'PersonDecision');
  beforeAll(async () => {
    store = memoryStore();
    for (const { kind, id, record } of records)
      await store.save('harbour', { kind, id, record: JSON.stringify(record), listed: true });
    const testing = {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      ca: certificate,
      allowPrivateAddresses: true,
      port: server.port,
    };
    schools = await startSchools({
      campus: { store, testing, metadataDocuments: metadataDocuments({ hosts: ['docs.example'] }) },
    });
    for (const name of ['approved', 'rejected', 'waiting', 'narrow']) {
      const client = { id: document(name), redirectUri: 'http://localhost:49300/callback', scope: scopes.join(' ') };
      await schools.browser('olivia').follow(authorizeUrl(schools.harbour, client, pkce()));
    }
  });
  afterAll(() => schools.close());

  const site = (): Site => siteOf(schools);
  const explain = (target: { readonly clientId: string } | { readonly program: string }): Promise<Explanation> =>
    schools.campus.explain(site(), { ...target, memberId: 'olivia', scopes });

  test.each([
    ['an approved document', { clientId: document('approved') }, 'allowed', 'allowed'],
    ['one that was approved for its scopes', { clientId: document('narrow') }, 'allowed', 'allowed'],
    ['a rejected one', { clientId: document('rejected') }, 'blocked', 'blocked'],
    ['one that waits', { clientId: document('waiting') }, 'view_only', 'view_only'],
    ['a blocked program', { program: 'chatgpt' }, 'blocked', 'blocked'],
    ['one that waits for an approval', { program: 'claude' }, 'view_only', 'view_only'],
    ['one for some roles and scopes', { program: 'codex' }, 'view_only', 'view_only'],
    ['a blocked client', { clientId: 'member-app' }, 'blocked', 'blocked'],
  ] as const)('%s has its status', async (_what, target, status, outcome) => {
    expect((await schools.campus.programs.find(site(), target)).status).toBe(status);
    expect((await explain(target)).outcome).toBe(outcome);
  });

  test('roles and scopes of a rule, blocks and approvals for one person are there', async () => {
    const { campus } = schools;
    const { own } = await campus.programs.find(site(), { program: 'codex' });
    expect(own).toEqual({ access: 'allowed', roles: ['teacher'], scopes: ['openid', 'courses:read'] });
    expect((await campus.connections.listBlocked(site())).map(({ clientId }) => clientId)).toContain('member-app');
    const people = await campus.programs.listPeople(site(), { program: 'zed' });
    expect(people.map(({ memberId }) => memberId)).toEqual(knowsPeople ? ['sam'] : []);
    const { status } = await campus.programs.find(site(), { program: 'zed' });
    expect(status).toBe(knowsPeople ? 'needs_approval' : 'allowed');
    const ofSam = await campus.explain(site(), { program: 'zed', memberId: 'sam' });
    expect(ofSam.outcome).toBe('allowed');
  });

  test('who decided and why is there, as far as the release has stored it', async () => {
    const { decided } = await schools.campus.programs.find(site(), { program: 'chatgpt' });
    expect(decided).toEqual({
      at: 1_790_000_000,
      ...(knowsPeople && { by: 'olivia', reason: 'Not before the summer' }),
    });
  });

  test('a new decision takes the place of the old one, and nothing of that comes back', async () => {
    const { programs, documents } = schools.campus;
    await programs.set(site(), { clientId: document('rejected') }, { access: 'allowed' }, { by: 'olivia' });
    expect((await explain({ clientId: document('rejected') })).outcome).not.toBe('blocked');
    await documents.reject(site(), document('approved'), { by: 'olivia' });
    expect((await explain({ clientId: document('approved') })).outcome).toBe('blocked');
    await programs.reset(site(), { program: 'chatgpt' });
    expect((await explain({ program: 'chatgpt' })).outcome).toBe('allowed');
    const reviews = await store.list('harbour', 'DocumentReview');
    const decided = reviews.filter((record) => /(approved|rejected)\.json/.test(record) && record.includes('decision'));
    expect(decided).toEqual([]);
  });
});
