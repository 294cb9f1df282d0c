import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, Site } from '../../lib/index.ts';
import type { RuleWord } from '../../lib/core/access/rule.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { type Browser, csrfOf, decisionsOn, type Stop } from '../helpers/browser.ts';
import { authorizeUrl, jsonResponse, memberApp, pkce, type TestClient } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { plugins, type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

// A person whom the school does not let connect an app asks it to, with one button.

let schools: Schools;
let events: AuditEvent[];
let browsers: Map<string, Browser>;

async function start(options: SchoolsOptions = {}): Promise<void> {
  events = [];
  browsers = new Map();
  schools = await startSchools({
    ...plugins,
    platform: { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'] },
    ...options,
    campus: { registration: [vendorPlatforms(wellKnownVendors), loopbackClients()], ...options.campus },
  });
  schools.campus.events.on('audit', (event) => events.push(event));
  const { olivia, sam } = schools.people['harbour'] ?? {};
  if (!olivia || !sam) throw new Error('the school has no people');
  const tess = { ...olivia, id: 'tess', name: 'Tess Teacher', roles: ['teacher'] };
  schools.people['harbour'] = { olivia, sam, tess, theo: { ...tess, id: 'theo', name: 'Theo' } };
}
beforeEach(() => start());
afterEach(() => schools.close());

/** Of each person one, so that an authorization request goes on where it began. */
function browserOf(person: string): Browser {
  const browser = browsers.get(person) ?? schools.browser(person);
  browsers.set(person, browser);
  return browser;
}

const site = (): Site => siteOf(schools);
const apps = () => schools.campus.apps;
const requests = () => schools.campus.requests.list(site());
const target = { app: 'claude' } as const;

async function claude(): Promise<TestClient> {
  const redirectUri = 'https://claude.ai/api/mcp/auth_callback';
  const body = JSON.stringify({ client_name: 'Claude', redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
  const { body: client } = await jsonResponse(registered);
  return { id: String(client['client_id']), redirectUri, scope: 'openid courses:read courses:write' };
}

const open = (client: TestClient, person = 'tess', scope?: string): Promise<Stop> =>
  browserOf(person).follow(authorizeUrl(schools.harbour, client, pkce(), scope === undefined ? {} : { scope }));

/** Presses a button of a consent page. */
function press(page: Stop, decision: string, person = 'tess', fields: Readonly<Record<string, string>> = {}) {
  const body = new URLSearchParams(readPage(page.html).fields);
  for (const [name, value] of Object.entries({ decision, ...fields })) body.set(name, value);
  return browserOf(person).follow(page.url, { method: 'POST', body });
}

const rule = (word: RuleWord) =>
  apps().set(site(), target.app, word === 'ask' ? { access: 'allowed', ask: true } : { access: word });

describe('the consent page that refuses', () => {
  test.each<[string, () => Promise<unknown>, string | undefined]>([
    ['because it is blocked', () => rule('blocked'), undefined],
    ['because of the role', () => apps().set(site(), target.app, { access: 'allowed', roles: ['owner'] }), undefined],
    ['because each person needs an approval', () => rule('ask'), undefined],
    ['because all that it asks for waits', () => rule('view_only'), 'courses:write'],
  ])('%s has a button that asks the school, and then says that it was asked', async (_why, decide, scope) => {
    const client = await claude();
    await decide();
    const page = await open(client, 'tess', scope);
    expect(page.response.status).toBe(403);
    const button = readPage(page.html).getByRole('button', { name: 'Ask the school' });
    expect([button.value, decisionsOn(page.html)]).toEqual(['ask', ['ask', 'deny']]);
    const asked = await press(page, 'ask');
    expect(asked.response.status).toBe(200);
    const text = readPage(asked.html);
    text.getByRole('heading', { name: 'Request sent.' });
    text.getByRole('status');
    expect(text.getByRole('link', { name: 'See what you have asked for' }).href).toBe('/account/apps/requests');
    expect(decisionsOn(asked.html)).toEqual(['deny']);
    expect(await requests()).toMatchObject([
      {
        memberId: 'tess',
        app: 'claude',
        clientName: 'Claude',
        connects: client.id,
        status: 'open',
      },
    ]);
    const [made] = events.filter(({ action }) => action === 'request.made');
    expect(made).toMatchObject({ memberId: 'tess', clientId: client.id, app: 'claude', reason: 'connect' });
    // The refusal was shown once, and the person can still go back to the app.
    expect(events.filter(({ action }) => action === 'authorization.refused')).toHaveLength(1);
    const back = await press(asked, 'deny');
    expect(back.url.searchParams.get('error')).toBe('access_denied');
  });

  test('has it for members and their apps, whatever kind of client it is', async () => {
    await schools.campus.apps.set(site(), { clientId: memberApp.id }, { access: 'blocked' });
    await press(await open(memberApp, 'sam'), 'ask', 'sam');
    expect(await requests()).toMatchObject([{ memberId: 'sam', app: 'other', connects: memberApp.id }]);
  });

  test('asks once for an app, however often', async () => {
    const client = await claude();
    await rule('blocked');
    for (let i = 0; i < 2; i += 1) await press(await open(client), 'ask');
    expect(await requests()).toHaveLength(1);
    await press(await open(client, 'theo'), 'ask', 'theo');
    expect(await requests()).toHaveLength(2);
  });

  test('takes ten requests of a person in an hour', async () => {
    const client = await claude();
    await rule('blocked');
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await press(await open(client), 'ask')).response.status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  test('has no button for who decides, nor while the school has no applications', async () => {
    await rule('ask');
    const client = await claude();
    expect(decisionsOn((await open(client, 'olivia')).html)).toEqual(['deny']);
    await schools.close();
    await start({
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => {
          const found = await platform.findSite(origin);
          return found && { ...found, connectionsEnabled: false };
        },
      }),
    });
    await rule('ask');
    const page = await open(await claude());
    expect(decisionsOn(page.html)).toEqual(['deny']);
    await press(page, 'ask');
    expect(await schools.campus.requests.list(site())).toEqual([]);
  });

  test('has no button where it is the platform that refuses', async () => {
    await schools.close();
    let isBlocked = false;
    await start({
      campus: { access: [({ app }) => ((app.id ?? app.claimedId) && isBlocked ? { access: 'blocked' } : undefined)] },
    });
    const client = await claude();
    isBlocked = true;
    const page = await open(client);
    expect(decisionsOn(page.html)).not.toContain('ask');
    await schools.campus.apps.set(site(), { clientId: memberApp.id }, { access: 'blocked' });
    expect(decisionsOn((await open(memberApp, 'sam')).html)).toContain('ask');
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a token of nothing', { csrf: 'x' }],
    ['no token', { csrf: '' }],
  ])('makes no request for a form with %s', async (_what, fields) => {
    const client = await claude();
    await rule('blocked');
    const { html } = await press(await open(client), 'ask', 'tess', fields);
    expect(html).not.toContain('You’ll see the answer in Your apps');
    expect(await requests()).toEqual([]);
  });

  test('makes none for another person, another site, or a client that the school lets in', async () => {
    const client = await claude();
    await rule('blocked');
    const page = await open(client);
    await press(page, 'ask', 'theo');
    const body = new URLSearchParams(readPage(page.html).fields);
    body.set('decision', 'ask');
    const headers = { Origin: 'https://evil.example' };
    await browserOf('tess').fetch(page.url, { method: 'POST', body, headers });
    expect(await requests()).toEqual([]);
    await rule('allowed');
    const allowed = await open(client);
    await press(allowed, 'ask', 'tess', { csrf: csrfOf(allowed.html) });
    expect(await requests()).toEqual([]);
  });
});

describe('an administrator finds such a request', () => {
  const list = '/developers/oauth-applications/asked';
  const show = (path = list, person = 'olivia'): Promise<Stop> => browserOf(person).follow(schools.harbour + path);

  /** Tess has asked for Claude. */
  async function asked(access: RuleWord): Promise<TestClient> {
    const client = await claude();
    await rule(access);
    await press(await open(client), 'ask', 'tess', { note: 'To prepare <b>lessons</b>' });
    return client;
  }

  async function submit(page: Stop, action: string, fields: Readonly<Record<string, string>> = {}, person = 'olivia') {
    const form = readPage(page.html)
      .getAllByRole('form')
      .find((each) => (each.fields.get('action') ?? '') === action);
    const body = new URLSearchParams(form?.fields);
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return browserOf(person).follow(new URL(form?.attribute('action') ?? '', page.url), { method: 'POST', body });
  }

  test.each<RuleWord>(['blocked', 'ask'])(
    'and allows it for the one person where it is "%s"; nobody else can connect it',
    async (access) => {
      const client = await asked(access);
      const page = await show();
      const choices = readPage(page.html).getAllByRole('radio');
      const one =
        access === 'blocked' ? 'Only Tess Teacher Then it needs an approval for each person' : 'Only Tess Teacher';
      expect(choices.map(({ name }) => name)).toEqual(['Everyone with the role teacher', 'The same, view only', one]);
      // Where the school decides on each person, that comes first.
      expect(choices.find(({ checked }) => checked)?.name).toBe(
        access === 'ask' ? one : 'Everyone with the role teacher',
      );
      expect(readPage((await submit(page, 'approve', { for: 'people' })).html).getByRole('status').text).toBe(
        'Claude is approved. One person can connect it now.',
      );
      expect(await apps().find(site(), target.app)).toMatchObject({ status: 'needs_approval' });
      expect(await apps().allowedPeople(site(), target.app)).toMatchObject([{ memberId: 'tess', by: 'olivia' }]);
      expect((await show('/account/apps/requests', 'tess')).html).toContain('Ready. Open');
      expect(decisionsOn((await open(client)).html)).toContain('allow');
      expect(decisionsOn((await open(client, 'theo')).html)).toEqual(['ask', 'deny']);
    },
  );

  test('and allows it for everyone on the page of the decision', async () => {
    const client = await asked('blocked');
    const { href } = readPage((await show()).html).getByRole('link', { name: /^Open in Apps: / });
    expect(href).toMatch(/^\/developers\/apps\?app=claude&request=/);
    const decide = async (fields: Readonly<Record<string, string>>) => submit(await show(href), 'rule', fields);
    await decide({ access: 'allowed', ask: 'ask' });
    expect(await requests()).toMatchObject([{ status: 'open' }]);
    await decide({ access: 'allowed', ask: '', roles: 'owner' });
    expect(await requests()).toMatchObject([{ status: 'open' }]);
    await decide({ access: 'allowed', role: '' });
    expect(await requests()).toMatchObject([{ status: 'granted' }]);
    expect(decisionsOn((await open(client, 'theo')).html)).toContain('allow');
  });

  test('and approves it for the role of who asks with one press: no form, no secret, and who asked can connect', async () => {
    const client = await asked('blocked');
    const page = await show();
    const { html } = await submit(page, 'approve');
    expect(readPage(html).getByRole('status').text).toBe('Claude is approved. One person can connect it now.');
    expect(await apps().find(site(), target.app)).toMatchObject({ status: 'allowed', decided: { by: 'olivia' } });
    expect(await requests()).toMatchObject([{ status: 'granted' }]);
    expect((await show('/account/apps/requests', 'tess')).html).toContain('Ready. Open');
    const own = readPage((await show('/account/apps/requests', 'tess')).html);
    // The page that says how to connect it, and the one that says whether that has worked.
    const { href: again } = own.getByRole('link', { name: 'Connect Claude' });
    expect(
      readPage((await show(again, 'tess')).html)
        .getByRole('link', { name: 'Claude' })
        .attribute('aria-current'),
    ).toBe('true');
    expect(own.getByRole('link', { name: 'Check the connection' }).href).toBe(
      `/account/apps/check?client=${client.id}`,
    );
    for (const person of ['tess', 'theo']) expect(decisionsOn((await open(client, person)).html)).toContain('allow');
    // Pressed again, on a page that was left open.
    expect((await submit(page, 'approve')).response.status).toBe(409);
  });

  test('with roles, reasons and permissions of all who ask, and one answer for them', async () => {
    const client = await asked('blocked');
    await press(await open(client, 'theo'), 'ask', 'theo');
    const page = readPage((await show()).html);
    const row = page.getByRole('listitem', { name: 'Claude' });
    expect(row.text).toContain('2 people ask · teacher: 2 · since today');
    expect(row.text).toContain('Tess Teacher, teacher · olivia@example.com “To prepare <b>lessons</b>”');
    expect(row.text).toContain('View courses');
    expect(row.getAllByRole('radio').map(({ name }) => name)).toContain(
      'Only these 2 people Then it needs an approval for each person',
    );
    page.getByRole('link', { name: 'Open one app, 2 people' });
    await submit(await show(), 'approve', { for: 'view' });
    expect(await requests()).toMatchObject([{ status: 'granted' }, { status: 'granted' }]);
    expect((await apps().find(site(), target.app)).own).toEqual({ access: 'view_only', roles: ['teacher'] });
  });

  test('and an answer for those who were shown is none for who asks meanwhile', async () => {
    const client = await asked('blocked');
    const page = await show();
    await press(await open(client, 'theo'), 'ask', 'theo');
    const { response, html } = await submit(page, 'approve');
    expect(response.status).toBe(409);
    // The navigation stays.
    readPage(html).getByRole('link', { name: 'Requests, 2 open' });
    expect(await apps().find(site(), target.app)).toMatchObject({ status: 'blocked' });
  });

  test('and what the school has limited it to stays', async () => {
    await asked('blocked');
    const limits = { scopes: ['openid', 'courses:read'] };
    await apps().set(site(), target.app, { access: 'allowed', ask: true, roles: ['owner'], ...limits });
    await submit(await show(), 'approve', { for: 'roles' });
    expect((await apps().find(site(), target.app)).own).toEqual({ access: 'allowed', roles: ['teacher'], ...limits });
  });

  test('and declines it', async () => {
    await asked('blocked');
    const { href } = readPage((await show()).html).getByRole('link', { name: /^Decline the request for / });
    const question = await show(href);
    expect(readPage((await submit(question, 'decline', { answer: 'Not now' })).html).getByRole('status').text).toBe(
      'Claude is declined. The person sees your answer in Your apps.',
    );
    expect(await requests()).toMatchObject([{ status: 'declined', answer: 'Not now' }]);
    expect((await show('/account/apps/requests', 'tess')).html).toContain('Not now');
  });

  test('and nobody else decides on it, nor a form that is forged or of another request', async () => {
    await asked('blocked');
    const page = await show();
    for (const [person, fields, status] of [
      ['tess', {}, 403],
      ['sam', {}, 403],
      ['olivia', { csrf: 'x' }, 400],
      ['olivia', { shown: 'other' }, 409],
      ['olivia', { id: 'other' }, 409],
    ] as const) {
      expect((await submit(page, 'approve', fields, person)).response.status).toBe(status);
    }
    expect(await requests()).toMatchObject([{ status: 'open' }]);
    expect(await apps().allowedPeople(site(), target.app)).toEqual([]);
    expect(await apps().find(site(), target.app)).toMatchObject({ status: 'blocked' });
  });
});

describe('the status of a request is that of the decision in force', () => {
  const statuses = async () => (await requests()).map(({ memberId, status }) => `${memberId} ${status}`).sort();
  const waiting = () => schools.campus.requests.list(site(), { status: 'open', size: 1 });

  /** Tess and Theo have asked for Claude. */
  async function bothAsked(word: RuleWord): Promise<void> {
    const client = await claude();
    await rule(word);
    for (const person of ['tess', 'theo']) await press(await openAs(client, person), 'ask', person);
  }
  const openAs = (client: TestClient, person: string): Promise<Stop> =>
    browserOf(person).follow(authorizeUrl(schools.harbour, client, pkce()));
  const ownPage = async (person: string): Promise<string> =>
    readPage((await browserOf(person).follow(`${schools.harbour}/account/apps/requests`)).html).text;

  test('whoever has asked can connect it once everyone can, and nobody waits in the list', async () => {
    await bothAsked('blocked');
    await rule('allowed');
    expect(await statuses()).toEqual(['tess granted', 'theo granted']);
    expect((await waiting()).total).toBe(0);
    expect(await ownPage('theo')).toContain('Ready');
  });

  test('a yes to one person is one for their request, until the app is blocked', async () => {
    await bothAsked('ask');
    await apps().allowPerson(site(), target.app, 'tess');
    expect(await statuses()).toEqual(['tess granted', 'theo open']);
    await rule('blocked');
    expect(await statuses()).toEqual(['tess open', 'theo open']);
  });

  test('what was answered with a yes, and is blocked now, is not ready', async () => {
    await bothAsked('blocked');
    const page = await browserOf('olivia').follow(`${schools.harbour}/developers/oauth-applications/asked`);
    const forms = readPage(page.html).getAllByRole('form');
    const body = forms.find(({ fields }) => fields.get('action') === 'approve')?.fields ?? null;
    await browserOf('olivia').follow(page.url, { method: 'POST', body });
    expect(await statuses()).toEqual(['tess granted', 'theo granted']);
    await rule('blocked');
    expect(await statuses()).toEqual(expect.arrayContaining([expect.stringMatching('declined')]));
    for (const person of ['tess', 'theo']) expect(await ownPage(person)).not.toContain('Ready');
  });

  test('a rule for some roles lets in who has one, as their own page says', async () => {
    await bothAsked('blocked');
    await apps().set(site(), target.app, { access: 'allowed', roles: ['teacher'] });
    expect(await ownPage('tess')).toContain('Ready');
    await apps().set(site(), target.app, { access: 'allowed', roles: ['owner'] });
    expect(await ownPage('tess')).not.toContain('Ready');
  });
});
