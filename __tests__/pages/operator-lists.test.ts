import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AuditEvent, Site, StaticClient } from '../../lib/index.ts';
import { grantIdOf } from '../../lib/records/codec.ts';
import { digest } from '../../lib/kernel/crypto.ts';
import type { Store } from '../../lib/store.ts';
import { loopbackClients } from '../../policies/loopback-clients.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import { connect } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

const connections = '/developers/apps';
const activity = `${connections}/activity`;
const peopleList = `${connections}/people`;
const applications = '/developers/oauth-applications';
const day = 24 * 60 * 60;
const now = Math.floor(Date.now() / 1000);

/** What a spreadsheet would run, and what breaks out of a cell. */
const formulas = ['=HYPERLINK("https://evil.example")', '+1+cmd|x', '-2+3', '@SUM(1)', '\t=1+1', ' \r=1', '＝1+1'];
const hostile = `<script>alert(1)</script>\u202E","\r\n=2`;
/** The same, for one that reads `;` or a tab as the end of a cell. */
const divided = [
  'https://x.example/x;=HYPERLINK(A1);y',
  'a; ;\u00a0"+1',
  'b;\t;;@SUM(1)',
  'c\t=1+1',
  'd;＝1',
  'e;\u202E-1',
];

const pocket: StaticClient = {
  clientId: '=pocket',
  clientName: 'Pocket',
  audience: 'member',
  redirectUris: ['https://pocket.example/cb'],
  scopes: ['openid'],
  clientUri: 'https://pocket.example/',
};

let store: Store;
let schools: Schools;
let events: AuditEvent[];
let operator: Browser;
/** How many more revocations the store makes. */
let revokes: number;
const site = (): Site => harbourSite(schools.harbour);

beforeEach(async () => {
  const inner = memoryStore();
  revokes = Infinity;
  store = {
    ...inner,
    revoke: async (...args) => {
      revokes -= 1;
      if (revokes < 0) throw new Error('connection lost');
      return inner.revoke(...args);
    },
  };
  schools = await startSchools({ ...plugins, campus: { store, clients: [pocket], registration: [loopbackClients()] } });
  events = [];
  schools.campus.events.on('audit', (event) => events.push(event));
  operator = schools.browser('olivia');
});
afterEach(() => schools.close());

interface Seed {
  readonly name?: string;
  /** Days since it was last active. */
  readonly ago: number;
  readonly people?: number;
  readonly of?: string;
}

/** Notes a client as active, with people. Without a name, it is in code or an application. */
async function seed(id: string, { name, ago, people = 1, of = 'harbour' }: Seed): Promise<void> {
  const record = JSON.stringify({ v: 1, client_id: id, at: now - ago * day, client_name: name });
  await store.save(of, { kind: 'ConnectedClient', id: digest(id), record, listed: true });
  if (name !== undefined) {
    const client = { v: 1, client_id: id, client_name: name, scope: 'openid', campus_source: 'registered' };
    await store.save(of, { kind: 'Client', id, record: JSON.stringify(client), ttl: 1000 });
  }
  for (let i = 0; i < people; i += 1) {
    const parties = { memberId: `member-${i}`, clientId: id };
    const grant = {
      v: 2,
      accountId: parties.memberId,
      clientId: id,
      scope: 'openid',
      declined: '',
      iat: now,
      exp: now + 1000,
    };
    const text = JSON.stringify({ ...grant, resource: schools.harbour });
    await store.save(of, { kind: 'Grant', id: grantIdOf(parties.memberId, id), record: text, ttl: 1000, ...parties });
  }
}

const fileOf = async (address: string, language = 'en'): Promise<Response> =>
  operator.fetch(`${schools.harbour}${address}`, { headers: { 'accept-language': language } });
