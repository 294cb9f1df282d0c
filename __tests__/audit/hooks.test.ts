import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { CampusHooks, HookEvent } from '../../lib/index.ts';
import { createHookCaller } from '../../lib/hooks/hook-caller.ts';
import type { Browser } from '../helpers/browser.ts';
import { connect, memberApp, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { client as documentClient, documentSchools } from '../features/metadata-documents/document-schools.ts';
import { allSnippets } from '../structure/snippets.ts';
import { reviewsOf } from '../helpers/reviews.ts';

let schools: Schools | undefined;
afterEach(async () => {
  await schools?.close();
  schools = undefined;
});

async function start(hooks: CampusHooks, wrapPlatform?: Parameters<typeof startSchools>[0]): Promise<Schools> {
  schools = await startSchools({ ...wrapPlatform, campus: { hooks } });
  return schools;
}

const browser = (person: string): Browser => {
  if (!schools) throw new Error('no schools are started');
  return schools.browser(person);
};

/** Hooks that note their calls. */
function noting(): { readonly hooks: CampusHooks; readonly calls: [string, HookEvent][] } {
  const calls: [string, HookEvent][] = [];
  const note = (name: string) => (event: HookEvent) => void calls.push([name, event]);
  const names = ['connected', 'disconnected', 'requested', 'reviewed'];
  return { hooks: Object.fromEntries(names.map((name) => [name, note(name)])), calls };
}

const sam = { kind: 'member', id: 'sam' };

describe('connections', () => {
  test('connected and disconnected have the site, the person and the client, and `first` the first time', async () => {
    const { hooks, calls } = noting();
    const { campus, harbour } = await start(hooks);
    await connect(browser('sam'), harbour, memberApp);
    await connect(browser('sam'), harbour, memberApp);
    const site = harbourSite(harbour);
    const [connection] = await campus.connections.list(site, 'sam');
    await campus.connections.revoke(site, 'sam', connection?.id ?? '');
    await connect(browser('sam'), harbour, memberApp, { scope: 'openid' });
    await campus.close();
    const parties = {
      site: { id: 'harbour', name: 'Harbour School' },
      actor: sam,
      member: { id: 'sam', email: 'sam@example.com' },
      client: { clientId: 'member-app', source: 'static', firstParty: false },
      eventId: expect.any(String),
    };
    expect(calls).toMatchObject([
      ['connected', { ...parties, first: true, scopes: { before: [], after: memberApp.scope.split(' ') } }],
      ['connected', { ...parties, scopes: { before: memberApp.scope.split(' ') } }],
      ['disconnected', parties],
      ['connected', { ...parties, first: true, scopes: { after: ['openid'] } }],
    ]);
    expect(calls[1]?.[1]).not.toHaveProperty('first');
  });

  test('a school that blocks a client ends several at once; a hook that is not given is not called', async () => {
    const { hooks, calls } = noting();
    const { campus, harbour } = await start({ disconnected: hooks.disconnected });
    for (const person of ['sam', 'olivia']) await connect(browser(person), harbour, webMemberApp);
    const site = harbourSite(harbour);
    await campus.apps.set(site, { clientId: webMemberApp.id }, { access: 'blocked' });
    await campus.close();
    expect(calls).toMatchObject([['disconnected', { reason: 'client_blocked', connections: 2, member: undefined }]]);
  });

  test('a site that only the host has named is the one that it gave', async () => {
    const { hooks, calls } = noting();
    const { campus } = await start(hooks);
    const other = { id: 'other', origin: 'https://other.example', name: 'Other School', connectionsEnabled: true };
    const { application } = await campus.applications.create(other, {
      clientName: 'Timer',
      redirectUris: ['https://timer.example/'],
      scopes: ['openid'],
      confidential: false,
    });
    await campus.apps.set(other, { clientId: application.clientId }, { access: 'blocked' });
    campus.events.emit('audit', {
      version: 1,
      time: '',
      eventId: '1',
      siteId: 'other',
      action: 'connection.ended',
      outcome: 'allowed',
      actor: { kind: 'administrator' },
      clientId: application.clientId,
    });
    await campus.close();
    const named = { site: other, client: { clientName: 'Timer' } };
    expect(calls).toMatchObject([
      ['reviewed', { ...named, reason: 'set', rule: { access: 'blocked' } }],
      ['disconnected', named],
    ]);
  });
});

describe('documents', () => {
  const { schools: running, start: startDocuments, publish } = documentSchools();

  test('requested when a document begins to wait, and reviewed with who decided', async () => {
    const { hooks, calls } = noting();
    publish();
    await startDocuments({ hosts: ['docs.example'] }, { hooks });
    const { harbour, campus } = running();
    await connect(running().browser('olivia'), harbour, documentClient);
    await connect(running().browser('oscar'), harbour, documentClient);
    const site = harbourSite(harbour);
    const [seen] = await reviewsOf(campus).list(site);
    await reviewsOf(campus).approve(site, documentClient.id, seen?.version);
    await campus.apps.set(site, { clientId: documentClient.id }, { access: 'blocked' });
    await campus.close();
    const client = { clientId: documentClient.id, host: 'docs.example', clientName: 'Doc Client', source: 'document' };
    expect(calls.filter(([name]) => name !== 'connected')).toMatchObject([
      ['requested', { action: 'document.seen', member: { id: 'olivia' }, client }],
      ['reviewed', { outcome: 'allowed', reason: 'approved', actor: { kind: 'administrator' }, client }],
      ['reviewed', { outcome: 'refused', rule: { access: 'blocked' }, client }],
      ['disconnected', { reason: 'client_blocked', connections: 2, client }],
    ]);
  });
});

test('a request of a member, and what was decided on it', async () => {
  const { hooks, calls } = noting();
  const { campus, harbour } = await start(hooks);
  const site = harbourSite(harbour);
  const request = { app: 'libre-chat', clientName: 'LibreChat', redirectUris: ['https://chat.example/'] } as const;
  await campus.requests.ask(site, 'sam', request);
  const { id } = await campus.requests.ask(site, 'sam', { ...request, note: 'For the chess club' });
  await campus.requests.decline(site, id, 'Next year');
  await campus.close();
  const decided = { note: 'For the chess club', answer: 'Next year', status: 'declined' };
  expect(calls).toMatchObject([
    ['requested', { actor: sam, member: { id: 'sam' }, app: 'libre-chat', request: { id } }],
    ['reviewed', { outcome: 'refused', member: { id: 'sam' }, request: decided }],
  ]);
});

describe('a hook that', () => {
  test('throws is a fault that names it, and the person is connected', async () => {
    const broken = new Error('no mail server');
    const { campus, harbour, faults } = await start({ connected: () => Promise.reject(broken) });
    const { body } = await connect(browser('sam'), harbour, memberApp);
    await campus.close();
    expect(body).toHaveProperty('access_token');
    expect(faults).toEqual([{ message: 'hooks.connected failed', cause: broken }]);
  });

  test('never ends delays no response; one that ends is what close() waits for', async () => {
    const { promise: hangs, resolve: end } = Promise.withResolvers<void>();
    const ended: string[] = [];
    const { campus, harbour } = await start({ connected: () => hangs.then(() => void ended.push('hook')) });
    await connect(browser('sam'), harbour, memberApp);
    const closed = campus.close().then(() => ended.push('close'));
    end();
    await closed;
    expect(ended).toEqual(['hook', 'close']);
  });

  test('calls a method of the campus acts outside the request', async () => {
    const { harbour, campus } = await start({
      connected: async ({ site, memberId = '' }) => void (await campus.connections.revokeAll(site, memberId)),
    });
    const ended = new Promise((resolve) => {
      campus.events.on('audit', (event) => event.action === 'connection.ended' && resolve(event));
    });
    await connect(browser('sam'), harbour, memberApp).catch(() => undefined);
    expect(await ended).not.toHaveProperty('address');
  });

  test('is called while the platform and the store fail, with less', async () => {
    const { hooks, calls } = noting();
    const caller = createHookCaller({
      hooks,
      siteOf: (id) => ({ id, origin: 'https://harbour.example', name: 'Harbour', connectionsEnabled: true }),
      platform: { ...noPlatform, findMember: () => Promise.reject(new Error('down')) },
      clients: () => Promise.reject(new Error('down')),
      findRequest: async () => undefined,
      onFault: () => undefined,
    });
    caller?.call(ended);
    await caller?.close();
    expect(calls).toMatchObject([
      ['disconnected', { client: { clientId: 'app', clientName: 'app' }, memberId: 'sam' }],
    ]);
    expect(calls[0]?.[1].member).toBeUndefined();
  });
});

const noPlatform = {
  findSite: async () => undefined,
  signedInMember: async () => undefined,
  signInUrl: async () => '',
  findMember: async () => undefined,
  findService: async () => undefined,
  roles: async () => undefined,
  searchMembers: undefined,
  seenRoles: () => [],
  acrValues: [],
};
const ended = {
  version: 1,
  time: '',
  eventId: '',
  siteId: 'harbour',
  action: 'connection.ended',
  outcome: 'allowed',
  actor: { kind: 'administrator' },
  clientId: 'app',
  memberId: 'sam',
} as const;

describe('many calls', () => {
  /** A hook that notes which schools it is called for, and hangs until the test lets it go. */
  function hanging() {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: tenRun, resolve: begun } = Promise.withResolvers<void>();
    const [called, faults]: [string[], string[]] = [[], []];
    let [running, most] = [0, 0];
    const caller = createHookCaller({
      hooks: {
        disconnected: async ({ siteId }) => {
          called.push(siteId);
          most = Math.max(most, (running += 1));
          if (running === 10) begun();
          await released;
          running -= 1;
        },
      },
      siteOf: (id) => ({ id, origin: `https://${id}.example`, name: id, connectionsEnabled: true }),
      platform: noPlatform,
      findRequest: async () => undefined,
      clients: async () => undefined,
      onFault: (message, cause) => faults.push(`${message}: ${String(cause)}`),
    });
    const call = (siteId: string, count = 1): void => {
      for (let i = 0; i < count; i += 1) caller?.call({ ...ended, siteId });
    };
    const finished = async (): Promise<void> => {
      release();
      await caller?.close();
    };
    return { called, faults, call, tenRun, finished, most: () => most };
  }

  test('ten run at a time, those of one school take half of the room, and a fault says how many were left out', async () => {
    const { called, faults, call, tenRun, finished, most } = hanging();
    call('harbour', 1007);
    expect(faults).toEqual([
      'hooks are left out: Error: calls for the school harbour have no room: too many wait already',
    ]);
    await tenRun;
    await finished();
    expect([called.length, most()]).toEqual([1000, 10]);
    expect(faults.slice(1)).toEqual(['hooks were left out: Error: 7 calls for the school harbour were left out']);
  });

  test('of one school hold up no other: its call is next but one, and has room', async () => {
    const { called, faults, call, tenRun, finished } = hanging();
    call('harbour', 1000);
    await tenRun;
    call('summit');
    await finished();
    expect(faults).toEqual([]);
    expect(called.indexOf('summit')).toBe(11);
  });
});

