import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AuditEvent, Site, StaticClient } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { loopbackClients } from '../../policies/loopback-clients.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import { testClients } from '../helpers/clients.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { connect, jsonResponse, memberApp, refresh, reports, type TestClient, userinfo } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

let schools: Schools;
let store: Store;
let events: AuditEvent[];
afterEach(async () => {
  resetClock();
  await schools.close();
});

const path = '/developers/apps';
const at = (rest = ''): string => `${schools.harbour}${path}${rest}`;
const of = (clientId: string): string => at(`?client=${encodeURIComponent(clientId)}`);
const site = (id: 'harbour' | 'summit' = 'harbour'): Site => ({ ...siteOf(schools, id), connectionsEnabled: false });

const hostile: StaticClient = {
  clientId: 'hostile',
  clientName: `<script>alert(1)</script>\u202E${'x'.repeat(300)}`,
  audience: 'member',
  redirectUris: ['https://hostile.example/callback'],
  scopes: ['openid', 'account:read'],
};

async function start(): Promise<Browser> {
  store = memoryStore();
  events = [];
  schools = await startSchools({
    campus: { store, clients: [...testClients, hostile], registration: [loopbackClients()] },
  });
  schools.campus.events.on('audit', (event) => events.push(event));
  return schools.browser('olivia');
}

