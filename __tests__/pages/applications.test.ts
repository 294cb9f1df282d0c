import { afterEach, describe, expect, test } from '@jest/globals';
import type { Application, Site } from '../../lib/index.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import { connect } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { allScopes, mayHave } from '../helpers/scopes.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
afterEach(() => schools.close());

const path = '/developers/oauth-applications';
const at = (rest = ''): string => `${schools.harbour}${path}${rest}`;
const site = (): Site => harbourSite(schools.harbour);

const filled = {
  name: 'Study Timer',
  redirect_uris: 'https://timer.example/callback\r\n\r\n http://127.0.0.1/cb ',
  client_uri: '',
  kind: 'confidential',
  scope: ['openid', 'account:read'],
};
type Fields = Readonly<Record<string, string | readonly string[]>>;

function post(browser: Browser, url: string, fields: Fields): Promise<Stop> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
  return browser.follow(url, { method: 'POST', body });
}

async function submit(browser: Browser, url: string, fields: Fields): Promise<Stop> {
  const { html } = await browser.follow(url);
  return post(browser, url, { csrf: csrfOf(html), ...fields });
}

const versionOn = (html: string): string => readPage(html).field('version');
const secretOn = (html: string): string | undefined =>
  readPage(html).queryByRole('textbox', { name: 'Client secret' })?.value;
const idOn = (html: string): string => readPage(html).getByLabelText('Client ID').value;

/** Whether the page says so, where the focus goes. */
const saysSaved = (html: string): boolean =>
  readPage(html)
    .getAllByRole('status', { text: 'Saved.' })
    .some((message) => message.attribute('tabindex') === '-1');

describe('access to the pages of OAuth applications', () => {
  test('a signed-out visitor is redirected to sign-in, which returns to the same page', async () => {
    schools = await startSchools();
    const { url } = await schools.browser().follow(at('/new?x=1'));
    expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/sign-in', at('/new?x=1')]);
  });

  test.each(['sam', 'nora', 'stranger'])('%s is not an operator: 403, and a POST changes nothing', async (person) => {
    schools = await startSchools();
    for (const each of ['', '/new', '/app-x']) {
      const { response, html } = await schools.browser(person).follow(at(each));
      expect([response.status, html.includes('You don’t have access to this page')]).toEqual([403, true]);
    }
    const { response } = await post(schools.browser(person), at('/new'), filled);
    expect(response.status).toBe(403);
    expect(await schools.campus.applications.list(site())).toEqual([]);
  });

  test('404 for an operator while the site has connectionsEnabled false', async () => {
    schools = await startSchools({
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => {
          const found = await platform.findSite(origin);
          return found && { ...found, connectionsEnabled: false };
        },
      }),
    });
    const { response, html } = await schools.browser('olivia').follow(at());
    expect([response.status, html.includes('not enabled')]).toEqual([404, true]);
  });
});

