import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Application, NewApplication, Site } from '../../lib/index.ts';
import { simulatedClients } from '../../lib/simulated-clients/known-clients.ts';
import { knownApplications } from '../../lib/features/applications/pages/known-apps.ts';
import { knownApp } from '../../lib/core/known-apps/known-apps.ts';
import { loopbackClients } from '../../policies/loopback-clients.ts';
import { vendorPlatforms } from '../../policies/vendors/vendor-platforms.ts';
import { wellKnownVendors } from '../../policies/index.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import { connect, userinfo } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
afterEach(() => schools.close());

const path = '/developers/oauth-applications';
const at = (rest = ''): string => `${schools.harbour}${path}${rest}`;
const site = (): Site => harbourSite(schools.harbour);
const timer: NewApplication = {
  clientName: 'Study Timer',
  redirectUris: ['https://timer.example/callback'],
  scopes: ['openid', 'account:read', 'account:write'],
  confidential: true,
};
type Fields = Readonly<Record<string, string | readonly string[]>>;

function post(browser: Browser, url: string, fields: Fields): Promise<Stop> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
  return browser.follow(url, { method: 'POST', body });
}

describe('a permission that is removed from an application', () => {
  let application: Application;
  let token: unknown;
  let fields: Fields;
  async function withPeople(people: readonly string[]): Promise<Browser> {
    schools = await startSchools();
    const issued = await schools.campus.applications.create(site(), timer);
    ({ application } = issued);
    const client = { id: application.clientId, redirectUri: timer.redirectUris[0] ?? '', scope: 'openid account:read' };
    for (const person of people) {
      const { body } = await connect(schools.browser(person), schools.harbour, {
        ...client,
        secret: issued.clientSecret ?? '',
      });
      token = body['access_token'];
    }
    const browser = schools.browser('olivia');
    const csrf = csrfOf((await browser.follow(at(`/${application.clientId}`))).html);
    const { version } = application;
    const kept = { name: `Timer "2" <b>'s`, redirect_uris: 'https://timer.example/callback', client_uri: '' };
    fields = { ...kept, csrf, version, action: 'save', scope: ['openid', 'account:read'] };
    return browser;
  }
  const here = (): string => at(`/${application.clientId}`);
  const stored = async (): Promise<Application | undefined> =>
    schools.campus.applications.find(site(), application.clientId);

  test('asks first, with the number of people; nothing is saved and nobody is disconnected before', async () => {
    const browser = await withPeople(['sam', 'olivia']);
    const { response, html } = await post(browser, here(), fields);
    expect(response.status).toBe(200);
    readPage(html).getByRole('heading', { name: 'Remove permissions from Study Timer?', level: 1 });
    expect(html).toContain('2 people are disconnected right away');
    expect((await stored())?.version).toBe(application.version);
    expect((await userinfo(schools.harbour, token)).status).toBe(200);

    const confirmed = new URLSearchParams([...readPage(html).fields, ['action', 'narrow']]);
    const saved = await browser.follow(here(), { method: 'POST', body: confirmed });
    expect(saved.url.searchParams.get('saved')).toBe((await stored())?.version);
    expect(await stored()).toMatchObject({ clientName: `Timer "2" <b>'s`, scopes: ['openid', 'account:read'] });
    expect((await userinfo(schools.harbour, token)).status).toBe(401);
  });

  test('can be given back: the form has what was entered', async () => {
    const browser = await withPeople(['sam']);
    const { html } = await post(browser, here(), fields);
    expect(html).toContain('One person is disconnected right away');
    const back = new URLSearchParams([...readPage(html).fields, ['action', 'edit']]);
    const form = await browser.follow(here(), { method: 'POST', body: back });
    expect(readPage(form.html).getByLabelText('Name').value).toBe(`Timer "2" <b>'s`);
    expect(readPage(form.html).fields.getAll('scope')).toEqual(['openid', 'account:read']);
    expect((await stored())?.version).toBe(application.version);
  });

  test('does not ask while nobody is connected, nor for a change that disconnects nobody', async () => {
    const browser = await withPeople([]);
    expect((await post(browser, here(), fields)).url.searchParams.get('saved')).toBe((await stored())?.version);
    const added = { ...fields, version: (await stored())?.version ?? '', scope: timer.scopes };
    expect((await post(browser, here(), added)).url.searchParams.get('saved')).toBe((await stored())?.version);
  });

  test('does not count as confirmed after another operator has changed the application', async () => {
    const browser = await withPeople(['sam']);
    const { html } = await post(browser, here(), fields);
    await schools.campus.applications.update(site(), application.clientId, { clientName: 'Other' });
    const confirmed = new URLSearchParams([...readPage(html).fields, ['action', 'narrow']]);
    const stop = await browser.follow(here(), { method: 'POST', body: confirmed });
    expect(stop.response.status).toBe(409);
    expect((await userinfo(schools.harbour, token)).status).toBe(200);
  });
});

