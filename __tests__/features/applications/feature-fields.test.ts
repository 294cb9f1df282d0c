import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { Application, CampusOptions, NewApplication } from '../../../lib/index.ts';
import type { Stop } from '../../helpers/browser.ts';
import { connect } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';

// Fields that the options `logout` and `pseudonyms` add to the form of an application.

const redirectUri = 'https://library.example/auth';
const entered = { name: 'Library', redirect_uris: redirectUri, kind: 'confidential' };
const both: Partial<CampusOptions> = {
  logout: { endSession: () => undefined },
  pseudonyms: { key: 'a key of pseudonyms that never changes' },
};
const labels = [
  'Addresses after signing out optional',
  'Address for sign-outs optional',
  /^Hide names: people appear as codes/,
] as const;

let schools: Schools;
let store: ReturnType<typeof memoryStore>;
const start = async (options: Partial<CampusOptions> = both): Promise<void> => {
  schools = await startSchools({ campus: { store, ...options } });
};
beforeEach(async () => {
  store = memoryStore();
  await start();
});
afterEach(() => schools.close());

const at = (rest: string): string => `${schools.harbour}/developers/oauth-applications${rest}`;
const open = (rest: string): Promise<Stop> => schools.browser('olivia').follow(at(rest));
const stored = (id: string): Promise<Application | undefined> => schools.campus.applications.find(siteOf(schools), id);

/** What a browser would send of the page, with changes; `undefined` is a field that the page does not have, or a tick that is taken away. */
async function submit(page: Stop, changes: Readonly<Record<string, string | undefined>>): Promise<Stop> {
  const form = readPage(page.html)
    .getAllByRole('form')
    .find(({ fields }) => fields.has('redirect_uris') || fields.has('version'));
  const body = new URLSearchParams(form?.fields);
  for (const [name, value] of Object.entries(changes)) {
    body.delete(name);
    if (value !== undefined) body.append(name, value);
  }
  return schools.browser('olivia').follow(page.url, { method: 'POST', body });
}

async function create(changes: Partial<NewApplication> = {}): Promise<Application> {
  const { application } = await schools.campus.applications.create(siteOf(schools), {
    clientName: 'Library',
    redirectUris: [redirectUri],
    scopes: ['openid', 'profile', 'email'],
    confidential: true,
    signIn: {},
    ...changes,
  });
  return application;
}

const fieldsOf = ({ html }: Stop): readonly boolean[] => {
  const page = readPage(html);
  return labels.map((name) => ['textbox', 'checkbox'].some((role) => page.queryByRole(role, { name }) !== undefined));
};

const logout = {
  postLogoutRedirectUris: ['https://library.example/bye', 'http://127.0.0.1:8080/bye'],
  backchannelLogoutUri: 'https://library.example/told',
};

test('a sign-in client gets what is entered, and an edit changes and removes it', async () => {
  const made = await submit(await open('/new?for=sign-in'), {
    ...entered,
    post_logout_redirect_uris: logout.postLogoutRedirectUris.join('\r\n'),
    backchannel_logout_uri: logout.backchannelLogoutUri,
    pseudonyms: 'yes',
  });
  const clientId = readPage(made.html).getByLabelText('Client ID').value;
  expect(await stored(clientId)).toMatchObject({ ...logout, subject: 'pairwise' });
  const page = await open(`/${clientId}`);
  expect(readPage(page.html).getByLabelText(labels[0]).value).toBe(logout.postLogoutRedirectUris.join('\n'));
  expect(readPage(page.html).getByLabelText(labels[1]).value).toBe(logout.backchannelLogoutUri);
  expect(readPage(page.html).getByRole('checkbox', { name: labels[2] }).checked).toBe(true);
  // With a code, it does not learn who a person is.
  const code = 'Know each person by a code, without a name, and their roles at this school';
  const known = 'Know who each person is and their roles at this school';
  readPage(page.html).getByRole('checkbox', { name: new RegExp(`^${code}`) });
  expect(readPage(page.html).text).not.toContain(known);
  expect(readPage(page.html).getByLabelText(/^.?Authlib .*: /).value).toContain('https://library.example/bye');

  await submit(page, { backchannel_logout_uri: '', post_logout_redirect_uris: 'https://library.example/' });
  const changed = await stored(clientId);
  expect(changed).toMatchObject({ postLogoutRedirectUris: ['https://library.example/'], subject: 'pairwise' });
  expect(changed).not.toHaveProperty('backchannelLogoutUri');
  await submit(await open(`/${clientId}`), { pseudonyms: undefined });
  expect(await stored(clientId)).not.toHaveProperty('subject');
  readPage((await open(`/${clientId}`)).html).getByRole('checkbox', { name: new RegExp(`^${known}`) });
});

test('the settings of a sign-in client ask for the permissions of the application', async () => {
  const { clientId } = await create({ scopes: ['openid'], subject: 'pairwise' });
  const page = readPage((await open(`/${clientId}`)).html);
  expect(page.getByLabelText('Authlib (Flask)').value).toContain('"scope": "openid"');
  expect(page.getByLabelText('Go (go-oidc)').value).toContain('[]string{oidc.ScopeOpenID}');
});

