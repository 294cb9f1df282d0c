import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Site } from '../../lib/index.ts';
import { InvalidApplication } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { connect } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { plugins, type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
afterEach(async () => {
  resetClock();
  await schools.close();
});

async function start(options: SchoolsOptions = {}): Promise<void> {
  schools = await startSchools({ ...plugins, ...options });
}

const console = '/developers/oauth-applications';
const asks = '/account/apps/requests';
const site = (): Site => harbourSite(schools.harbour);
const summit = (): Site => ({ ...site(), id: 'summit', origin: schools.summit, name: 'Summit School' });
const callback = 'https://chat.example/callback';
const chat = { app: 'libre-chat', clientName: 'LibreChat', redirectUris: [callback] } as const;

type Fields = Readonly<Record<string, string | readonly string[]>>;

function post(browser: Browser, path: string, fields: Fields): Promise<Stop> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
  return browser.follow(schools.harbour + path, { method: 'POST', body });
}

async function submit(browser: Browser, path: string, fields: Fields): Promise<Stop> {
  const { html } = await browser.follow(schools.harbour + path);
  return post(browser, path, { ...hiddenIn(html), ...fields });
}

/** What a form carries of the page: its token, and which version of a request it is for. */
function hiddenIn(html: string): { readonly csrf: string; readonly version: string } {
  const { fields } = readPage(html);
  const sent = ['id', 'shown', 'decision'].flatMap((name) =>
    fields.has(name) ? [[name, fields.get(name) ?? '']] : [],
  );
  return { csrf: csrfOf(html), version: fields.get('version') ?? '', ...Object.fromEntries(sent) };
}

const hrefsOn = (html: string): string[] =>
  readPage(html)
    .getAllByRole('link')
    .map(({ href }) => href);

const list = (of: Site = site()) => schools.campus.requests.list(of);
const ask = (memberId: string) => schools.campus.requests.ask(site(), memberId, chat);

