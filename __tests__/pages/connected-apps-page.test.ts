import { afterEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import { csrfOf, type Stop } from '../helpers/browser.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { connect, memberApp, refresh, userinfo, webMemberApp } from '../helpers/flow.ts';
import { type Part, readPage } from '../helpers/page.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
afterEach(async () => {
  resetClock();
  await schools.close();
});

const path = '/account/connected-apps';

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

/** Submits a form of a page, with the fields that the person filled in. */
async function post(at: string, fields: Record<string, string> | URLSearchParams, person = 'sam'): Promise<Stop> {
  const browser = schools.browser(person);
  const { html } = await browser.follow(schools.harbour + path);
  const body = new URLSearchParams(fields);
  body.set('csrf', readPage(html).fields.get('csrf') ?? '');
  return browser.follow(schools.harbour + at, { method: 'POST', body });
}

const status = async (token: unknown): Promise<number> => (await userinfo(schools.harbour, token)).status;
const idOf = (page: string): string => page.slice(path.length + 1);
const notice = (html: string): string => readPage(html).queryByRole('status')?.text ?? '';

/** The items of the list of devices: each has a button to sign it out. */
const devicesIn = (html: string): Part[] =>
  readPage(html)
    .getAllByRole('listitem')
    .filter((item) => item.queryByRole('button', { name: /^Sign out this device/ }));
const factsOf = (device: Part | undefined): string | undefined => device?.getByRole('paragraph').text;
const deviceIds = (html: string): string[] => devicesIn(html).map((device) => device.getByRole('button').value);
const deviceFacts = /^Last active: .+ Signed in: .+, from the address 127\.0\.0\.1$/;
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

  test('disconnects one app immediately; the message names it and has the focus', async () => {
    schools = await startSchools();
    const pocket = await connected();
    const buddy = await connected(webMemberApp);
    const { html } = await post(path, { action: 'end', id: idOf(pocket.page) });
    expect(notice(html)).toBe('Pocket School was disconnected. It can no longer use your account.');
    const message = readPage(html).getByRole('status');
    expect([message.attribute('tabindex'), message.attribute('autofocus')]).toEqual(['-1', '']);
    const left = readPage(html).getAllByRole('button', { name: /^Disconnect / });
    expect(left.map(({ name }) => name)).toEqual([expect.stringContaining('Study Buddy')]);
    expect(html).not.toContain(`value="${idOf(pocket.page)}"`);
    expect([await status(pocket.token), await status(buddy.token)]).toEqual([401, 200]);
    const again = await post(path, { action: 'end', id: idOf(pocket.page) });
    expect(notice(again.html)).toBe('This app was already disconnected.');
  });

  test('disconnects all apps after a confirmation', async () => {
    schools = await startSchools();
    const pocket = await connected();
    const buddy = await connected(webMemberApp);
    const { html } = await open(`${path}?confirm=all`);
    expect(html).toContain('2 apps lose');
    expect(await status(pocket.token)).toBe(200);
    expect(notice((await post(path, { action: 'end-all' })).html)).toContain('2 apps were disconnected.');
    expect([await status(pocket.token), await status(buddy.token)]).toEqual([401, 401]);
  });

  test('believes no message that it did not write itself', async () => {
    schools = await startSchools();
    const pocket = await connected();
    const { url } = await post(path, { action: 'end', id: idOf(pocket.page) });
    expect(notice((await open(path + url.search)).html)).not.toBe('');
    const forged = new URLSearchParams(url.search);
    forged.set('name', 'Your bank');
    const proof = forged.get('proof') ?? '';
    for (const query of [
      '?ended=999999999',
      '?count=999999999',
      '?id=x&name=Your+bank',
      `?count=999999999&proof=${proof}`,
      `?${forged.toString()}`,
      `?id=a&id=b&name=c&proof=${proof}`,
    ]) {
      expect([query, notice((await open(path + query)).html)]).toEqual([query, '']);
    }
    // Of another person, and after it was connected again.
    expect(notice((await open(path + url.search, 'olivia')).html)).toBe('');
    await connected();
    expect(notice((await open(path + url.search)).html)).toBe('');
  });

  test('rejects a form with another member’s CSRF token, or with none', async () => {
    schools = await startSchools();
    const pocket = await connected();
    await connect(schools.browser('olivia'), schools.harbour, memberApp);
    const { html } = await open(path, 'olivia');
    for (const csrf of [csrfOf(html), '']) {
      for (const [at, fields] of [
        [path, { action: 'end-all' }],
        [path, { action: 'end', id: idOf(pocket.page) }],
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
      'What it can use': 'Your own account',
      'First allowed': nextDay(evening),
      'Last active': nextDay(evening + 2 * day),
      'Access ends': nextDay(evening + 180 * day),
    });
    const seen = readPage(html).getByRole('group', { name: 'It always sees 4 details about you' });
    seen.getByRole('heading', { name: 'It always sees 4 details about you', level: 2 });
    readPage((await open(path)).html).getByRole('listitem', { text: /Last active: \w/ });
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
    expect(all.html).toContain('You haven’t given it any other permissions.');
    expect(all.html).toContain('It always sees');
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
      ['account:write', false],
      ['account:read', false],
    ]);
    const { body } = await refresh(schools.harbour, memberApp, refreshToken);
    expect(body['scope']).toBe('account:read account:write');
  });

  test('has the devices, with the last use and what the log knows of the sign-in, and signs one of them out', async () => {
    const events: AuditEvent[] = [];
    schools = await startSchools({ campus: { pages: { recentEvents: () => events } } });
    schools.campus.events.on('audit', (event) => events.unshift(event));
    const { page, token } = await connected();
    const other = await connected();
    const before = await open(page);
    const facts = devicesIn(before.html).map(factsOf);
    expect(facts).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(deviceFacts)));
    events.length = 0;
    expect(factsOf(devicesIn((await open(page)).html)[0])).toMatch(/^Last active: (?!.*Signed in)./);
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
    expect([last.url.pathname, notice(last.html)]).toEqual([
      path,
      'Pocket School was disconnected. It can no longer use your account.',
    ]);
  });

  test('says what happened last with this app, to this person alone, without the names of others', async () => {
    const events: AuditEvent[] = [];
    schools = await startSchools({ campus: { pages: { recentEvents: () => events } } });
    schools.campus.events.on('audit', (event) => events.unshift(event));
    const { page } = await connected();
    await connected(webMemberApp);
    await connect(schools.browser('olivia'), schools.harbour, memberApp);
    const [granted] = events;
    const actor = { kind: 'operator', id: 'olivia' } as const;
    if (granted) events.unshift({ ...granted, action: 'request.granted', memberId: 'sam', actor });
    await post(page, { scope: 'account:read' });
    expect(activityIn((await open(page)).html)).toEqual([
      'Sam Student took permissions away from Pocket School',
      'An operator granted the request of Sam Student for Pocket School',
      'Pocket School signed in for Sam Student',
      'Sam Student allowed Pocket School all that it asked for',
    ]);
    const { html } = await open(page);
    const without = readPage(html).getByText(/^Permissions it did not get Mark your notifications as read/);
    without.getByRole('heading', { name: 'Permissions it did not get', level: 2 });
    without.getByRole('listitem', { text: /^Mark your notifications as read/ });
  });

  test('is 404 for a connection of another person, of another school, and for none; nothing can be changed there', async () => {
    schools = await startSchools();
    const { page, token } = await connected();
    await connect(schools.browser('olivia'), schools.harbour, memberApp);
    for (const at of [page, `${path}/nothing`, `${path}/${'x'.repeat(2000)}`]) {
      const { response, html } = await open(at, 'olivia');
      expect(response.status).toBe(404);
      expect(readPage(html).getByRole('link', { name: 'All connected apps' }).href).toBe('/account/connected-apps');
      expect((await post(at, {}, 'olivia')).response.status).toBe(404);
    }
    expect((await schools.browser('sam').follow(schools.summit + page)).response.status).toBe(404);
    expect(notice((await post(path, { action: 'end', id: idOf(page) }, 'olivia')).html)).toContain('already');
    expect(await status(token)).toBe(200);
  });
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