describe('a form has the fields', () => {
  test('of a sign-in client, and of others that have the property already', async () => {
    expect(fieldsOf(await open('/new?for=sign-in'))).toEqual([true, true, true]);
    for (const kind of ['member', 'operator'])
      expect(fieldsOf(await open(`/new?audience=${kind}`))).toEqual([false, false, false]);
    const { clientId } = await create({ signIn: undefined, backchannelLogoutUri: logout.backchannelLogoutUri });
    expect(fieldsOf(await open(`/${clientId}`))).toEqual([false, true, false]);
  });

  test('of the options that are on', async () => {
    await schools.close();
    await start({});
    expect(fieldsOf(await open('/new?for=sign-in'))).toEqual([false, false, false]);
  });
});

test.each<[string, Readonly<Record<string, string>>, string, RegExp]>([
  [
    'an address that is no address',
    { post_logout_redirect_uris: 'https://a.example/\nlibrary' },
    'post_logout_redirect_uris',
    /library can’t be used/,
  ],
  [
    'a part with #',
    { post_logout_redirect_uris: 'https://a.example/#x' },
    'post_logout_redirect_uris',
    /#x can’t be used/,
  ],
  [
    'too many addresses',
    { post_logout_redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`).join('\n') },
    'post_logout_redirect_uris',
    /at most 10 addresses/,
  ],
  ['http:', { backchannel_logout_uri: 'http://127.0.0.1/told' }, 'backchannel_logout_uri', /starts with https:/],
  [
    'a permission beside a code',
    { pseudonyms: 'yes', scope: 'account:read' },
    'scopes',
    /knows people by a code can’t have the permission account:read/,
  ],
])('%s is an error at its field', async (_what, wrong, id, text) => {
  const { html, response } = await submit(await open('/new?for=sign-in'), { ...entered, ...wrong });
  expect(response.status).toBe(400);
  expect(readPage(html).getById(`${id}-problem`)?.text).toMatch(text);
  expect(readPage(html).getByRole('alert').text).toMatch(text);
});

describe('what a form does not show', () => {
  const all = { ...logout, subject: 'pairwise' } as const;
  const absent = { post_logout_redirect_uris: undefined, backchannel_logout_uri: undefined, pseudonyms: undefined };

  test('stays as it is', async () => {
    const { clientId } = await create(all);
    const saved = await submit(await open(`/${clientId}`), { ...absent, asked: undefined, name: 'Reading room' });
    expect(await stored(clientId)).toMatchObject({ ...all, clientName: 'Reading room' });
    expect(saved.response.status).toBe(200);
  });

  test('stays while an option is off, and cannot be entered', async () => {
    const { clientId } = await create(all);
    await schools.close();
    await start({});
    const page = await open(`/${clientId}`);
    expect(fieldsOf(page)).toEqual([false, false, false]);
    const forged = { backchannel_logout_uri: 'https://other.example/', asked: 'pseudonyms', name: 'Reading room' };
    await submit(page, forged);
    expect(await stored(clientId)).toMatchObject({ ...all, clientName: 'Reading room' });
    await expect(
      schools.campus.applications.update(siteOf(schools), clientId, { backchannelLogoutUri: 'https://other.example/' }),
    ).rejects.toThrow('backchannelLogoutUri is not available without the option logout');
  });

  test('cannot be given to an API client', async () => {
    const forged = { backchannel_logout_uri: 'https://other.example/', asked: 'pseudonyms', pseudonyms: 'yes' };
    const made = await submit(await open('/new?audience=member'), { ...entered, ...forged });
    const application = await stored(readPage(made.html).getByLabelText('Client ID').value);
    expect(application).toMatchObject({ clientName: 'Library' });
    expect(application).not.toHaveProperty('subject');
    expect(application).not.toHaveProperty('backchannelLogoutUri');
  });
});

test('people who are connected are disconnected by a change of pseudonyms, which asks first and keeps what was entered', async () => {
  const { application, clientSecret = '' } = await schools.campus.applications.create(siteOf(schools), {
    clientName: 'Library',
    redirectUris: [redirectUri],
    scopes: ['openid'],
    confidential: true,
    signIn: {},
  });
  const { clientId } = application;
  await connect(schools.browser('sam'), schools.harbour, {
    id: clientId,
    redirectUri,
    secret: clientSecret,
    scope: 'openid',
  });
  const change = { pseudonyms: 'yes', post_logout_redirect_uris: 'https://library.example/bye' };
  const asked = await submit(await open(`/${clientId}`), change);
  expect(readPage(asked.html).title).toMatch(/^Change how .Library. knows people\?/);
  expect(readPage(asked.html).getByText(/^One person is disconnected/)).toBeDefined();
  expect(readPage(asked.html).getByText(/^It will know people by a code/)).toBeDefined();
  expect(await stored(clientId)).not.toHaveProperty('subject');
  const back = await submit(asked, { action: 'edit' });
  expect(readPage(back.html).getByRole('checkbox', { name: labels[2] }).checked).toBe(true);
  await submit(asked, { action: 'narrow' });
  expect(await stored(clientId)).toMatchObject({
    subject: 'pairwise',
    postLogoutRedirectUris: ['https://library.example/bye'],
  });
  expect(await schools.campus.applications.connections(siteOf(schools), clientId)).toBe(0);
});

test('of two administrators, the second sees what the first has saved', async () => {
  const { clientId } = await create();
  const page = await open(`/${clientId}`);
  await submit(page, { pseudonyms: 'yes', backchannel_logout_uri: logout.backchannelLogoutUri });
  const late = await submit(page, { name: 'Reading room' });
  expect(late.response.status).toBe(409);
  const { text } = readPage(late.html).getByRole('alert');
  expect(text).toContain('Hide names: people appear as codes');
  expect(text).toContain(logout.backchannelLogoutUri);
});