describe('a member', () => {
  test('asks, an administrator creates the application from it, and the member connects with its client ID', async () => {
    const access = { scopes: ['account:read'] } as const;
    await start({ mcp: { tools: [{ name: 'my_courses', description: 'A tool.', access, run: () => 'done' }] } });
    const [sam, olivia] = [schools.browser('sam'), schools.browser('olivia')];
    const { html: assistants } = await sam.follow(`${schools.harbour}/mcp/member`);
    expect(hrefsOn(assistants)).toContain(`${asks}?view=new&app=claude`);
    const path = `${asks}?view=new&app=libre-chat`;
    const { html: sent } = await submit(sam, path, { action: 'ask', note: 'Chess club' });
    expect(sent).toContain('You’ll see the answer in Your apps');
    expect(sent).toContain('Needs approval');

    const { html: applications } = await olivia.follow(schools.harbour + console);
    expect(applications).not.toContain('asks for an application');
    const { html: asked } = await olivia.follow(`${schools.harbour}${console}/asked`);
    for (const text of ['LibreChat', 'Sam Student', 'student', 'sam@example.com', 'Chess club']) {
      expect(asked).toContain(text);
    }
    const form = hrefsOn(asked).find((href) => /new.+request=/.test(href)) ?? '';
    const filled = readPage((await olivia.follow(schools.harbour + form)).html);
    const ticked = filled.fields.getAll('scope');
    expect(ticked).toEqual(['openid', 'profile', 'email', 'account:read']);
    expect(filled.getByLabelText('Name').value).toBe('LibreChat');
    // Whoever asks does not know that.
    expect(filled.getByLabelText('Redirect URIs').value).toBe('');
    const created = await submit(olivia, form, {
      name: 'LibreChat',
      redirect_uris: callback,
      client_uri: '',
      kind: 'confidential',
      scope: ticked,
    });
    const secret = readPage(created.html).getByLabelText('Client secret').value;

    expect(secret).toMatch(/^[\w-]{43}$/);
    const { html: ready } = await sam.follow(schools.harbour + asks);
    const id = readPage(ready).facts['Client ID'] ?? '';
    expect(ready).toContain(`${schools.harbour}/mcp/member`);
    expect(ready).not.toContain(secret);
    const { body } = await connect(sam, schools.harbour, {
      id,
      secret,
      redirectUri: callback,
      scope: ticked.join(' '),
    });
    expect(body['scope']).toBe(ticked.join(' '));
    expect(await list()).toMatchObject([{ status: 'granted', clientId: id, memberId: 'sam', app: 'libre-chat' }]);
  });

  test('connects after one press of an administrator: no form, no secret', async () => {
    await start();
    await ask('sam');
    const [sam, olivia] = [schools.browser('sam'), schools.browser('olivia')];
    const page = await olivia.follow(`${schools.harbour}${console}/asked`);
    expect(readPage(page.html).getByRole('button', { name: /^Approve .*LibreChat/ }).description).toMatch(
      /without a secret/,
    );
    const approving = { ...hiddenIn(page.html), action: 'create' };
    const { html } = await post(olivia, `${console}/asked`, approving);
    expect(readPage(html).getByRole('status').text).toContain('LibreChat is approved.');
    const [granted] = await list();
    expect(granted).toMatchObject({ status: 'granted', memberId: 'sam' });
    const clientId = granted?.clientId ?? '';
    const application = await schools.campus.applications.find(site(), clientId);
    expect(application).toMatchObject({ confidential: false, createdBy: 'olivia', redirectUris: [callback] });
    const { body } = await connect(sam, schools.harbour, { id: clientId, redirectUri: callback, scope: 'openid' });
    expect(body['scope']).toBe('openid');
    // Pressed again: nothing is made twice.
    expect((await post(olivia, `${console}/asked`, approving)).response.status).toBe(409);
    expect(await schools.campus.applications.list(site())).toHaveLength(1);
    expect((await post(sam, `${console}/asked`, approving)).response.status).toBe(403);
  });

  test('finds why an administrator declined, removes that, and can ask again', async () => {
    await start();
    const { id } = await ask('sam');
    const { html } = await submit(schools.browser('olivia'), `${console}/asked`, {
      action: 'decline',
      answer: 'Use <b>Claude</b>',
    });
    expect(readPage(html).getByRole('status').text).toBe(
      'LibreChat is declined. The person sees your answer in Your apps.',
    );
    const sam = schools.browser('sam');
    const { html: declined } = await sam.follow(schools.harbour + asks);
    expect(readPage(declined).text).toContain('Use <b>Claude</b>');
    expect((await submit(sam, asks, { action: 'withdraw', id })).html).toContain('The request was removed');
    expect(await list()).toEqual([]);
    expect(await ask('sam')).toMatchObject({ id, status: 'open' });
  });

  test('has one request for each app; asking again changes it', async () => {
    await start();
    const sam = schools.browser('sam');
    for (const note of ['One', 'Two']) await submit(sam, `${asks}?app=claude`, { action: 'ask', note });
    await submit(sam, asks, { action: 'ask', app: 'other', name: 'My bot' });
    const asked = (await list()).map(({ app, clientName, note }) => [app, `${clientName}: ${note}`]);
    expect(Object.fromEntries(asked)).toEqual({ claude: 'Claude: Two', other: 'My bot: ' });
  });

  test('is shown what is wrong, and nothing is stored', async () => {
    await start();
    const { response, html } = await submit(schools.browser('sam'), asks, {
      action: 'ask',
      app: 'other',
      name: 'a\u202Eb',
      note: 'Chess',
    });
    expect(response.status).toBe(400);
    expect(readPage(html).getByRole('alert').text).toContain('invisible characters');
    expect(readPage(html).field('note').trim()).toBe('Chess');
    const none = await submit(schools.browser('sam'), asks, { action: 'ask', app: '' });
    expect(readPage(none.html).getByRole('alert').text).toBe('Choose an app.');
    expect(await list()).toEqual([]);
  });

  test('sees that the application was removed', async () => {
    await start();
    const { application } = await schools.campus.applications.create(site(), {
      clientName: 'LibreChat',
      redirectUris: [callback],
      scopes: ['openid'],
      confidential: false,
    });
    await schools.campus.requests.grant(site(), (await ask('sam')).id, application.clientId);
    await schools.campus.applications.remove(site(), application.clientId);
    const { html } = await schools.browser('sam').follow(schools.harbour + asks);
    expect(html).toContain('The school has removed the app since');
    expect(html).not.toContain(application.clientId);
  });
});