describe('a new application from a known app', () => {
  const runsOn = { confidential: /^On a server/, public: /^On people’s own devices/ };

  test.each(
    knownApplications.map(({ id, kind, redirectUris }) => [id, knownApp(id).name, kind, redirectUris] as const),
  )('%s is filled in, and can be created', async (id, name, kind, redirectUris) => {
    schools = await startSchools();
    const browser = schools.browser('olivia');
    const { html } = await browser.follow(at(`/new?audience=operator&app=${id}`));
    expect(html).toContain('Where to enter the client ID');
    const form = readPage(html);
    expect(form.getByLabelText('Name').value).toBe(name);
    expect(form.getByRole('radio', { name: runsOn[kind] }).checked).toBe(true);
    expect(form.getByLabelText('Redirect URIs').value).toBe(redirectUris.join('\n'));
    const uris = redirectUris.join('\n') || 'https://chat.school.example/api/mcp/school/oauth/callback';
    const fields = { csrf: csrfOf(html), name, redirect_uris: uris, client_uri: '', kind, scope: 'openid' };
    await post(browser, at(`/new?audience=operator&app=${id}`), fields);
    expect(await schools.campus.applications.list(site())).toMatchObject([
      { clientName: name, createdBy: 'olivia', app: id },
    ]);
  });

  test('has a callback that the app uses', async () => {
    schools = await startSchools();
    const anyPort = (uri: string): string => uri.replace(/^(http:\/\/[^/:]+):\d+/, '$1');
    const callbacks = (id: string): string[] =>
      simulatedClients
        .filter(({ product }) => product === id)
        .flatMap(({ redirectUri, registration }) => [redirectUri, ...(registration?.redirectUris ?? [])].map(anyPort));
    for (const { id, redirectUris } of knownApplications) {
      const used = callbacks(id);
      if (redirectUris.length > 0 && used.length > 0) {
        expect({ id, known: redirectUris.some((uri) => used.includes(uri)) }).toEqual({ id, known: true });
      }
      expect({ id, apps: used.length > 0 }).toEqual({ id, apps: true });
    }
  });

  test('that is not known is an empty form', async () => {
    schools = await startSchools();
    const { html } = await schools.browser('olivia').follow(at('/new?app=%3Cscript%3E'));
    expect(readPage(html).getByLabelText('Name').value).toBe('');
    expect(html).not.toContain('<script>');
  });
});

describe('the pages of an application say', () => {
  test('who created it and when, where it runs, and how many people are connected', async () => {
    schools = await startSchools();
    const hostile = `<img src=x>\u202E${'x'.repeat(200)}`;
    const { application } = await schools.campus.applications.create(site(), { ...timer, createdBy: 'olivia' });
    await schools.campus.applications.create(site(), { ...timer, createdBy: 'gone' });
    await schools.campus.applications.create(site(), timer);
    const olivia = schools.people['harbour']?.['olivia'];
    if (olivia) schools.people['harbour'] = { ...schools.people['harbour'], olivia: { ...olivia, name: hostile } };
    const page = async (under: string): Promise<string> => (await schools.browser('olivia').follow(at(under))).html;
    const own = await page(`/${application.clientId}`);
    expect(own).toMatch(/on a server · created by <bdi>&lt;img src=x&gt;x{69}…<\/bdi>, <time/);
    expect(readPage(own).facts).toMatchObject({ People: '0' });
    expect(own).not.toContain('<img src=x>');
    const rows = readPage(await page('')).getAllByRole('row', {
      text: /App for members · on a server Allowed 0 never$/,
    });
    expect(rows).toHaveLength(3);
  });
});