describe('every page of OAuth applications', () => {
  test('has security headers against frames, caches and referrers, and a CSP that allows only our copy script', async () => {
    schools = await startSchools();
    const { application } = await schools.campus.applications.create(site(), {
      clientName: 'a',
      redirectUris: ['https://a.example/'],
      scopes: ['openid'],
      confidential: true,
    });
    for (const each of ['', '/new', `/${application.clientId}`, `/${application.clientId}?confirm=remove`]) {
      const { response, html } = await schools.browser('olivia').follow(at(each));
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;.*frame-ancestors 'none'$/);
      expect(policy).not.toMatch(/unsafe|'self'/);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      expect(html).not.toMatch(/<script(?! src="\/oauth\/pages\.js")|\son\w+=|style="/);
    }
    const script = await fetch(`${schools.harbour}/oauth/pages.js`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  });
});

describe('a new application', () => {
  test('is created; its client secret is shown only once', async () => {
    schools = await startSchools();
    const browser = schools.browser('olivia');
    const { response, html } = await submit(browser, at('/new'), filled);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const secret = secretOn(html) ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    const [application] = await schools.campus.applications.list(site());
    expect(application).toMatchObject({
      clientId: idOn(html),
      clientName: 'Study Timer',
      redirectUris: ['https://timer.example/callback', 'http://127.0.0.1/cb'],
      scopes: ['openid', 'account:read'],
      confidential: true,
    });
    for (const each of ['', `/${idOn(html)}`]) expect((await browser.follow(at(each))).html).not.toContain(secret);
  });

  test('that is public has no client secret', async () => {
    schools = await startSchools();
    const { html } = await submit(schools.browser('olivia'), at('/new'), { ...filled, kind: 'public' });
    expect(secretOn(html)).toBeUndefined();
    expect(html).toContain('PKCE');
  });

  test('is created once when its form is submitted several times', async () => {
    schools = await startSchools();
    const browser = schools.browser('olivia');
    const csrf = csrfOf((await browser.follow(at('/new'))).html);
    const stops = await Promise.all([1, 2, 3].map(() => post(browser, at('/new'), { ...filled, csrf })));
    const [application] = await schools.campus.applications.list(site());
    expect(await schools.campus.applications.list(site())).toHaveLength(1);
    // All of them lead to one page, which shows the secret once.
    expect(new Set(stops.map(({ url }) => url.href)).size).toBe(1);
    expect(stops.map(({ html }) => idOn(html))).toEqual(Array(3).fill(application?.clientId));
    expect(stops.filter(({ html }) => secretOn(html) !== undefined)).toHaveLength(1);
  });

  test.each<[string, Fields]>([
    ['without a CSRF token', filled],
    ['with a forged CSRF token', { ...filled, csrf: '9999999999.x.y' }],
  ])('%s is not created', async (_name, fields) => {
    schools = await startSchools();
    const { response, html } = await post(schools.browser('olivia'), at('/new'), fields);
    expect([response.status, html.includes('Reload the page')]).toEqual([400, true]);
    expect(await schools.campus.applications.list(site())).toEqual([]);
  });

  test('with the CSRF token of another member, school or page is not created', async () => {
    schools = await startSchools();
    const [harbour, summit] = [schools.people['harbour'], schools.people['summit']];
    if (harbour?.['olivia'] && summit) {
      harbour['second'] = { ...harbour['olivia'], id: 'second' };
      summit['olivia'] = harbour['olivia'];
    }
    const tokens = await Promise.all([
      schools.browser('second').follow(at('/new')),
      schools.browser('olivia').follow(`${schools.summit}${path}/new`),
    ]);
    for (const { html } of tokens) {
      const { response } = await post(schools.browser('olivia'), at('/new'), { ...filled, csrf: csrfOf(html) });
      expect(response.status).toBe(400);
    }
    expect(await schools.campus.applications.list(site())).toEqual([]);
  });

  test('with problems is not created: each problem is shown beside its field, and the input is preserved', async () => {
    schools = await startSchools();
    const wrong = {
      name: ' ',
      redirect_uris: 'ftp://"x"',
      client_uri: 'timer',
      kind: '',
      scope: ['account:write', 'orders:read', 'zzz'],
    };
    const { response, html } = await submit(schools.browser('olivia'), at('/new'), wrong);
    expect(response.status).toBe(400);
    const form = readPage(html);
    const alert = form.getByRole('alert');
    expect([alert.attribute('tabindex'), alert.attribute('autofocus')]).toEqual(['-1', '']);
    alert.getByRole('heading', { name: 'There are 5 problems with your entries' });
    const described = {
      Name: /^Enter a name\. ./,
      'Redirect URIs': /can’t have\. .*\. ./,
      'Website optional': /^Enter an address .*\. ./,
    };
    for (const [label, problemAndHint] of Object.entries(described)) {
      const field = form.getByLabelText(label);
      expect([field.attribute('aria-invalid'), field.description]).toEqual([
        'true',
        expect.stringMatching(problemAndHint),
      ]);
    }
    expect(form.getByLabelText('Redirect URIs').value).toBe('ftp://"x"');
    expect(form.getByLabelText('Redirect URIs').description).toContain(
      'ftp://"x" has a character that an address can’t have. Remove it, or write it percent-encoded.',
    );
    expect(form.getByLabelText('Website optional').value).toBe('timer');
    // A scope of the Admin API, which member clients never get, is not on the form.
    expect(alert.text).toContain('An app of this kind can’t have the permission orders:read.');
    expect(scopesOn(html)).not.toContain('orders:read');
    expect(form.fields.getAll('scope')).toEqual(['account:write']);
    expect(await schools.campus.applications.list(site())).toEqual([]);
  });
});

/** The scopes that can be ticked. */
const scopesOn = (html: string): string[] =>
  readPage(html)
    .getAllByRole('checkbox')
    .filter((box) => box.attribute('name') === 'scope')
    .map(({ value }) => value);

describe('a new application for operators', () => {
  const fields = { ...filled, scope: ['openid', 'courses:read', 'courses:write'] };

  test('starts at its own link on the list, beside the one for members', async () => {
    schools = await startSchools();
    const { html } = await schools.browser('olivia').follow(at());
    for (const audience of ['member', 'operator']) {
      const link = readPage(html).getByRole('link', { name: new RegExp(`^App for ${audience}s`) });
      expect(link.href).toBe(`${path}/new?audience=${audience}`);
      expect(link.name).toMatch(/only operators connect it$|to their own account$/);
    }
  });

  test.each([
    ['?audience=operator', 'operator'],
    ['', 'member'],
    ['?audience=member', 'member'],
    ['?audience=admin', 'member'],
    ['?audience=operator&audience=member', 'member'],
  ] as const)('/new%s offers the scopes of audience %s, and says for whom it is', async (query, audience) => {
    schools = await startSchools();
    const { html } = await schools.browser('olivia').follow(at(`/new${query}`));
    expect(scopesOn(html).sort()).toEqual(allScopes.filter((scope) => mayHave(audience, scope)).sort());
    readPage(html).getByRole('heading', { name: `New app for ${audience}s`, level: 1 });
    expect(readPage(html).getByRole('form').attribute('action')).toBe(`${path}/new?audience=${audience}`);
    expect(html.includes('Only operators can connect it.')).toBe(audience === 'operator');
  });

  test('is created for operators; the list and its own page say so', async () => {
    schools = await startSchools();
    const browser = schools.browser('olivia');
    const { html } = await submit(browser, at('/new?audience=operator'), fields);
    const id = idOn(html);
    expect(await schools.campus.applications.list(site())).toMatchObject([
      { clientId: id, audience: 'operator', scopes: fields.scope, confidential: true },
    ]);
    const client = {
      id,
      secret: secretOn(html) ?? '',
      redirectUri: 'https://timer.example/callback',
      scope: 'courses:write',
    };
    expect((await connect(schools.browser('olivia'), schools.harbour, client)).body['scope']).toBe('courses:write');
    const list = await browser.follow(at());
    readPage(list.html).getByRole('row', { text: /^S Study Timer App for operators · on a server Allowed/ });
    const own = await browser.follow(at(`/${id}`));
    readPage(own.html).getByText(/^App for operators · on a server · created by/);
    expect(readPage(own.html).fields.getAll('scope')).toEqual(fields.scope);
    expect(own.html).not.toContain('account:read');
  });

  test('with a problem is still one for operators, with what was ticked', async () => {
    schools = await startSchools();
    const browser = schools.browser('olivia');
    const failed = await submit(browser, at('/new?audience=operator'), { ...fields, name: '' });
    expect([failed.response.status, failed.url.search]).toEqual([400, '?audience=operator']);
    const form = readPage(failed.html);
    form.getByRole('heading', { name: 'New app for operators', level: 1 });
    expect(form.fields.getAll('scope')).toEqual(fields.scope);
    const action = form.getByRole('form').attribute('action') ?? '';
    await post(browser, schools.harbour + action, { ...fields, csrf: csrfOf(failed.html) });
    expect(await schools.campus.applications.list(site())).toMatchObject([{ audience: 'operator' }]);
  });

  test('whose form has expired is still one for operators after "Reload the page" and after sign-in', async () => {
    schools = await startSchools();
    const url = at('/new?audience=operator');
    const { html } = await post(schools.browser('olivia'), url, fields);
    expect(readPage(html).getByRole('link', { name: 'Reload the page' }).href).toBe(url);
    const { url: signIn } = await post(schools.browser(), url, fields);
    expect(signIn.searchParams.get('return_to')).toBe(url);
  });

  test.each<[string, string, Fields]>([
    ['one for members with scopes of the Admin API', '?audience=member', fields],
    ['one without an audience with scopes of the Admin API', '', fields],
    ['an audience in the form instead of the address', '', { ...fields, audience: 'operator' }],
    ['one for operators with account:read', '?audience=operator', { ...fields, scope: ['openid', 'account:read'] }],
  ])('is not made by a form that was tampered with: %s', async (_name, query, tampered) => {
    schools = await startSchools();
    const { response, html } = await submit(schools.browser('olivia'), at(`/new${query}`), tampered);
    expect([response.status, html.includes('An app of this kind can’t have')]).toEqual([400, true]);
    expect(await schools.campus.applications.list(site())).toEqual([]);
  });
});

describe('an existing application', () => {
  async function withOne(): Promise<{ browser: Browser; id: string; secret: string }> {
    schools = await startSchools();
    const browser = schools.browser('olivia');
    const { html } = await submit(browser, at('/new'), filled);
    return { browser, id: idOn(html), secret: secretOn(html) ?? '' };
  }

  test('is updated', async () => {
    const { browser, id } = await withOne();
    const { html } = await submit(browser, at(`/${id}`), { ...filled, action: 'save', name: 'Timer <2>' });
    expect(saysSaved(html)).toBe(true);
    readPage(html).getByRole('heading', { name: 'Timer <2>', level: 1 });
    expect(await schools.campus.applications.find(site(), id)).toMatchObject({
      clientName: 'Timer <2>',
      confidential: true,
    });
  });

  test.each([
    ['', { audience: 'operator', scope: ['openid', 'courses:write'] }],
    ['?audience=operator', { scope: ['openid', 'courses:write'] }],
  ])('keeps its audience and its scopes, whatever is posted: %s %j', async (query, tampered) => {
    const { browser, id } = await withOne();
    const csrf = csrfOf((await browser.follow(at(`/${id}`))).html);
    const { html } = await post(browser, at(`/${id}${query}`), { ...filled, action: 'save', csrf, ...tampered });
    expect(readPage(html).getByRole('alert').text).toContain(
      'An app of this kind can’t have the permission courses:write.',
    );
    expect(await schools.campus.applications.find(site(), id)).toMatchObject({
      audience: 'member',
      scopes: filled.scope,
    });
  });

  test('keeps the secret that another operator has just made: the second form shows a conflict', async () => {
    const { id, browser } = await withOne();
    const form = async (): Promise<Record<string, string>> => {
      const { html } = await browser.follow(at(`/${id}?confirm=rotate`));
      return { csrf: csrfOf(html), action: 'rotate', version: versionOn(html) };
    };
    const [first, second] = [await form(), await form()];
    expect(secretOn((await post(browser, at(`/${id}`), first)).html)).toMatch(/^[\w-]{43}$/);
    const { response, html } = await post(browser, at(`/${id}`), second);
    expect([response.status, html]).toEqual([409, expect.stringContaining('This has changed')]);
  });

  test('gets its secret rotated once per form, even when the form is submitted twice', async () => {
    const { browser, id, secret } = await withOne();
    const page = await browser.follow(at(`/${id}?confirm=rotate`));
    const form = { csrf: csrfOf(page.html), version: versionOn(page.html), action: 'rotate' };
    const first = await post(browser, at(`/${id}`), form);
    expect(secretOn(first.html)).toMatch(/^[\w-]{43}$/);
    expect(secretOn(first.html)).not.toBe(secret);
    const second = await post(browser, at(`/${id}`), form);
    expect([second.url.href, secretOn(second.html)]).toEqual([first.url.href, undefined]);
    expect(second.html).toContain('so it can’t be shown again');
  });

  test('is removed together with its connections, after a confirmation that counts the connected people', async () => {
    const { browser, id, secret } = await withOne();
    const client = { id, secret, redirectUri: 'https://timer.example/callback', scope: 'openid account:read' };
    for (const person of ['sam', 'olivia']) await connect(schools.browser(person), schools.harbour, client);
    expect(await schools.campus.applications.connections(site(), id)).toBe(2);
    const page = await browser.follow(at(`/${id}?confirm=remove`));
    expect(page.html).toContain('2 people are disconnected right away');
    const fields = { csrf: csrfOf(page.html), version: readPage(page.html).field('version'), action: 'remove' };
    const { html, url } = await post(browser, at(`/${id}`), fields);
    expect([url.pathname, html.includes('2 connections have ended')]).toEqual([path, true]);
    expect((await post(browser, at(`/${id}`), fields)).response.status).toBe(404);
  });

  test('is 404 when it belongs to another school, is a static client, or does not exist', async () => {
    const { id } = await withOne();
    const { people, summit } = schools;
    if (people['harbour']?.['olivia'] && people['summit']) people['summit']['olivia'] = people['harbour']['olivia'];
    expect((await schools.browser('olivia').follow(`${summit}${path}/${id}`)).response.status).toBe(404);
    for (const each of ['reports', 'app-none', '%3Cscript%3E']) {
      expect((await schools.browser('olivia').follow(at(`/${each}`))).response.status).toBe(404);
    }
  });
});

describe('an application that two operators edit', () => {
  const edited = { action: 'save', ...filled, kind: [] };
  let id: string;
  let open: { readonly csrf: string; readonly version: string };
  async function start(): Promise<Browser> {
    schools = await startSchools();
    const browser = schools.browser('olivia');
    id = idOn((await submit(browser, at('/new'), filled)).html);
    const { html } = await browser.follow(at(`/${id}`));
    open = { csrf: csrfOf(html), version: versionOn(html) };
    return browser;
  }
  const change = (changes: Partial<Application>): Promise<Application> =>
    schools.campus.applications.update(site(), id, changes);
  const stored = async (): Promise<Application | undefined> => schools.campus.applications.find(site(), id);

  test('shows the second one what the first has saved, keeps what was entered, and saves it when asked again', async () => {
    const browser = await start();
    await change({ clientName: 'First <b>name</b>', scopes: ['openid', 'profile'] });
    const { response, html } = await post(browser, at(`/${id}`), { ...edited, ...open, name: 'Second name' });
    expect(response.status).toBe(409);
    const form = readPage(html);
    const alert = form.getByRole('alert');
    expect(alert.text).toMatch(/^This has changed in the meantime/);
    expect(alert.getAllByRole('columnheader').map(({ text }) => text)).toEqual(['Settings', 'Saved now', 'Yours']);
    const [row] = alert.getAllByRole('row').slice(1);
    expect(row?.getAllByRole('cell').map(({ text }) => text)).toEqual(['Name', 'First <b>name</b>', 'Second name']);
    expect(form.getByLabelText('Name').value).toBe('Second name');
    expect(alert.getAllByRole('link').map(({ name }) => name)).toEqual(['Name', 'Permissions it can request']);
    expect(await stored()).toMatchObject({ clientName: 'First <b>name</b>', scopes: ['openid', 'profile'] });

    const again = { ...edited, csrf: csrfOf(html), version: versionOn(html), name: 'Second name' };
    const saved = await post(browser, at(`/${id}`), again);
    expect(saysSaved(saved.html)).toBe(true);
    expect(await stored()).toMatchObject({ clientName: 'Second name', scopes: ['openid', 'account:read'] });
  });

  test('reads a field of spaces only if it is short, and shows its lines', async () => {
    const browser = await start();
    await change({ redirectUris: ['https://timer.example/first'] });
    const redirect_uris = `https://timer.example/a${' '.repeat(20_000)}\r\n \r\n https://timer.example/b`;
    const { response, html } = await post(browser, at(`/${id}`), { ...edited, ...open, redirect_uris });
    expect(response.status).toBe(409);
    expect(readPage(html).getByRole('alert').text).toContain('https://timer.example/a https://timer.example/b');
    const long = await post(browser, at(`/${id}`), { ...edited, ...open, redirect_uris: ' '.repeat(62_000) });
    expect(long.response.status).toBe(400);
  });

  test('shows it in the language of the second one', async () => {
    const browser = await start();
    await change({ clientName: 'First' });
    const body = new URLSearchParams({ ...open, action: 'save', name: 'Second', redirect_uris: filled.redirect_uris });
    body.append('scope', 'openid');
    const headers = { 'accept-language': 'zh-Hant' };
    const { html } = await browser.follow(at(`/${id}`), { method: 'POST', body, headers });
    expect(html).toContain('內容已有變更');
  });

  test('says so when both have saved the same, or the secret alone is new', async () => {
    const browser = await start();
    await schools.campus.applications.rotateSecret(site(), id);
    const { response, html } = await post(browser, at(`/${id}`), { ...edited, ...open });
    expect([response.status, html.includes('the same as what is saved now')]).toEqual([409, true]);
  });

  test('notices the other version after a problem in the form was corrected, too', async () => {
    const browser = await start();
    await change({ clientName: 'First' });
    const wrong = await post(browser, at(`/${id}`), { ...edited, ...open, name: '' });
    expect([wrong.response.status, versionOn(wrong.html)]).toEqual([400, open.version]);
    const right = { ...edited, csrf: csrfOf(wrong.html), version: versionOn(wrong.html), name: 'Second' };
    expect((await post(browser, at(`/${id}`), right)).response.status).toBe(409);
    expect((await stored())?.clientName).toBe('First');
  });

  test('of several forms submitted at once one is saved, and the others are told', async () => {
    const browser = await start();
    const names = ['A', 'B', 'C', 'D'];
    const stops = await Promise.all(names.map((name) => post(browser, at(`/${id}`), { ...edited, ...open, name })));
    const saved = names.filter((_, i) => saysSaved(stops[i]?.html ?? ''));
    expect(saved).toEqual([(await stored())?.clientName]);
    expect(stops.filter(({ response }) => response.status === 409)).toHaveLength(names.length - 1);
  });

  test('is missing, not saved, when the other one has removed it', async () => {
    const browser = await start();
    await schools.campus.applications.remove(site(), id);
    expect((await post(browser, at(`/${id}`), { ...edited, ...open })).response.status).toBe(404);
    expect(await schools.campus.applications.list(site())).toEqual([]);
  });
});
