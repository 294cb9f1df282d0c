import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AppRule } from '../../lib/core/access/rule.ts';
import type { Site } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import type { Browser, Stop } from '../helpers/browser.ts';
import { authorizeUrl, memberApp, pkce } from '../helpers/flow.ts';
import { type Page, readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

// What operators see of requests beside the open ones: how many there are, what was decided, and what nobody at the school can decide.

let schools: Schools;
let olivia: Browser;
const counted: string[] = [];
let failing: string | undefined;
let platformRule: AppRule | undefined;

beforeAll(async () => {
  const store = memoryStore();
  const list: Store['list'] = (siteId, kind) => {
    counted.push(kind);
    if (kind === failing) throw new Error('this list is lost');
    return store.list(siteId, kind);
  };
  schools = await startSchools({
    ...plugins,
    campus: {
      store: { ...store, list, consumeQuota: async () => null },
      access: [({ member }) => (member?.id === 'sam' ? platformRule : undefined)],
    },
  });
  olivia = schools.browser('olivia');
});
afterAll(() => schools.close());

const site = (): Site => siteOf(schools);
const { requests, apps, applications } = {
  requests: () => schools.campus.requests,
  apps: () => schools.campus.apps,
  applications: () => schools.campus.applications,
};
const inbox = '/developers/oauth-applications/asked';
const decided = `${inbox}?status=decided`;
const callback = 'https://chat.example/callback';

const ask = (memberId = 'sam', clientName = 'LibreChat') =>
  requests().ask(site(), memberId, {
    app: clientName === 'LibreChat' ? 'libre-chat' : 'other',
    clientName,
    redirectUris: [callback],
  });
const show = async (path: string, browser = olivia): Promise<Page> =>
  readPage((await browser.follow(schools.harbour + path)).html);

/** Presses what the inbox has for one request. */
async function press(page: Page, fields: Readonly<Record<string, string>>): Promise<Stop> {
  const sent = ['csrf', 'id', 'shown', 'decision'].map((name) => [name, page.field(name)] as const);
  const body = new URLSearchParams({ ...Object.fromEntries(sent), ...fields });
  return olivia.follow(schools.harbour + inbox, { method: 'POST', body });
}

beforeEach(async () => {
  platformRule = undefined;
  for (const { memberId, id } of await requests().list(site(), { size: 500 }))
    await requests().withdraw(site(), memberId, id);
});

describe('the navigation of operators', () => {
  const console = ['/developers/apps', inbox, '/developers/apps/activity', '/developers/oauth-applications'];

  test('says beside Requests how many are open, on each of its pages, for one look-up', async () => {
    await ask();
    const { id, version } = await ask('sam', 'Chess Club');
    await requests().decline(site(), id, '', { version });
    for (const path of console) {
      counted.length = 0;
      const link = (await show(path)).getByRole('link', { name: 'Requests, 1 open' });
      expect([link.href, path, counted.filter((kind) => kind === 'AppRequest').length]).toEqual([
        inbox,
        path,
        path === inbox ? 3 : 1,
      ]);
    }
    expect((await olivia.fetch(`${schools.harbour}${console[0]}?format=csv`)).status).toBe(200);
  });

  test('is without the number where that cannot be read: the page is there', async () => {
    await ask();
    failing = 'AppRequest';
    const page = await show('/developers/apps/activity');
    failing = undefined;
    page.getByRole('heading', { name: 'Activity', level: 1 });
    page.getByRole('link', { name: 'Requests' });
  });

  test('says nothing of none, and at most 99+', async () => {
    (await show(inbox)).getByRole('link', { name: 'Requests' });
    for (let i = 0; i < 100; i += 1) await ask(`member-${i}`, 'Chess Club');
    (await show('/developers/apps')).getByRole('link', { name: 'Requests, 99+ open' });
  });

  test('is not on the pages of people, who see no number', async () => {
    await ask();
    counted.length = 0;
    const page = await show('/account/apps', schools.browser('sam'));
    expect(page.getByRole('link', { name: 'Requests' }).href).toBe('/account/apps/requests');
    // What the person waits for, and what is new.
    expect(counted.filter((kind) => kind === 'AppRequest')).toHaveLength(2);
  });
});

describe('decided requests', () => {
  test('are a list of their own: who asked for what, who decided, the outcome, and the way to the app', async () => {
    await ask();
    await press(await show(inbox), { action: 'create' });
    const other = await ask('sam', 'Chess Club');
    await requests().decline(site(), other.id, 'Use <b>Claude</b>', { by: 'ben' });
    const [granted] = await requests().list(site(), { status: 'granted' });
    expect(granted).toMatchObject({ by: 'olivia', memberId: 'sam' });
    expect(await requests().list(site(), { status: 'decided' })).toHaveLength(2);

    const list = await show(decided);
    const tabs = list.getByRole('navigation', { name: 'Requests' });
    expect(tabs.getAllByRole('link').map(({ text, href }) => [text, href])).toEqual([
      ['Open 0', inbox],
      ['Decided 2', decided],
    ]);
    expect(tabs.getByRole('link', { name: 'Decided 2' }).attribute('aria-current')).toBe('page');
    const row = list.getByRole('link', { name: /^LibreChat, for Sam Student You decided today Approved$/ });
    expect(row.href).toBe(`/developers/apps?client=${granted?.clientId}`);
    expect((await show(row.href)).getByRole('heading', { level: 1 }).text).toBe('LibreChat');
    // Nobody of that id is left at the school, and there is no app.
    expect(list.text).toMatch(/Chess Club, for Sam Student ben decided today · Use <b>Claude<\/b> Declined/);
    expect(list.queryByRole('link', { name: /Chess Club/ })).toBeUndefined();

    await applications().remove(site(), granted?.clientId ?? '');
    expect((await show(decided)).getByRole('link', { name: /^LibreChat/ }).href).toBe(
      '/developers/apps?app=libre-chat',
    );
  });

  test('have no name for who decided where that is not known', async () => {
    await requests().decline(site(), (await ask()).id);
    (await show(decided)).getByRole('link', { name: /^LibreChat, for Sam Student Decided today Declined$/ });
  });

  test('are none at first', async () => {
    expect((await show(decided)).text).toContain('Nothing was decided in the last 90 days.');
  });
});

describe('who decides on a request', () => {
  test('that the member has withdrawn meanwhile reads that, and not that somebody has decided', async () => {
    const { id } = await ask();
    const page = await show(inbox);
    await requests().withdraw(site(), 'sam', id);
    for (const action of ['create', 'decline']) {
      const { response, html } = await press(page, { action });
      expect(response.status).toBe(409);
      readPage(html).getByRole('heading', { name: 'The requests have changed' });
    }
    const { html } = await olivia.follow(`${schools.harbour}/developers/oauth-applications/new?request=${id}`);
    readPage(html).getByRole('heading', { name: 'Nobody asks for it now' });
  });

  test.each<[string, AppRule, string[]]>([
    ['blocks it as well', { access: 'blocked' }, []],
    ['has it for roles that the person lacks', { access: 'allowed', roles: ['owner'] }, []],
    ['asks for an approval', { access: 'allowed', ask: true }, ['Only Sam Student']],
  ])('is offered nothing that does not work where the platform %s', async (_what, rule, offered) => {
    await askingToConnect();
    platformRule = rule;
    const page = await show(inbox);
    const choices = page.getAllByRole('radio').map(({ name }) => name);
    expect(choices).toEqual(offered.map((each) => expect.stringContaining(each)));
    const told = 'The platform doesn’t let Sam Student connect';
    expect(page.text.includes(`${told} `)).toBe(offered.length === 0);
    if (offered.length > 0) return;
    for (const chosen of ['people', 'everyone'])
      expect((await press(page, { action: 'approve', for: chosen })).response.status).toBe(409);
    expect(await requests().list(site(), { status: 'open' })).toHaveLength(1);
  });
});

/** Sam asks the school to let them connect an app that it blocks. */
async function askingToConnect(): Promise<{ readonly requests: string }> {
  await apps().set(site(), { clientId: memberApp.id }, { access: 'blocked' });
  const sam = schools.browser('sam');
  const page = await sam.follow(authorizeUrl(schools.harbour, memberApp, pkce()));
  const body = new URLSearchParams(readPage(page.html).fields);
  body.set('decision', 'ask');
  await sam.follow(page.url, { method: 'POST', body });
  const [asked] = await requests().list(site(), { status: 'open' });
  return { requests: asked?.id ?? '' };
}