async function registered(): Promise<TestClient> {
  const redirectUri = 'http://127.0.0.1:50123/callback';
  const body = JSON.stringify({ client_name: 'Terminal <b>', redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
  return { id: String((await jsonResponse(response)).body['client_id']), redirectUri, scope: 'openid courses:read' };
}

/** Members of Harbour School connect a client. Returns the access token of the first. */
async function people(client: TestClient, ...names: readonly string[]): Promise<unknown> {
  const tokens: unknown[] = [];
  for (const name of names) {
    tokens.push((await connect(schools.browser(name), schools.harbour, client)).body['access_token']);
  }
  return tokens[0];
}

/** Submits the last form of a page, which is the one to confirm or to decide. */
async function submit(browser: Browser, page: string, fields: Readonly<Record<string, string>> = {}): Promise<Stop> {
  return submitOn(browser, await browser.follow(page), fields);
}

async function submitOn(
  browser: Browser,
  { html, url }: Stop,
  fields: Readonly<Record<string, string>> = {},
): Promise<Stop> {
  const form = readPage(html)
    .getAllByRole('form')
    .find((each) => ['rule', 'end'].includes(each.fields.get('action') ?? ''));
  const body = new URLSearchParams({ ...Object.fromEntries(form?.fields ?? []), ...fields });
  return browser.follow(new URL(form?.attribute('action') ?? '', url), { method: 'POST', body });
}

const status = async (token: unknown): Promise<number> => (await userinfo(schools.harbour, token)).status;
/** The apps of the list that somebody has used. */
const apps = (html: string): string[] =>
  readPage(html)
    .getAllByRole('row')
    .slice(1)
    .map(({ text }) => text)
    .filter((text) => !text.endsWith('0 never'));

describe('Apps', () => {
  test('has every client that people connected there, those with the most people first', async () => {
    const browser = await start();
    expect(apps((await browser.follow(at())).html)).toEqual([]);
    await people(memberApp, 'sam', 'olivia');
    setClockAhead(24 * 3600);
    const terminal = await registered();
    await people(terminal, 'olivia');
    const { html, response } = await browser.follow(at());
    expect(response.status).toBe(200);
    const [first = '', second = '', ...others] = apps(html);
    expect(others).toEqual([]);
    expect(first).toMatch(
      /^P Pocket School (?:Part of|Set up by) the platform · new this week Allowed Can change: .* 2 people \w/,
    );
    expect(second).toMatch(/^Terminal <b> Not verified · new this week Allowed Can change: Courses, .* 1 person today/);
    const { summit } = schools.people;
    const olivia = schools.people['harbour']?.['olivia'];
    if (summit && olivia) summit['olivia'] = olivia;
    expect(apps((await browser.follow(`${schools.summit}${path}`)).html)).toEqual([]);
    expect((await browser.follow(`${schools.summit}${path}?client=${memberApp.id}`)).response.status).toBe(404);
  });

  test('says when a client was last active, to within a day, also by a refresh', async () => {
    const browser = await start();
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    const used = async () => (await schools.campus.apps.list(site(), { used: true }))[0];
    const lastActive = async (): Promise<number> => (await used())?.lastActiveAt ?? 0;
    const first = await lastActive();
    expect((await used())?.connectedAt).toBe(first);
    setClockAhead(25 * 3600);
    await refresh(schools.harbour, memberApp, body['refresh_token']);
    expect((await lastActive()) - first).toBeGreaterThanOrEqual(24 * 3600);
    const { text } = readPage((await browser.follow(of(memberApp.id))).html);
    expect(text).toMatch(/One person uses it .* used today/);
    // It was first connected when it was: another one is newer.
    expect((await used())?.connectedAt).toBe(first);
    await connect(schools.browser('olivia'), schools.harbour, reports);
    const newest = await schools.campus.apps.list(site(), { used: true, sort: 'new' });
    expect(newest.map(({ clientId }) => clientId)).toEqual([reports.id, memberApp.id]);
  });

  test('has a page for each, with permissions, addresses and client id; a hostile name is text, and short', async () => {
    const browser = await start();
    const client = { id: 'hostile', redirectUri: 'https://hostile.example/callback', scope: 'openid account:read' };
    await people(client, 'sam');
    for (const page of [at(), of('hostile'), `${of('hostile')}&confirm=end`]) {
      const { html, response } = await browser.follow(page);
      expect(response.status).toBe(200);
      expect(html).toContain(`&lt;script&gt;alert(1)&lt;/script&gt;${'x'.repeat(55)}…`);
      expect(html).not.toMatch(/<script|\u202E|x{60}/);
    }
    const { html } = await browser.follow(of('hostile'));
    readPage(html).getByRole('code', { text: 'https://hostile.example/callback' });
    expect(html).toContain('View each person’s own account and notifications');
  });

  test('leads to the settings of an OAuth application', async () => {
    const browser = await start();
    const enabled = { ...site(), connectionsEnabled: true };
    const redirectUri = 'https://timer.example/callback';
    const settings = { clientName: 'Timer', redirectUris: [redirectUri], scopes: ['openid', 'account:read'] };
    const { application } = await schools.campus.applications.create(enabled, { ...settings, confidential: false });
    await people({ id: application.clientId, redirectUri, scope: 'openid account:read' }, 'sam');
    const { html } = await browser.follow(of(application.clientId));
    const link = readPage(html).getByRole('link', { name: 'Settings under Developers' });
    expect(link.href).toBe(`/developers/oauth-applications/${application.clientId}`);
  });

  test('leads to no OAuth applications where they are not enabled', async () => {
    schools = await startSchools({
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => {
          const found = await platform.findSite(origin);
          return found && { ...found, connectionsEnabled: false };
        },
      }),
    });
    const { html } = await schools.browser('olivia').follow(at());
    expect(html).not.toContain('/developers/oauth-applications');
  });

  test.each(['sam', 'nora', 'stranger'])(
    '%s is not an administrator: 403, and a POST changes nothing',
    async (person) => {
      await start();
      const token = await people(memberApp, 'sam');
      for (const page of [at(), of(memberApp.id), at('?review=waiting')]) {
        const { html, response } = await schools.browser(person).follow(page);
        expect([response.status, html.includes('can see its apps')]).toEqual([403, true]);
      }
      const body = new URLSearchParams({ action: 'rule', access: 'blocked', client: memberApp.id, csrf: 'x' });
      expect((await schools.browser(person).fetch(at(), { method: 'POST', body })).status).toBe(403);
      expect(await status(token)).toBe(200);
      const { url } = await schools.browser().follow(of(memberApp.id));
      expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/sign-in', of(memberApp.id)]);
    },
  );

  test('does nothing without a CSRF token, or with that of another page or person', async () => {
    const browser = await start();
    const token = await people(memberApp, 'sam');
    const olivia = schools.people['harbour']?.['olivia'];
    if (olivia) schools.people['harbour'] = { ...schools.people['harbour'], oscar: { ...olivia, id: 'oscar' } };
    const tokens = [
      '',
      csrfOf((await browser.follow(`${schools.harbour}/developers/oauth-applications/new`)).html),
      csrfOf((await schools.browser('oscar').follow(`${of(memberApp.id)}&confirm=end`)).html),
    ];
    for (const csrf of tokens) {
      const body = new URLSearchParams({ action: 'end', client: memberApp.id, csrf });
      expect((await browser.fetch(at(), { method: 'POST', body })).status).toBe(400);
    }
    expect(await status(token)).toBe(200);
  });

  test('is 404 for a client that does not exist', async () => {
    const browser = await start();
    for (const id of ['none', '%3Cscript%3E']) {
      expect((await browser.follow(at(`?client=${id}`))).response.status).toBe(404);
    }
  });
});