describe('Next steps', () => {
  async function next(changes: Partial<NewApplication> = {}): Promise<{ html: string; secret: string; id: string }> {
    schools = await startSchools();
    const { application, clientSecret = '' } = await schools.campus.applications.create(site(), {
      ...timer,
      ...changes,
    });
    const { html } = await schools.browser('olivia').follow(at(`/${application.clientId}`));
    return { html, secret: clientSecret, id: application.clientId };
  }
  const exampleOn = (html: string, language: string): string => readPage(html).getByLabelText(language).value;

  test('has the issuer, the client id and the endpoints, and no secret', async () => {
    const { html, id, secret } = await next();
    const steps = readPage(html);
    expect(steps.getByLabelText('Issuer').value).toBe(schools.harbour);
    expect(steps.getByLabelText('Client ID').value).toBe(id);
    expect(steps.facts).toMatchObject({
      'Discovery document': `${schools.harbour}/.well-known/openid-configuration`,
      'Authorization endpoint': `${schools.harbour}/oauth/authorize`,
      'Token endpoint': `${schools.harbour}/api/oauth/token`,
    });
    expect(html).not.toContain(secret);
    for (const name of ['curl', 'JavaScript (Node.js)', 'Python'])
      expect(exampleOn(html, name)).toContain('CLIENT_SECRET');
  });

  test.each([true, false])('has an example in JavaScript that connects (with a secret: %s)', async (confidential) => {
    const { html, secret } = await next({ confidential });
    const folder = await mkdtemp(join(tmpdir(), 'campus-example-'));
    const file = join(folder, 'example.mjs');
    await writeFile(file, exampleOn(html, 'JavaScript (Node.js)'));
    const child = execFile(process.execPath, [file], { env: { ...process.env, CLIENT_SECRET: secret } });
    const printed: string[] = [];
    const firstLine = new Promise<string>((resolve) => {
      child.stdout?.on('data', (text: string) => {
        printed.push(text);
        resolve(text.trim());
      });
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const browser = schools.browser('sam');
    const { url } = await browser.decide(await browser.follow(await firstLine), 'allow');
    child.stdin?.end(`${url.href}\n`);
    await ended;
    await rm(folder, { recursive: true });
    expect(printed.join('')).toContain("token_type: 'Bearer'");
  });

  test('of a redirect URI with quotes has no example that runs more than it should', async () => {
    const { html } = await next({ redirectUris: ["https://timer.example/it's/$(id)"] });
    expect(exampleOn(html, 'curl')).toContain(`'redirect_uri=https://timer.example/it'\\''s/$(id)'`);
    expect(exampleOn(html, 'Python')).toContain(`"redirect_uri": "https://timer.example/it's/$(id)"`);
  });
});

describe('Why was my app refused?', () => {
  const ask = async (name: string, uri: string): Promise<string> => {
    const browser = schools.browser('olivia');
    const csrf = csrfOf((await browser.follow(at('/refused'))).html);
    return (await post(browser, at('/refused'), { csrf, name, redirect_uris: uri })).html;
  };

  test('says what registration would answer, and saves nothing', async () => {
    const registration = [vendorPlatforms(wellKnownVendors), loopbackClients()];
    schools = await startSchools({ campus: { registration } });
    expect(await ask('CLI', 'http://127.0.0.1:8080/callback')).toContain('This app isn’t refused.');
    expect(await ask('Claude', 'https://claude.ai/api/mcp/auth_callback')).toContain('This is a known app.');
    const refused = await ask('Chat <b>', 'https://chat.example/"><script>');
    expect(refused).toContain('This app is refused.');
    readPage(refused).getByRole('code', { text: 'invalid_redirect_uri' });
    expect(refused).toContain('New app for operators');
    expect(refused).not.toMatch(/<b>|<script>/);
  });

  test('says so where nobody can register', async () => {
    schools = await startSchools({ campus: { registration: [] } });
    const { html } = await schools.browser('olivia').follow(at('/refused'));
    const refusals = readPage(html);
    refusals.getByText(/^Apps can’t register themselves at Harbour School\./);
    expect(refusals.queryByRole('form')).toBeUndefined();
  });

  test('is for operators, with the form of this page', async () => {
    schools = await startSchools({ campus: { registration: [loopbackClients()] } });
    expect((await schools.browser('sam').follow(at('/refused'))).response.status).toBe(403);
    expect((await post(schools.browser('olivia'), at('/refused'), { name: 'x' })).response.status).toBe(400);
  });
});

test('a list of applications has pages of 25 below 100 kB, whatever they are called and whatever page is asked for', async () => {
  schools = await startSchools();
  const name = `<b>"${'漢字'.repeat(40)}`;
  for (let i = 0; i < 60; i += 1) await schools.campus.applications.create(site(), { ...timer, clientName: name });
  const browser = schools.browser('olivia');
  const entriesOn = async (page: string): Promise<number> =>
    readPage((await browser.follow(at(`?page=${page}`))).html).getAllByRole('row', { text: /漢字/ }).length;
  const { html } = await browser.follow(at('?page=2'));
  expect(html).toContain('26–50 of ');
  expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  expect(await entriesOn('3')).toBe(10);
  for (const wrong of ['0', '-1', '1e3', 'x']) expect(await entriesOn(wrong)).toBe(25);
  for (const late of ['4', '999999']) expect(await entriesOn(late)).toBe(10);
});
