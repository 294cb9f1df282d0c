import { afterEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import { csrfOf, type Stop } from '../helpers/browser.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { connect, memberApp, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { type Part, readPage } from '../helpers/page.ts';
import { plugins, type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
afterEach(async () => {
  tokens.clear();
  resetClock();
  await schools.close();
});

const path = '/account/apps';

interface Connected {
  readonly token: unknown;
  readonly refreshToken: unknown;
  /** The path of its page. */
  readonly page: string;
}

/** Sam connects the app at Harbour School. */
async function connected(client = memberApp, changes = {}): Promise<Connected> {
  const { body } = await connect(schools.browser('sam'), schools.harbour, client, changes);
  const site = harbourSite(schools.harbour);
  const all = await schools.campus.connections.list(site, 'sam');
  const { id } = all.find(({ clientId }) => clientId === client.id) ?? {};
  return { token: body['access_token'], refreshToken: body['refresh_token'], page: `${path}/${id}` };
}

const open = (at = path, person = 'sam'): Promise<Stop> => schools.browser(person).follow(schools.harbour + at);

/** What the forms of these pages have, by person: from the last page of an app that they had. */
const tokens = new Map<string, string>();

/** Submits a form of a page, with the fields that the person filled in. */
async function post(at: string, fields: Record<string, string> | URLSearchParams, person = 'sam'): Promise<Stop> {
  const browser = schools.browser(person);
  const [app] = readPage((await open(path, person)).html)
    .getAllByRole('link')
    .filter(({ href }) => href.startsWith(`${path}/`));
  if (app) tokens.set(person, csrfOf((await open(app.href, person)).html));
  const body = new URLSearchParams(fields);
  body.set('csrf', tokens.get(person) ?? '');
  return browser.follow(schools.harbour + at, { method: 'POST', body });
}

const status = async (token: unknown): Promise<number> => (await userinfo(schools.harbour, token)).status;
const notice = (html: string): string => readPage(html).queryByRole('status')?.text ?? '';

/** The items of the list of devices: each has a button to sign it out. */
const devicesIn = (html: string): Part[] =>
  readPage(html)
    .getAllByRole('listitem')
    .filter((item) => item.queryByRole('button', { name: /^Sign out this device/ }));
const factsOf = (device: Part | undefined): string | undefined => device?.text;
const deviceIds = (html: string): string[] => devicesIn(html).map((device) => device.getByRole('button').value);
const deviceFacts = /^Active around .+ Signed in: .+, from 127\.0\.0\.1 /;
/** The sentences of the log, each beside its time. */
const activityIn = (html: string): string[] =>
  readPage(html)
    .getAllByRole('listitem')
    .flatMap(({ children: [, sentence, time] }) => (time?.role === 'time' && sentence ? [sentence.text] : []));

describe('the connected apps page', () => {
  test('redirects signed-out visitors to sign-in, and is 403 without a role', async () => {
    schools = await startSchools();
    for (const at of [path, `${path}/some-app`]) {
      const { url } = await schools.browser().follow(schools.harbour + at);
      expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/sign-in', schools.harbour + at]);
      expect((await open(at, 'nora')).response.status).toBe(403);
    }
  });

  test('asks before it disconnects an app, which then has no access at once; a receipt says what that means', async () => {
    schools = await startSchools();
    const pocket = await connected();
    const buddy = await connected(webMemberApp);
    await connected(webMemberApp);
    const { html: before } = await open(pocket.page);
    const asks = await open(readPage(before).getByRole('link', { name: 'Disconnect' }).href);
    const question = readPage(asks.html);
    question.getByRole('heading', { name: 'Disconnect Pocket School?', level: 1 });
    expect(question.getByRole('link', { name: 'Cancel' }).href).toBe(pocket.page);
    expect(await status(pocket.token)).toBe(200);
    const { html, url, response } = await post(pocket.page, { action: 'end' });
    expect([response.status, url.pathname]).toEqual([200, pocket.page]);
    const receipt = readPage(html);
    receipt.getByRole('heading', { name: 'Pocket School is disconnected.', level: 1 });
    expect(receipt.facts).toEqual({
      When: expect.stringMatching(/\d/),
      'Signed out': 'one device',
      'What it keeps': 'What it has already read. To delete that, ask its makers.',
    });
    expect(receipt.queryByRole('button', { name: 'Undo' })).toBeUndefined();
    expect([await status(pocket.token), await status(buddy.token)]).toEqual([401, 200]);
    const two = readPage((await post(buddy.page, { action: 'end' })).html);
    expect(two.facts).toMatchObject({
      'Signed out': '2 devices',
      'What it keeps': 'What it has already read. To delete that, ask its makers at buddy.example.',
    });
    expect((await post(pocket.page, { action: 'end' })).response.status).toBe(404);
  });

  test('has one row for each app, which is a link as a whole, and below them what the person waits for', async () => {
    schools = await startSchools(plugins);
    await connected();
    await connected(webMemberApp);
    const site = harbourSite(schools.harbour);
    const asked = {
      app: 'libre-chat',
      clientName: 'LibreChat',
      redirectUris: ['https://chat.example/cb'],
    } as const;
    await schools.campus.requests.ask(site, 'sam', asked);
    const page = readPage((await open()).html);
    page.getByRole('heading', { name: 'Your apps', level: 1 });
    page.getByText('2 apps can act for you');
    page.getByRole('link', { name: /^Pocket School Can change: Your account · Last active: today$/ });
    page.getByRole('link', { name: /^Study Buddy View only · Last active: / });
    page.getByRole('heading', { name: 'Waiting for the school', level: 2 });
    const waiting = page.getByRole('link', { name: /^LibreChat You asked today Needs approval$/ });
    expect(waiting.href).toBe(`${path}/requests`);
    expect(page.getByRole('link', { name: 'Connect an assistant' }).href).toMatch(/^\/mcp/);
  });

  test('disconnects all apps after a confirmation', async () => {
    schools = await startSchools();
    const pocket = await connected();
    const buddy = await connected(webMemberApp);
    const { html } = await open(`${path}?confirm=all`);
    expect(html).toContain('2 apps lose');
    expect(await status(pocket.token)).toBe(200);
    // Any other form ends nothing.
    await post(path, { action: 'end', id: 'x' });
    expect(await schools.campus.connections.list(harbourSite(schools.harbour), 'sam')).toHaveLength(2);
    expect(notice((await post(path, { action: 'end-all' })).html)).toContain('2 apps are disconnected.');
    expect([await status(pocket.token), await status(buddy.token)]).toEqual([401, 401]);
  });

  test('believes no message that it did not write itself', async () => {
    schools = await startSchools();
    const pocket = await connected();
    const { url } = await post(pocket.page, { action: 'end' });
    const heading = async (at: string, person?: string): Promise<string> =>
      readPage((await open(at, person)).html).getByRole('heading', { level: 1 }).text;
    const receipt = 'Pocket School is disconnected.';
    const nothing = 'This app is not connected';
    expect(await heading(pocket.page + url.search)).toBe(receipt);
    const forged = new URLSearchParams(url.search);
    forged.set('ended', 'Your bank');
    const proof = forged.get('proof') ?? '';
    for (const query of ['?ended=999999999', `?${forged.toString()}`, `?id=a&id=b&ended=c&proof=${proof}`]) {
      expect([query, await heading(pocket.page + query)]).toEqual([query, nothing]);
    }
    for (const query of ['?count=999999999', `?count=999999999&proof=${proof}`]) {
      expect([query, notice((await open(path + query)).html)]).toEqual([query, '']);
    }
    // Of another person or app, and after it was connected again.
    expect(await heading(pocket.page + url.search, 'olivia')).toBe(nothing);
    expect(await heading(`${path}/another${url.search}`)).toBe(nothing);
    await connected();
    expect(await heading(pocket.page + url.search)).toBe('Pocket School');
  });

  test('rejects a form with another member’s CSRF token, or with none', async () => {
    schools = await startSchools();
    const pocket = await connected();
    await connect(schools.browser('olivia'), schools.harbour, memberApp);
    const [app] = await schools.campus.connections.list(harbourSite(schools.harbour), 'olivia');
    const { html } = await open(`${path}/${app?.id}`, 'olivia');
    for (const csrf of [csrfOf(html), '']) {
      for (const [at, fields] of [
        [path, { action: 'end-all' }],
        [pocket.page, { action: 'end' }],
        [pocket.page, {}],
      ] as const) {
        const body = new URLSearchParams({ csrf, ...fields });
        const stop = await schools.browser('sam').follow(schools.harbour + at, { method: 'POST', body });
        expect(stop.response.status).toBe(400);
      }
    }
    expect(await status(pocket.token)).toBe(200);
  });
});

describe('the page of one app', () => {
  test('says what it sees, when it was allowed and active, and until when, in the time zone of the site', async () => {
    schools = await startSchools(schoolsWith({ timeZone: 'Pacific/Kiritimati', stylesheet: null }));
    const day = 24 * 60 * 60;
    // A quarter past eleven in the evening, UTC: the next day in Kiritimati.
    const evening = Math.floor(Date.now() / 1000 / day) * day + 10 * day - 45 * 60;
    const at = (seconds: number): void => setClockAhead(seconds - Math.floor(Date.now() / 1000));
    at(evening);
    const { page, refreshToken } = await connected();
    resetClock();
    at(evening + 2 * day);
    await refresh(schools.harbour, memberApp, refreshToken);
    const { html } = await open(page);
    const nextDay = (seconds: number): string =>
      new Date((seconds + day) * 1000).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });
    expect(readPage(html).facts).toEqual({
      'First allowed': nextDay(evening),
      'Last active': nextDay(evening + 2 * day),
      'Client ID': memberApp.id,
    });
    const until = new Date((evening + 181 * day) * 1000).toLocaleDateString('en', {
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    });
    readPage(html).getByText(`It has access until ${until}. Print what it can do`);
    readPage(html).getByRole('heading', { name: 'Pocket School', level: 1 });
    expect(readPage(html).title).toMatch(/^What \u2068Pocket School\u2069 can do · /);
    readPage(html).getByRole('paragraph', { text: /^Set up by the platform that Harbour School uses\./ });
    const name = 'It also sees who you are Name, email, roles, and 1 more';
    readPage(html).getByRole('group', { name }).getByRole('heading', { name, level: 2 });
    readPage((await open(path)).html).getByRole('link', { name: /Last active: \w/ });
  });

  test('removes single permissions without disconnecting', async () => {
    schools = await startSchools();
    const { token, refreshToken, page } = await connected();
    const { html, url } = await post(page, { scope: 'account:read' });
    expect(url.pathname).toBe(page);
    expect(notice(html)).toBe('One permission was removed.');
    expect(readPage(html).fields.getAll('scope')).toEqual(['account:read']);
    expect(await status(token)).toBe(401);
    const { body } = await refresh(schools.harbour, memberApp, refreshToken);
    expect(body['scope']).toBe('openid profile email account:read');
    const all = await post(page, {});
    const boxes = readPage(all.html).getAllByRole('checkbox');
    expect(boxes.map(({ checked }) => checked)).toEqual([false, false]);
    expect(all.html).toContain('It sees who you are');
  });

  test('keeps everything when nothing was unticked, and grants nothing that was not there', async () => {
    schools = await startSchools();
    const { token, page } = await connected(memberApp, { scope: 'openid account:read' });
    const { html } = await post(
      page,
      new URLSearchParams('scope=account:read&scope=account:write&scope=courses:write'),
    );
    expect(notice(html)).toBe('');
    expect(html).not.toContain('account:write');
    expect(await status(token)).toBe(200);
  });

  test('does not take the last scope away: it shows what was posted, and that the app can be disconnected', async () => {
    schools = await startSchools();
    const { page, refreshToken } = await connected(memberApp, {
      scope: 'account:read account:write',
      nonce: undefined,
    });
    const { html, response } = await post(page, {});
    expect(response.status).toBe(400);
    const alert = readPage(html).getByRole('alert');
    expect(alert.text).toBe('Keep at least one permission, or disconnect the app.');
    expect([alert.attribute('tabindex'), alert.attribute('autofocus')]).toEqual(['-1', '']);
    const boxes = readPage(html).getAllByRole('checkbox');
    expect(boxes.map(({ value, checked }) => [value, checked])).toEqual([
      ['account:read', false],
      ['account:write', false],
    ]);
    const { body } = await refresh(schools.harbour, memberApp, refreshToken);
    expect(body['scope']).toBe('account:read account:write');
  });

  test('has the devices, with the last use and what the log knows of the sign-in, and signs one of them out', async () => {
    const events: AuditEvent[] = [];
    schools = await startSchools({ campus: { log: { list: () => ({ events }) } } });
    schools.campus.events.on('audit', (event) => events.unshift(event));
    const { page, token } = await connected();
    const other = await connected();
    const before = await open(page);
    const facts = devicesIn(before.html).map(factsOf);
    expect(facts).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(deviceFacts)));
    events.length = 0;
    expect(factsOf(devicesIn((await open(page)).html)[0])).toMatch(/^Active around (?!.*Signed in:)./);
    const [first = '', second = ''] = deviceIds(before.html);
    await connect(schools.browser('olivia'), schools.harbour, webMemberApp);
    const denied = await post(page, { action: 'end-device', device: first }, 'olivia');
    expect(denied.response.status).toBe(404);
    const body = new URLSearchParams({ csrf: 'forged', action: 'end-device', device: first });
    const forged = await schools.browser('sam').follow(schools.harbour + page, { method: 'POST', body });
    expect(forged.response.status).toBe(400);
    expect([await status(token), await status(other.token)]).toEqual([200, 200]);
    const ended = await post(page, { action: 'end-device', device: first });
    expect(notice(ended.html)).toBe('The device is signed out. Other devices stay signed in.');
    expect(deviceIds(ended.html)).toEqual([second]);
    const statuses = await Promise.all([token, other.token].map(status));
    expect(new Set(statuses)).toEqual(new Set([200, 401]));
    const revoked = events.find(({ action }) => action === 'token.revoked');
    expect(revoked).toMatchObject({ reason: 'signed_out', familyId: first });
    const hostile = await post(page, { action: 'end-device', device: `"><script>${'x'.repeat(5000)}` });
    expect([hostile.response.status, deviceIds(hostile.html)]).toEqual([200, [second]]);
    const last = await post(page, { action: 'end-device', device: second });
    expect(last.url.pathname).toBe(page);
    readPage(last.html).getByRole('heading', { name: 'Pocket School is disconnected.', level: 1 });
  });

  test('says what happened last with this app, to this person alone, without the names of others', async () => {
    const events: AuditEvent[] = [];
    schools = await startSchools({ campus: { log: { list: () => ({ events }) } } });
    schools.campus.events.on('audit', (event) => events.unshift(event));
    const { page } = await connected();
    await connected(webMemberApp);
    await connect(schools.browser('olivia'), schools.harbour, memberApp);
    const [granted] = events;
    const actor = { kind: 'operator', id: 'olivia' } as const;
    if (granted) events.unshift({ ...granted, action: 'request.granted', memberId: 'sam', actor });
    await post(page, { scope: 'account:read' });
    expect(activityIn((await open(page)).html)).toEqual([
      'You took permissions away',
      'Staff of the school granted your request',
      'You signed in with it',
      'You connected it',
    ]);
    const { html } = await open(page);
    readPage(html).getByRole('checkbox', { name: /It asked for this\. You left it out\.$/ });
    expect(readPage(html).queryByRole('heading', { name: 'Not available' })).toBeUndefined();
    // What a rule takes away is none of what the person can give.
    const scopes = ['openid', 'account:read'];
    const { campus, harbour } = schools;
    await campus.apps.set(harbourSite(harbour), { clientId: memberApp.id }, { access: 'allowed', scopes });
    const again = await connected();
    const without = readPage((await open(again.page)).html).getByText(
      /^Not available Your school doesn’t allow these, or Pocket School must be connected again\. Mark your notifications as read .*Administrators of Harbour School can approve them\.$/,
    );
    without.getByRole('heading', { name: 'Not available', level: 2 });
    without.getByRole('listitem', { text: /^Mark your notifications as read/ });
  });

  test('is 404 for a connection of another person, of another school, and for none; nothing can be changed there', async () => {
    schools = await startSchools();
    const { page, token } = await connected();
    await connect(schools.browser('olivia'), schools.harbour, memberApp);
    for (const at of [page, `${path}/nothing`, `${path}/${'x'.repeat(2000)}`]) {
      const { response, html } = await open(at, 'olivia');
      expect(response.status).toBe(404);
      expect(readPage(html).getByRole('link', { name: 'Your apps' }).href).toBe('/account/apps');
      expect((await post(at, {}, 'olivia')).response.status).toBe(404);
    }
    expect((await schools.browser('sam').follow(schools.summit + page)).response.status).toBe(404);
    expect((await post(page, { action: 'end' }, 'olivia')).response.status).toBe(404);
    expect(await status(token)).toBe(200);
  });
});