describe('an operator', () => {
  test('disconnects everyone from a client after a confirmation with the number of people', async () => {
    const browser = await start();
    const token = await people(memberApp, 'sam', 'olivia');
    const confirm = `${of(memberApp.id)}&confirm=end`;
    expect((await browser.follow(confirm)).html).toContain('2 people are disconnected right away');
    expect(await status(token)).toBe(200);
    const { html } = await submit(browser, confirm);
    expect(html).toContain('Nobody is connected to this app now.');
    expect(await status(token)).toBe(401);
    expect(events.filter(({ action }) => action === 'connection.ended')).toMatchObject([
      { reason: 'client_disconnected', actor: { kind: 'administrator', id: 'olivia' }, connections: 2 },
    ]);
    // People can connect it again; then the address of the page says nothing untrue.
    await people(memberApp, 'sam');
    const later = await browser.follow(`${of(memberApp.id)}&done=ended`);
    expect(later.html).not.toContain('Nobody is connected to this app now.');
  });

  test('blocks a client, and takes that back', async () => {
    const browser = await start();
    const token = await people(memberApp, 'sam');
    const radio = readPage((await browser.follow(of(memberApp.id))).html).getByRole('radio', { name: 'Block' });
    expect(radio.description).toBe('Nobody can connect it. One person is disconnected.');
    const confirm = await submit(browser, of(memberApp.id), { access: 'blocked' });
    expect(readPage(confirm.html).text).toContain('One person is disconnected right away and can’t connect it again.');
    expect(await status(token)).toBe(200);
    const blocked = await submitOn(browser, confirm);
    expect(blocked.html).toContain('The decision is saved.');
    expect(await status(token)).toBe(401);
    expect(await schools.campus.apps.list(site(), { status: 'blocked' })).toMatchObject([{ clientId: memberApp.id }]);
    readPage((await browser.follow(at('?status=blocked'))).html).getByRole('row', {
      text: /^P Pocket School .*Blocked/,
    });
    const free = await submit(browser, of(memberApp.id), { access: 'default' });
    expect(free.html).toContain('The school has no decision on it now.');
    expect(await schools.campus.apps.list(site(), { status: 'blocked' })).toEqual([]);
    expect((await browser.follow(`${of(memberApp.id)}&done=rule`)).html).not.toContain('The decision is saved.');
  });

  test('sees a client that was blocked and never connected, and can take that back', async () => {
    const browser = await start();
    await schools.campus.apps.set(site(), { clientId: 'https://evil.example/client.json' }, { access: 'blocked' });
    const evil = async (): Promise<number> =>
      [...(await browser.follow(at('?q=evil'))).html.matchAll(/evil\.example<\/bdi> · /g)].length;
    expect(await evil()).toBe(1);
    const { url } = await submit(browser, of('https://evil.example/client.json'), { access: 'default' });
    expect([url.href, await evil()]).toEqual([at(), 0]);
  });
});

describe('campus.apps.list(site, { used: true })', () => {
  test('returns a page of what people are connected to now, and what a search finds', async () => {
    await start();
    await people(memberApp, 'sam');
    await people(reports, 'olivia');
    const { apps: campusApps, connections } = schools.campus;
    const all = await campusApps.list(site(), { used: true, sort: 'name' });
    expect(all).toMatchObject([
      { clientId: memberApp.id, people: 1, audience: 'member', lastActiveAt: expect.any(Number) },
      { clientId: reports.id, people: 1, audience: 'operator', lastActiveAt: expect.any(Number) },
    ]);
    const beyond = await campusApps.list(site(), { used: true, page: 9, size: 1 });
    expect([beyond.length, beyond.page, beyond.pages, beyond.total]).toEqual([1, 2, 2, 2]);
    expect(await campusApps.list(site(), { used: true, search: 'POCKET' })).toMatchObject([{ clientId: memberApp.id }]);
    expect(await connections.end(site(), { app: { clientId: memberApp.id } })).toEqual({ connections: 1 });
    expect(await campusApps.list(schools.harbour, { used: true })).toMatchObject([{ clientId: reports.id }]);
  });

  test('nobody consents to a client that the store cannot note; tokens are issued nevertheless', async () => {
    let isFailing = true;
    const inner = memoryStore();
    const failing: Store = {
      ...inner,
      save: async (siteId, entry) => {
        if (isFailing && entry.kind === 'ConnectedClient') throw new Error('connection lost');
        return inner.save(siteId, entry);
      },
    };
    schools = await startSchools({ campus: { store: failing } });
    await expect(connect(schools.browser('sam'), schools.harbour, memberApp)).rejects.toThrow('503');
    expect(await schools.campus.connections.list(site(), 'sam')).toEqual([]);
    isFailing = false;
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    isFailing = true;
    setClockAhead(25 * 60 * 60);
    expect((await refresh(schools.harbour, memberApp, body['refresh_token'])).status).toBe(200);
    expect(schools.faults).toHaveLength(2);
  });
});
