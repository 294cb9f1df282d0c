import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Application } from '../../../lib/index.ts';
import { csrfOf, type Stop } from '../../helpers/browser.ts';
import { signingKey } from '../../helpers/keys.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { harbourSite } from '../../helpers/sites.ts';

let schools: Schools;
beforeAll(async () => {
  const signing = await Promise.all([signingKey('es'), signingKey('rs', 'RS256')]);
  schools = await startSchools({ campus: { keys: { signing, cookies: ['a secret of the tests'] } } });
});
afterAll(() => schools.close());

const at = (rest: string): string => `${schools.harbour}/developers/oauth-applications${rest}`;
const filled = { name: 'Library', redirect_uris: 'https://library.example/auth', client_uri: '', kind: 'confidential' };
const ticks = { sign_in_basic: 'yes', sign_in_rs256: 'yes', sign_in_resource: 'yes' };

/** Opens the page, enters something and submits the form. */
async function submit(address: string, entered: Readonly<Record<string, string>>): Promise<Stop> {
  const olivia = schools.browser('olivia');
  const { html } = await olivia.follow(address);
  const kept = address.includes('/new') ? {} : { version: readPage(html).field('version') };
  const body = new URLSearchParams({ csrf: csrfOf(html), ...kept, ...entered });
  for (const scope of ['openid', 'profile', 'email']) body.append('scope', scope);
  return olivia.follow(address, { method: 'POST', body });
}

async function find(html: string): Promise<Application | undefined> {
  const clientId = readPage(html).getByLabelText('Client ID').value;
  return schools.campus.applications.find(harbourSite(schools.harbour), clientId);
}

test('the form for sign-in has all ticked, and the page that follows has the settings with their values', async () => {
  const { html } = await schools.browser('olivia').follow(at('/new?for=sign-in'));
  const page = readPage(html);
  for (const name of [/^It sends its secret by HTTP Basic/, /RS256/, /without the resource parameter/])
    expect(page.getByRole('checkbox', { name }).checked).toBe(true);

  const created = await submit(at('/new?for=sign-in'), { ...filled, ...ticks });
  const shown = readPage(created.html);
  const application = await find(created.html);
  expect(application).toMatchObject({
    audience: 'member',
    signIn: { basic: true, idTokenAlgorithm: 'RS256', defaultResource: true },
  });
  expect(shown.getByLabelText('Issuer').value).toBe(schools.harbour);
  expect(shown.facts).toMatchObject({
    PKCE: 'on, with S256',
    'Client authentication': 'client_secret_basic, client_secret_post',
    'ID token signature': 'RS256',
    Scopes: 'openid profile email',
  });
  const settings = shown.getByLabelText('Apache (mod_auth_openidc)').value;
  expect(settings).toContain(`OIDCClientID ${String(application?.clientId)}\n`);
  expect(settings).toContain('OIDCRedirectURI https://library.example/auth\n');
  const again = await schools.browser('olivia').follow(at(`/${String(application?.clientId)}`));
  expect(readPage(again.html).getByLabelText('Apache (mod_auth_openidc)').value).toBe(settings);
});

/** What the page has under a heading that opens and closes, and whether it is open. */
const disclosures = (html: string): readonly (readonly [isOpen: boolean, heading: string])[] =>
  [...html.matchAll(/<details[^>]*?( open)?><summary>(?:<span>)?([^<]*)/g)].map(([, open, heading = '']) => [
    open !== undefined,
    heading,
  ]);