describe('nobody else', () => {
  test('a form without the token of this member changes nothing', async () => {
    await start();
    const { id } = await ask('sam');
    const { html } = await schools.browser('olivia').follow(schools.harbour + asks);
    for (const csrf of [csrfOf(html), '', 'x.y.z']) {
      const { response } = await post(schools.browser('sam'), asks, { csrf, action: 'withdraw', id });
      expect(response.status).toBe(400);
    }
    expect(await list()).toMatchObject([{ status: 'open' }]);
  });

  test('sees or withdraws the request of another member', async () => {
    await start();
    const { id } = await ask('sam');
    const olivia = schools.browser('olivia');
    expect((await olivia.follow(schools.harbour + asks)).html).not.toContain('LibreChat</bdi>');
    await submit(olivia, asks, { action: 'withdraw', id });
    expect(await list()).toHaveLength(1);
  });

  test.each(['sam', 'nora'])('%s decides on requests: 403', async (person) => {
    await start();
    const { id } = await ask('sam');
    const { response } = await post(schools.browser(person), `${console}/asked`, { id, answer: '' });
    expect(response.status).toBe(403);
    expect((await schools.browser(person).follow(`${schools.harbour}${console}/asked`)).response.status).toBe(403);
    expect(await list()).toMatchObject([{ status: 'open' }]);
  });

  test('a request of one school is unknown at another', async () => {
    await start();
    const { id } = await ask('sam');
    expect(await list(summit())).toEqual([]);
    await expect(schools.campus.requests.decline(summit(), id)).rejects.toMatchObject({ status: 404 });
    expect(await schools.campus.requests.withdraw(summit(), 'sam', id)).toBe(false);
    expect(await list()).toHaveLength(1);
  });

  test('nora, who has no role, cannot ask', async () => {
    await start();
    const { response } = await schools.browser('nora').follow(schools.harbour + asks);
    expect(response.status).toBe(403);
  });

  test('where applications are not enabled there is no link, page or request', async () => {
    await start({
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => {
          const found = await platform.findSite(origin);
          return found && { ...found, connectionsEnabled: false };
        },
      }),
    });
    const sam = schools.browser('sam');
    expect((await sam.follow(`${schools.harbour}/mcp`)).html).not.toContain(asks);
    expect((await sam.follow(schools.harbour + asks)).response.status).toBe(404);
    const off = { ...site(), connectionsEnabled: false };
    await expect(schools.campus.requests.ask(off, 'sam', chat)).rejects.toMatchObject({ status: 403 });
  });
});