test('the recipe of docs/guides/notify-people.md writes to the person and to the office', async () => {
  const recipe = allSnippets().find(({ name }) => name === 'mail.ts');
  const folder = mkdtempSync(join(tmpdir(), 'campus-mail-'));
  try {
    writeFileSync(join(folder, 'mail.ts'), recipe?.code ?? '');
    const { mailHooks } = await import(pathToFileURL(join(folder, 'mail.ts')).href);
    const sent: { readonly to: string; readonly subject: string; readonly text: string }[] = [];
    const hooks: CampusHooks = mailHooks(
      async (mail: (typeof sent)[number]) => sent.push(mail),
      (id: string) => `${id}@example.com`,
    );
    const { campus, harbour } = await start(hooks);
    await connect(browser('sam'), harbour, memberApp);
    await connect(browser('sam'), harbour, memberApp);
    await campus.close();
    const site = harbourSite(harbour);
    await hooks.requested?.({ ...ended, site });
    const member = schools?.people['harbour']?.['sam'];
    const request = { id: 'r', memberId: 'sam', app: 'claude', clientName: 'Claude', redirectUris: [] } as const;
    const asked = { ...request, note: '', status: 'granted', at: 0, version: '' } as const;
    for (const outcome of ['allowed', 'refused'] as const)
      await hooks.reviewed?.({ ...ended, site, member, request: asked, outcome });
    expect(sent).toMatchObject([
      { to: 'sam@example.com', text: expect.stringContaining(`${harbour}/account/apps`) },
      { to: 'harbour@example.com', subject: 'An app waits for a decision at Harbour School' },
      { text: `Claude: You can connect it now\n${harbour}/account/apps/requests` },
      { to: 'sam@example.com', text: expect.stringContaining('Claude: It was declined') },
    ]);
    expect(sent[0]?.text).toContain('account:write');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