describe('the form for sign-in', () => {
  const moodle = '/new?for=sign-in&app=moodle';

  test('asks for address and name, and has all else under one heading, which is closed', async () => {
    const { html } = await schools.browser('olivia').follow(at(moodle));
    expect(disclosures(html)).toEqual([[false, 'More options']]);
    const [before = '', options = ''] = html.split('<details>');
    expect([...before.matchAll(/<(?:input|textarea)[^>]* id="(\w+)"/g)].map(([, id]) => id)).toEqual([
      'redirect_uris',
      'name',
    ]);
    expect(options).toContain('name="client_uri"');
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    expect(readPage(html).getByLabelText('Name').value).toBe('Moodle');
    readPage(html).getByRole('heading', { name: 'Where is your Moodle?' });
    expect(readPage(html).text).toContain('Moodle 5.1 sends no PKCE');
  });

  test.each([
    ['wordpress', 'WordPress', 'WordPress needs two plug-ins'],
    ['canvas', 'Canvas', 'Canvas sends no PKCE'],
    ['gitlab', 'GitLab', undefined],
  ])('says what %s lacks, and makes an application with its settings', async (id, name, lacks) => {
    const address = at(`/new?for=sign-in&app=${id}`);
    const form = readPage((await schools.browser('olivia').follow(address)).html);
    form.getByRole('heading', { name: `Where is your ${name}?` });
    expect(form.text.includes(lacks ?? 'PKCE')).toBe(lacks !== undefined);
    const entered = { ...filled, ...ticks, name, redirect_uris: `https://${id}.example` };
    const { html } = await submit(address, entered);
    const open = disclosures(html).filter(([isOpen]) => isOpen);
    expect(open.map(([, heading]) => heading)).toEqual([
      'Settings for your app',
      expect.stringMatching(new RegExp(`^${name}`)),
    ]);
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
  });

  test('makes the callback from the address, and the next page has the settings of Moodle open', async () => {
    const entered = { ...filled, ...ticks, name: 'Moodle', redirect_uris: 'https://moodle.example/' };
    const { html } = await submit(at(moodle), entered);
    expect((await find(html))?.redirectUris).toEqual(['https://moodle.example/admin/oauth2callback.php']);
    const open = disclosures(html).filter(([isOpen]) => isOpen);
    expect(open.map(([, heading]) => heading)).toEqual(['Settings for your app', 'Moodle']);
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    // Browsers open one of those with a name at a time.
    expect(html.match(/<details name="sample"/g)).toHaveLength(disclosures(html).length - 1);
  });

  test('keeps what was typed when another app is chosen, and replaces the name of the one before', async () => {
    const chosen = { ...filled, app: 'moodle', action: 'app', redirect_uris: 'https://cloud.example' };
    for (const [name, kept] of [
      ['Moodle', 'Nextcloud'],
      ['Our files', 'Our files'],
    ] as const) {
      const { html } = await submit(at('/new?for=sign-in&app=nextcloud'), { ...chosen, ...ticks, name });
      expect(readPage(html).getByLabelText('Name').value).toBe(kept);
      expect(readPage(html).getByLabelText('Address').value).toBe('https://cloud.example');
    }
  });

  test.each([
    ['a problem in it', { ...ticks, client_uri: 'timer' }, true, 400],
    ['something that most leave alone', { sign_in_basic: 'yes', name: '' }, true, 400],
    ['a problem beside it', { ...ticks, name: '' }, false, 400],
  ])('opens the options with %s', async (_what, entered, isOpen, status) => {
    const { html, response } = await submit(at(moodle), { ...filled, ...entered, redirect_uris: 'https://a.example' });
    expect([disclosures(html), response.status]).toEqual([[[isOpen, 'More options']], status]);
    const page = readPage(html);
    expect(page.getByLabelText('Address').value).toBe('https://a.example');
    page.getByRole('navigation', { name: 'Console for administrators' });
  });

  test('says what is wrong with the address at its field, with the name that it has here', async () => {
    const { html } = await submit(at(moodle), { ...filled, ...ticks, redirect_uris: 'moodle.example' });
    expect(readPage(html).getByRole('alert').text).toContain('Address: ');
    expect(readPage(html).getByLabelText('Address').description).toContain('moodle.example');
  });
});

test('what is not ticked is off, and an edit changes each', async () => {
  const { html } = await submit(at('/new?for=sign-in'), filled);
  const application = await find(html);
  expect(application?.signIn).toEqual({ basic: false, idTokenAlgorithm: 'ES256', defaultResource: false });
  expect(readPage(html).queryByRole('textbox', { name: 'Apache (mod_auth_openidc)' })).toBeUndefined();
  const address = at(`/${String(application?.clientId)}`);
  const saved = await submit(address, { ...filled, action: 'save', sign_in_basic: 'yes' });
  expect((await find(saved.html))?.signIn).toEqual({ basic: true, idTokenAlgorithm: 'ES256', defaultResource: false });
});

test('an application of another kind gets nothing by the fields of this form', async () => {
  for (const address of ['/new?audience=member', '/new?audience=operator']) {
    const { html } = await submit(at(address), { ...filled, ...ticks, for: 'sign-in', sign_in: 'yes' });
    const application = await find(html);
    expect(application).toMatchObject({ clientName: 'Library' });
    expect(application).not.toHaveProperty('signIn');
    const saved = await submit(at(`/${String(application?.clientId)}`), { ...filled, ...ticks, action: 'save' });
    expect(readPage(saved.html).queryByRole('checkbox', { name: /HTTP Basic/ })).toBeUndefined();
    expect(await find(saved.html)).not.toHaveProperty('signIn');
  }
});