describe('two operators', () => {
  test('the second to decide learns it, and no second application is created', async () => {
    await start();
    const { id } = await ask('sam');
    const form = `${console}/new?request=${id}`;
    const late = schools.browser('olivia');
    const { html } = await late.follow(schools.harbour + form);
    await schools.campus.requests.decline(site(), id, 'No');
    const fields = { name: 'LibreChat', redirect_uris: callback, client_uri: '', kind: 'public', scope: ['openid'] };
    const { response, html: told } = await post(late, form, { ...hiddenIn(html), ...fields });
    expect(response.status).toBe(409);
    expect(told).toContain('This changed after you opened the page');
    expect(await schools.campus.applications.list(site())).toEqual([]);
    const again = await post(late, `${console}/asked`, { ...hiddenIn(html), id, answer: '' });
    expect(again.response.status).toBe(409);
    expect((await late.follow(schools.harbour + form)).response.status).toBe(409);
  });

  test('at the same moment: one decision stands, and a form that is sent twice creates one application', async () => {
    await start();
    const [first, second] = [await ask('sam'), await ask('tess')];
    const { application } = await schools.campus.applications.create(site(), {
      clientName: 'Chat',
      redirectUris: [callback],
      scopes: ['openid'],
      confidential: false,
    });
    const { requests } = schools.campus;
    const outcomes = await Promise.allSettled([
      requests.grant(site(), first.id, application.clientId),
      requests.decline(site(), first.id),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const olivia = schools.browser('olivia');
    const form = `${console}/new?request=${second.id}`;
    const { html } = await olivia.follow(schools.harbour + form);
    const fields = { name: 'LibreChat', redirect_uris: callback, client_uri: '', kind: 'public', scope: ['openid'] };
    for (let i = 0; i < 2; i += 1) {
      expect((await post(olivia, form, { ...hiddenIn(html), ...fields })).response.status).toBe(200);
    }
    expect(await schools.campus.applications.list(site())).toHaveLength(2);
  });
});

describe('a request that changes while an operator has it open', () => {
  const evil = 'https://evil.example/callback';
  const form = async (browser: Browser, path: string): Promise<string> =>
    (await browser.follow(schools.harbour + path)).html;
  const fields = { name: 'LibreChat', redirect_uris: callback, client_uri: '', kind: 'public', scope: ['openid'] };
  const change = (more: object) => schools.campus.requests.ask(site(), 'sam', { ...chat, ...more });

  test('is not granted: 409 with what is asked for now, and after another look it can be', async () => {
    await start();
    const { id } = await ask('sam');
    const olivia = schools.browser('olivia');
    const path = `${console}/new?request=${id}`;
    const shown = hiddenIn(await form(olivia, path));
    await change({ redirectUris: [callback, evil], note: 'Please' });
    const { response, html } = await post(olivia, path, { ...shown, ...fields });
    expect(response.status).toBe(409);
    const alert = readPage(html).getByRole('alert');
    expect(alert.text).toMatch(/^The requests have changed/);
    expect(alert.text).toContain(`Redirect URIs ${callback} ${evil} ${callback}`);
    expect(alert.getAllByRole('link').map(({ name }) => name)).toEqual(['Redirect URIs']);
    expect(readPage(html).getAllByText('Please')).toHaveLength(1);
    expect([await schools.campus.applications.list(site()), await list()]).toMatchObject([[], [{ status: 'open' }]]);
    // What was shown first is not enough, however often it is sent.
    expect((await post(olivia, path, { ...shown, ...fields })).response.status).toBe(409);
    expect((await post(olivia, path, { ...hiddenIn(html), ...fields })).response.status).toBe(200);
    expect(await list()).toMatchObject([{ status: 'granted' }]);
  });

  test('with another note alone is shown again', async () => {
    await start();
    const { id } = await ask('sam');
    const olivia = schools.browser('olivia');
    const path = `${console}/new?request=${id}`;
    const shown = hiddenIn(await form(olivia, path));
    await change({});
    await change({ note: 'Please' });
    const { response, html } = await post(olivia, path, { ...shown, ...fields });
    expect([response.status, html]).toEqual([409, expect.stringContaining('only their reason is another one')]);
  });

  test('is not declined', async () => {
    await start();
    await ask('sam');
    const olivia = schools.browser('olivia');
    const shown = hiddenIn(await form(olivia, `${console}/asked`));
    await change({ redirectUris: [evil] });
    const { response, html } = await post(olivia, `${console}/asked`, { ...shown, action: 'decline', answer: 'No' });
    expect([response.status, html]).toEqual([409, expect.stringContaining('The requests have changed')]);
    expect(await list()).toMatchObject([{ status: 'open' }]);
  });

  test('by one more person is declined after another look, with what was written before', async () => {
    await start();
    await ask('sam');
    const olivia = schools.browser('olivia');
    const shown = hiddenIn(await form(olivia, `${console}/asked`));
    await ask('tess');
    const reason = 'Not "now"';
    const first = await post(olivia, `${console}/asked`, { ...shown, action: 'decline', answer: reason });
    const page = readPage(first.html);
    page.getByRole('navigation', { name: 'Console for administrators' });
    expect([first.response.status, page.getByLabelText(/^Reason, shown/).value]).toEqual([409, reason]);
    expect(page.getByRole('alert').text).toContain('The requests have changed');
    expect(await list()).toMatchObject([{ status: 'open' }, { status: 'open' }]);
    await post(olivia, `${console}/asked`, { ...hiddenIn(first.html), action: 'decline', answer: reason });
    expect(await list()).toMatchObject([{ answer: reason }, { answer: reason }]);
  });

  test('at the moment of the decision leaves no application', async () => {
    const store = memoryStore();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const save: Store['save'] = async (siteId, entry) => {
      const run = entry.kind === 'Client' ? meanwhile : undefined;
      if (run) meanwhile = undefined;
      await run?.();
      return store.save(siteId, entry);
    };
    await start({ campus: { store: { ...store, save } } });
    const { id } = await ask('sam');
    const olivia = schools.browser('olivia');
    const path = `${console}/new?request=${id}`;
    const shown = hiddenIn(await form(olivia, path));
    meanwhile = () => change({ redirectUris: [evil] });
    const { response, html } = await post(olivia, path, { ...shown, ...fields });
    expect(response.status).toBe(409);
    expect(readPage(html).getByRole('alert').text).toContain(`Redirect URIs ${evil}`);
    expect([await schools.campus.applications.list(site()), await list()]).toMatchObject([[], [{ status: 'open' }]]);
  });

  test('has another version, which pages of a host name', async () => {
    await start();
    const { campus } = schools;
    const { id, version } = await ask('sam');
    expect((await ask('sam')).version).toBe(version);
    const made = { clientName: 'LibreChat', redirectUris: [callback], confidential: true, scopes: ['openid'] } as const;
    const { clientId } = (await campus.applications.create(site(), made)).application;
    const changed = await change({ redirectUris: [evil] });
    const late = { status: 409, error: 'conflict', message: expect.stringContaining(evil) };
    await expect(campus.requests.grant(site(), id, clientId, { version })).rejects.toMatchObject(late);
    await expect(campus.requests.decline(site(), id, 'No', { version })).rejects.toMatchObject(late);
    const granted = await campus.requests.grant(site(), id, clientId, { version: changed.version });
    expect(granted).toMatchObject({ status: 'granted', version: changed.version });
  });
});

describe('what is stored is bounded', () => {
  test('a member asks ten times an hour', async () => {
    await start();
    for (let i = 0; i < 10; i += 1) await ask('sam');
    await expect(ask('sam')).rejects.toMatchObject({ status: 429, error: 'slow_down' });
    const { response } = await submit(schools.browser('sam'), `${asks}?app=claude`, { action: 'ask' });
    expect(response.status).toBe(429);
    await ask('olivia');
  });

  test('500 requests of a school: those that are over make room, then the oldest decision, and no open one', async () => {
    await start({ campus: { limits: false } });
    const { requests } = schools.campus;
    for (let i = 0; i < 500; i += 1) await ask(`member-${i}`);
    await expect(ask('sam')).rejects.toMatchObject({ status: 429 });
    await requests.decline(site(), (await ask('member-7')).id);
    await ask('sam');
    const all = await list();
    expect(all).toHaveLength(500);
    expect(all.map(({ memberId }) => memberId)).not.toContain('member-7');
    setClockAhead(90 * 24 * 60 * 60 + 1);
    expect(await list()).toEqual([]);
    await ask('olivia');
    expect(await list()).toHaveLength(1);
  });

  test.each([
    ['a name of 101 characters', { clientName: 'x'.repeat(101) }, InvalidApplication],
    ['invisible characters', { clientName: 'a\u202Eb' }, InvalidApplication],
    [
      'eleven addresses',
      { redirectUris: Array.from({ length: 11 }, (_, i) => `${callback}/${i}`) },
      InvalidApplication,
    ],
    ['an address that cannot be one', { redirectUris: ['javascript:alert(1)'] }, InvalidApplication],
    ['no address', { redirectUris: [] }, InvalidApplication],
    ['a note of 501 characters', { note: 'x'.repeat(501) }, 'at most 500 characters'],
    ['an unknown app', { app: 'skynet' }, '"skynet" is not a known app'],
    ['a misspelt app', { app: 'clade' }, 'did you mean "claude"?'],
  ])('%s is refused', async (_what, change, expected) => {
    await start();
    const { requests } = schools.campus;
    const asked = Reflect.apply(requests.ask.bind(requests), requests, [site(), 'sam', { ...chat, ...change }]);
    await expect(asked).rejects.toThrow(expected);
    expect(await list()).toEqual([]);
  });
});

test('a host with pages of its own lists, grants and declines', async () => {
  await start({ campus: { pages: { developers: false, yourApps: false } } });
  const { requests, applications } = schools.campus;
  const { id } = await requests.ask(site(), 'sam', { ...chat, note: ' Chess club ' });
  expect(await requests.list(site(), { search: 'libre', status: 'open' })).toMatchObject([{ id, note: 'Chess club' }]);
  await expect(requests.grant(site(), id, 'app-nothing')).rejects.toMatchObject({ status: 404 });
  const made = { clientName: 'LibreChat', redirectUris: [callback], confidential: true, scopes: ['openid'] } as const;
  const { application } = await applications.create(site(), made);
  expect(await requests.grant(site(), id, application.clientId)).toMatchObject({ status: 'granted' });
  await expect(requests.decline(site(), id)).rejects.toMatchObject({ status: 409, error: 'conflict' });
  expect(await requests.list(site(), { status: 'open' })).toEqual([]);
  expect(await requests.list(site(), { memberId: 'sam' })).toMatchObject([{ clientId: application.clientId }]);
  expect(await requests.find(site(), 'nothing')).toBeUndefined();
});