test('a page to print says what an app can do, what it cannot, and how to end it, without controls', async () => {
  schools = await startSchools();
  const { page } = await connected(webMemberApp);
  const print = readPage((await open(`${page}?view=print`)).html);
  print.getByRole('heading', { name: 'What Study Buddy can do', level: 1 });
  const [can = [], cannot = []] = print
    .getAllByRole('list')
    .map((list) => list.getAllByRole('listitem').map(({ text }) => text));
  expect(can).toEqual(expect.arrayContaining(['Name', 'View each person’s own account and notifications']));
  expect(print.text).not.toMatch(/\byou\b|\byour\b(?! browser)/i);
  expect(print.queryByRole('heading', { name: 'It can change' })).toBeUndefined();
  // Only what such an app could have, and has nothing of: it may view the account.
  expect(cannot).toEqual(['Change: Each person’s account', 'Know the password']);
  expect(print.facts['To end it']).toBe(`Sam Student opens ${schools.harbour}/account/apps.`);
  expect(print.queryByRole('form')).toBeUndefined();
});

/** Schools whose sites also have these members. */
function schoolsWith(members: object): SchoolsOptions {
  return {
    wrapPlatform: (platform) => ({
      ...platform,
      findSite: async (origin) => {
        const site = await platform.findSite(origin);
        return site && Object.assign({ ...site }, members);
      },
    }),
  };
}

test.each([
  ...['Asia/Taipeh', '+08:00', '', 'utc\n', 8].map((timeZone) => ({ timeZone })),
  { stylesheet: ['h1{}'] },
  { stylesheet: ' '.repeat(20_001) },
])('a site with %j is a fault', async (members) => {
  schools = await startSchools(schoolsWith(members));
  expect((await open()).response.status).toBe(503);
  expect(String(schools.faults[0]?.cause)).toMatch(
    /it must be (?:an IANA name such as "Asia\/Taipei"|CSS of at most 20000 characters)/,
  );
});
