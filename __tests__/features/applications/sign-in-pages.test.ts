import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