const follow = (address: string): Promise<Stop> => operator.follow(schools.harbour + address);
/** The apps on all pages of a list, without the apps that nobody has connected. */
const namesOn = async (address: string): Promise<string[]> => {
  const pages = ['1', '2', '3'].map((page) => {
    const url = new URL(address, schools.harbour);
    url.searchParams.set('page', page);
    return operator.follow(url);
  });
  const shown = new Set<string>();
  for (const { html } of await Promise.all(pages)) {
    for (const row of readPage(html).queryByRole('table')?.getAllByRole('row').slice(1) ?? []) {
      if (!/ By .* 0 people never$/.test(row.text)) shown.add(row.getByRole('link').name);
    }
  }
  return [...shown];
};
/** The same in a file, where such an app has no kind. */
const namesIn = (file: string): (string | undefined)[] =>
  file
    .split('\r\n')
    .slice(1, -1)
    .filter((row) => !/^"[^"]*","","[^"]*","",/.test(row))
    .map((row) => /^"([^"]*)"/.exec(row)?.[1]);

describe('the list of apps', () => {
  beforeEach(async () => {
    const { campus } = schools;
    const redirectUris = ['https://timer.example/cb'];
    const timer = { clientName: 'Timer', redirectUris, scopes: ['openid'], confidential: true };
    const { application } = await campus.applications.create(site(), timer);
    await seed(application.clientId, { ago: 2, people: 3 });
    await seed('=pocket', { ago: 100 });
    await campus.apps.set(site(), { clientId: 'r-1' }, { access: 'view_only' });
    await seed('r-1', { name: 'Alpha 2', ago: 1, people: 2 });
    await seed('r-2', { name: 'alpha 10', ago: 120, people: 4 });
    await campus.apps.set(site(), { clientId: 'https://docs.example/client.json' }, { access: 'blocked' });
    const review = { v: 1, client_id: 'r-1', digest: 'd', at: now };
    await store.save('harbour', {
      kind: 'DocumentReview',
      id: `${digest('r-1')}:shown`,
      record: JSON.stringify(review),
      listed: true,
    });
  });

  test.each([
    ['?show=all', ['alpha 10', 'Timer', 'Alpha 2', 'Pocket', 'https://docs.example/client.json']],
    ['?kind=registered', ['alpha 10', 'Alpha 2']],
    ['?kind=static', ['Pocket']],
    ['?kind=application', ['Timer']],
    ['?kind=document', ['https://docs.example/client.json']],
    ['?status=view_only', ['Alpha 2']],
    ['?status=blocked', ['https://docs.example/client.json']],
    ['?status=allowed', ['alpha 10', 'Timer', 'Pocket']],
    ['?used=unused', ['alpha 10', 'Pocket', 'https://docs.example/client.json']],
    ['?used=unused&sort=name', ['alpha 10', 'https://docs.example/client.json', 'Pocket']],
    ['?q=%EF%BC%A1LPHA', ['alpha 10', 'Alpha 2']],
    ['?q=pocket.EXAMPLE', ['Pocket']],
    ['?q=timer', ['Timer']],
    ['?sort=name', ['Alpha 2', 'alpha 10', 'https://docs.example/client.json', 'Pocket', 'Timer']],
    ['?sort=active', ['Alpha 2', 'Timer', 'Pocket', 'alpha 10', 'https://docs.example/client.json']],
    ['?role=owner&status=allowed', ['alpha 10', 'Timer', 'Pocket']],
    ['?role=owner&status=blocked', []],
    ['?sort=unused', ['https://docs.example/client.json', 'alpha 10', 'Pocket', 'Timer', 'Alpha 2']],
    ['?kind=document&status=view_only', []],
  ])('%s has what matches, in that order, and its file the same', async (query, names) => {
    expect(await namesOn(connections + query)).toEqual(names);
    const text = await (await fileOf(`${connections}${query}&format=csv`)).text();
    expect(namesIn(text)).toEqual(names);
  });

  test.each([
    '?sort=price&status=%3Cb%3E&kind=__proto__&used=never&audience=everyone&page=-1',
    '?status=blocked&status=allowed',
    '?secret=public&rule=blocked',
    '?page=99999999999&sort=people',
    '?after=1&after=2',
  ])('%s is as if nothing had been chosen', async (query) => {
    const { html } = await follow(connections + query);
    expect(await namesOn(connections + query)).toEqual(['alpha 10', 'Timer', 'Alpha 2', 'Pocket']);
    const list = readPage(html);
    expect(list.getAllByRole('option').filter((option) => option.attribute('selected') !== undefined)).toEqual([]);
    expect(list.queryByRole('link', { name: 'Show all' })).toBeUndefined();
    expect(html).not.toContain('&lt;b');
  });

  test('the form keeps what was chosen, and every address of the list has it', async () => {
    const query = 'q=alpha&kind=registered&sort=name';
    const { html } = await follow(`${connections}?${query}&page=7&language=zh-Hant`);
    const search = readPage(html).getByRole('search');
    const unchosen = { role: '', status: '' };
    expect(Object.fromEntries(search.fields)).toEqual({ q: 'alpha', kind: 'registered', sort: 'name', ...unchosen });
    expect(readPage(html).getByRole('link', { name: /^下載 CSV/ }).href).toBe(`${connections}?${query}&format=csv`);
    expect(html).toContain('有 2 個符合的項目。');
    const long = await follow(`${connections}?q=${encodeURIComponent(`"><script>${'x'.repeat(5000)}`)}`);
    expect(readPage(long.html).getByRole('searchbox').value).toBe(`"><script>${'x'.repeat(90)}`);
    expect(long.html).toContain('沒有符合的項目。');
  });
});

test('a client that people connect is found by its name without a look-up of its own', async () => {
  const redirectUri = 'http://127.0.0.1:50123/callback';
  const response = await fetch(`${schools.harbour}/api/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Terminal', redirect_uris: [redirectUri] }),
  });
  const { client_id: id }: { client_id?: unknown } = Object(await response.json());
  await connect(schools.browser('olivia'), schools.harbour, { id: String(id), redirectUri, scope: 'openid' });
  const [record = ''] = await store.list('harbour', 'ConnectedClient');
  expect(JSON.parse(record)).toMatchObject({ client_id: id, client_name: 'Terminal' });
});

describe('a file', () => {
  const files: [name: string, address: string, make: (text: string, i: number) => Promise<unknown>][] = [
    ['apps', connections, (name, i) => seed(`r-${i}`, { name, ago: 1 })],
    [
      'applications',
      applications,
      // The form refuses such names; a store may have them.
      (name, i) => {
        const client = { v: 1, client_id: name, client_name: `${i}`, client_id_issued_at: i, scope: 'openid' };
        const record = JSON.stringify({ ...client, campus_source: 'application', campus_audience: 'member' });
        return store.save('harbour', { kind: 'Client', id: `app-${i}`, record, listed: true });
      },
    ],
    [
      'apps',
      connections,
      (name, i) =>
        schools.campus.apps.set(site(), { clientId: `own-${i}` }, { access: 'allowed', roles: [name, 'owner'] }),
    ],
  ];

  test.each(files)('of %s has no cell that a spreadsheet runs or that ends early', async (name, address, make) => {
    await seed('=pocket', { ago: 1 });
    for (const [i, text] of [...formulas, hostile].entries()) await make(text, i);
    const response = await fileOf(`${address}?format=csv`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'cache-control': expect.stringContaining('no-store'),
      'x-content-type-options': 'nosniff',
      // It is a stream.
      'transfer-encoding': 'chunked',
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    const lines = bytes.toString('utf8').slice(1).split('\r\n');
    expect(lines.pop()).toBe('');
    const cell = /(?:^|,)"((?:[^"]|"")*)"/g;
    expect(lines.map((line) => line.replaceAll(cell, '')).filter(Boolean)).toEqual([]);
    const rows = lines.map((line) => [...line.matchAll(cell)].map(([, text = '']) => text));
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
    const cells = rows.flat();
    expect(cells.filter((text) => /^\s*[=+\-@＝＋－＠]|[\p{Cc}\u202E]/u.test(text))).toEqual([]);
    const found = cells.filter((text) => formulas.some((each) => text.includes(each.trim().replaceAll('"', '""'))));
    expect(new Set(found).size).toBeGreaterThanOrEqual(formulas.length - 1);
    for (const text of found) expect(text.startsWith("'")).toBe(true);
  });

  test.each(files)('of %s has no formula for who reads semicolons or tabs', async (_name, address, make) => {
    for (const [i, text] of divided.entries()) await make(text, i);
    const text = await (await fileOf(`${address}?format=csv`)).text();
    const parts = text.split(/[;\t]|\r\n/);
    expect(parts.filter((part) => /^[\s"]*[=+\-@＝＋－＠]/u.test(part))).toEqual([]);
    expect(parts.filter((part) => /^'[\s"]*[=+\-@＝＋－＠]/u.test(part)).length).toBeGreaterThanOrEqual(4);
    expect(text).toContain("https://x.example/x;'=HYPERLINK(A1);y");
  });

  test('has no credential, and is in the language of the person', async () => {
    const settings = { clientName: 'Timer', redirectUris: ['https://timer.example/cb'], scopes: ['openid'] };
    const made = await schools.campus.applications.create(site(), { ...settings, confidential: true });
    const secret = made.clientSecret ?? 'no secret';
    const text = await (await fileOf(`${applications}?format=csv`)).text();
    expect(text).toContain('"Name","Client ID","For","Runs","Status","People","Last active","Created"');
    expect(text).toMatch(/^"Timer","[\w-]+","Members","On a server","Allowed","0","","\d{4}-\d\d-\d\d"$/m);
    for (const hidden of [secret, digest(secret)]) expect(text).not.toContain(hidden);
    const chinese = await (await fileOf(`${applications}?format=csv`, 'zh-TW')).text();
    expect(chinese).toContain('"名稱"');
    expect(chinese).toContain('"成員","伺服器","已允許"');
  });

  test.each(files)('of %s is for administrators of that school', async (_name, address, make) => {
    await make('Only here', 1);
    const file = `${address}?format=csv`;
    const member = await schools.browser('sam').follow(schools.harbour + file);
    expect([member.response.status, member.response.headers.get('content-type')]).toEqual([
      403,
      'text/html; charset=utf-8',
    ]);
    expect((await schools.browser().fetch(schools.harbour + file)).status).toBe(303);
    const { summit } = schools.people;
    const olivia = schools.people['harbour']?.['olivia'];
    if (summit && olivia) summit['olivia'] = olivia;
    const elsewhere = await (await operator.fetch(schools.summit + file)).text();
    expect(elsewhere).not.toMatch(/Only here|own-1/);
  });
});

describe('unused apps', () => {
  const count = 60;
  const left = async (): Promise<string[]> => {
    const all = await schools.campus.apps.list(site(), { used: true });
    return all.filter(({ people }) => people > 0).map(({ clientName }) => clientName);
  };
  const submit = ({ html, url }: Stop, csrf = csrfOf(html), browser = operator): Promise<Stop> => {
    const body = readPage(html).fields;
    body.set('csrf', csrf);
    return browser.follow(url, { method: 'POST', body });
  };
  beforeEach(async () => {
    for (let i = 0; i < count; i += 1) await seed(`r-${i}`, { name: `Old ${i}`, ago: 100 + i, people: 2 });
    await seed('used', { name: 'Used', ago: 80 });
    await seed('r-1', { name: 'Elsewhere', ago: 120, of: 'summit' });
  });

  test('are disconnected together, in steps that say how far they came, each with its event', async () => {
    const list = await follow(`${connections}?used=unused`);
    expect((await follow(connections)).html).not.toContain('confirm=unused');
    const hrefs = readPage(list.html)
      .getAllByRole('link')
      .map(({ href }) => href);
    expect(hrefs).toContain(`${connections}?used=unused&confirm=unused`);
    const question = await follow(`${connections}?used=unused&confirm=unused`);
    expect(question.html).toContain('60 apps were last used more than 90 days ago. 120 people are disconnected');
    const first = await submit(question);
    expect(first.html).toContain('50 of 60 apps disconnected.');
    expect(first.html).toContain('10 apps were last used more than 90 days ago. 20 people are disconnected');
    expect(await left()).toHaveLength(11);
    const second = await submit(first);
    expect(second.html).toContain('60 of 60 apps disconnected.');
    expect(readPage(first.html).getAllByRole('button', { name: 'Continue' })).toHaveLength(1);
    expect(readPage(second.html).queryByRole('button', { name: 'Continue' })).toBeUndefined();
    expect(await left()).toEqual(['Used']);
    expect(await store.countGrants('summit', [{ clientId: 'r-1' }])).toEqual([1]);
    const ended = events.filter(({ action }) => action === 'connection.ended');
    expect(ended).toHaveLength(count);
    expect(ended[0]).toMatchObject({
      actor: { kind: 'administrator', id: 'olivia' },
      reason: 'client_disconnected',
      connections: 2,
    });
    expect((await follow(`${connections}?confirm=unused`)).html).toContain('Nobody is connected to these apps.');
    // Once more, from a page that was left open.
    expect((await submit(question)).html).toContain('0 of 0 apps disconnected.');
  });

  test('are those of the list that is shown, and are still unused when it happens', async () => {
    const question = await follow(`${connections}?q=old+1&confirm=unused`);
    expect(question.html).toContain('15 apps were last used');
    await seed('r-10', { name: 'Old 10', ago: 0, people: 2 });
    expect((await submit(question)).html).toContain('14 of 14 apps disconnected.');
    expect(await left()).toHaveLength(count - 14 + 1);
    expect(await left()).toContain('Old 10');
  });

  test('stay with a failing store, and what was done is said', async () => {
    const question = await follow(`${connections}?confirm=unused`);
    revokes = 0;
    expect((await submit(question)).response.status).toBe(503);
    expect(await left()).toHaveLength(count + 1);
    revokes = 3;
    const { html } = await submit(question);
    expect(html).toContain('3 of 60 apps disconnected.');
    expect(html).toContain('57 apps were last used');
    expect(await left()).toHaveLength(count - 3 + 1);
  });

  test('stay without the form of this operator', async () => {
    const question = await follow(`${connections}?confirm=unused`);
    expect((await submit(question, 'forged')).response.status).toBe(400);
    const member = schools.browser('sam');
    expect((await submit(question, csrfOf(question.html), member)).response.status).toBe(403);
    const forged = await follow(`${connections}?ended=60&of=60&proof=x`);
    expect(forged.html).not.toContain('disconnected.');
    expect(await left()).toHaveLength(count + 1);
  });
});

describe('the navigation', () => {
  const sectionsOf = (html: string): [href: string, name: string, current: boolean][] => {
    const links = readPage(html).queryByRole('navigation', { name: /^(?:Console for administrators|Your apps)$/ });
    const sections = links?.getAllByRole('listitem').map((item) => item.getByRole('link')) ?? [];
    return sections.map((link) => [link.href, link.name, link.attribute('aria-current') === 'page']);
  };
  const account = '/account/apps';

  test.each([
    [connections, connections],
    [`${connections}?app=claude`, connections],
    [`${connections}?review=waiting`, connections],
    [applications, applications],
    [`${applications}/new`, applications],
    [`${applications}/asked`, `${applications}/asked`],
    [activity, activity],
  ])('of administrators is on %s', async (address, current) => {
    const { html } = await follow(address);
    const requests = `${applications}/asked`;
    const all = {
      [connections]: 'Apps',
      [requests]: 'Requests',
      [peopleList]: 'People',
      [activity]: 'Activity',
      [applications]: 'Developers',
    };
    expect(sectionsOf(html)).toEqual(Object.entries(all).map(([href, name]) => [href, name, href === current]));
    readPage(html).getByRole('navigation', { name: 'Console for administrators' });
  });

  test.each([
    [account, account],
    [`${account}/check`, account],
    [`${account}/requests`, `${account}/requests`],
  ])('of members is on %s', async (address, current) => {
    const { html } = await schools.browser('sam').follow(schools.harbour + address);
    expect(sectionsOf(html)).toEqual([
      [account, 'Your apps', current === account],
      [`${account}/requests`, 'Requests', current !== account],
    ]);
  });

  test.each<[what: string, enabled: boolean, pages: object, address: string, expected: readonly string[]]>([
    ['applications that the school has not enabled', false, {}, connections, [connections, peopleList, activity]],
    ['applications that are off', true, { developers: false }, connections, [connections, peopleList, activity]],
    ['connections that are off', true, { apps: false }, applications, [`${applications}/asked`, applications]],
    ['requests that the school has not enabled', false, {}, account, []],
  ])('has no %s', async (_what, connectionsEnabled, pages, address, expected) => {
    const other = await startSchools({
      ...plugins,
      campus: { pages },
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => {
          const found = await platform.findSite(origin);
          return found && { ...found, connectionsEnabled };
        },
      }),
    });
    const { html } = await other.browser('olivia').follow(other.harbour + address);
    await other.close();
    readPage(html).getByRole('heading', { level: 1 });
    expect(sectionsOf(html).map(([href]) => href)).toEqual(expected);
  });
});
