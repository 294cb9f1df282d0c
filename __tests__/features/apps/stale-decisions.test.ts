import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppRule } from '../../../lib/core/access/rule.ts';
import type { VersionConflict, Site } from '../../../lib/index.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../../policies/index.ts';
import type { Stop } from '../../helpers/browser.ts';
import { setClockAhead } from '../../helpers/clock.ts';
import { authorizeUrl, connect, pkce, type TestClient, registerClaude } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { namedApp } from '../../../lib/core/apps/named-app.ts';

// What an administrator has seen is what they decide on: a decision of somebody else since then is not undone.

let schools: Schools;
beforeEach(async () => {
  const registration = [vendorPlatforms(wellKnownVendors), loopbackClients()];
  const platform = { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'] };
  schools = await startSchools({ ...plugins, campus: { registration }, platform });
  const { olivia, sam } = schools.people['harbour'] ?? {};
  if (!olivia || !sam) throw new Error('the school has no people');
  const oscar = { ...olivia, id: 'oscar', name: 'Oscar Owner' };
  const tess = { ...olivia, id: 'tess', name: 'Tess Teacher', roles: ['teacher'] };
  schools.people['harbour'] = { olivia, oscar, sam, tess };
});
afterEach(async () => {
  setClockAhead(0);
  await schools.close();
});

const site = (): Site => siteOf(schools);
const apps = () => schools.campus.apps;
const claude = { app: 'claude' } as const;
const oscars = { by: 'oscar' } as const;

const register = (): Promise<TestClient> => registerClaude(schools.harbour);

const versionOf = async (target: { app: string } | { clientId: string }): Promise<string> =>
  (await apps().find(site(), namedApp(target))).version;

/** What an administrator is told who decides by an old version. */
const conflict = (what: string, by = 'oscar') => ({
  name: 'VersionConflict',
  error: 'conflict',
  status: 409,
  decided: { at: expect.any(Number), by },
  message: expect.stringMatching(
    new RegExp(`^${by} has decided on ${what} since it was shown, at \\d{4}-\\d\\d-\\d\\dT.*Z; look at it again$`),
  ),
});

describe('a method with the version that was seen', () => {
  test.each<[string, (version: string) => Promise<unknown>]>([
    ['set', (version) => apps().set(site(), claude.app, { access: 'allowed' }, { version })],
    ['reset', (version) => apps().reset(site(), claude.app, { version })],
    ['allowPerson', (version) => apps().allowPerson(site(), claude.app, 'sam', { version })],
  ])('%s undoes no block of somebody else', async (_name, decide) => {
    const seen = await versionOf(claude);
    await apps().set(site(), claude.app, { access: 'blocked' }, oscars);
    await expect(decide(seen)).rejects.toMatchObject(conflict('the app claude'));
    expect(await apps().find(site(), claude.app)).toMatchObject({ status: 'blocked', decided: { by: 'oscar' } });
    expect(await apps().allowedPeople(site(), claude.app)).toEqual([]);
    await decide(await versionOf(claude));
  });

  test('a block of a client and its end decide on what was seen', async () => {
    const clientId = 'somebody';
    const target = { clientId };
    const seen = { version: await versionOf(target) };
    await apps().set(site(), target, { access: 'allowed', ask: true }, oscars);
    await expect(apps().set(site(), { clientId }, { access: 'blocked' }, seen)).rejects.toMatchObject(
      conflict(clientId),
    );
    const asks = { version: await versionOf(target) };
    await apps().set(site(), { clientId }, { access: 'blocked' }, asks);
    await expect(apps().reset(site(), { clientId }, asks)).rejects.toMatchObject({ status: 409 });
    await apps().reset(site(), target, { version: await versionOf(target) });
    expect((await apps().find(site(), target)).status).toBe('allowed');
  });

  test('a block of the app is not undone for one client of it, whose own rule would be in its place', async () => {
    const target = { clientId: (await register()).id };
    const seen = { version: await versionOf(target) };
    await apps().set(site(), claude.app, { access: 'blocked' }, oscars);
    await expect(apps().set(site(), target, { access: 'allowed' }, seen)).rejects.toMatchObject(
      conflict(target.clientId),
    );
    expect(await apps().find(site(), target)).toMatchObject({ status: 'blocked' });
    await apps().set(site(), target, { access: 'allowed', ask: true }, oscars);
    // From now on what is decided on the app does not count for the client.
    const own = { version: await versionOf(target) };
    await apps().set(site(), claude.app, { access: 'allowed' }, oscars);
    await apps().set(site(), target, { access: 'blocked' }, own);
  });

  test('resetPerson takes back the decision that was seen', async () => {
    await apps().set(site(), claude.app, { access: 'allowed', ask: true });
    await apps().allowPerson(site(), claude.app, 'sam', oscars);
    const [seen] = await apps().allowedPeople(site(), claude.app);
    await apps().resetPerson(site(), claude.app, 'sam', { version: seen?.version });
    setClockAhead(60);
    await apps().allowPerson(site(), claude.app, 'sam', oscars);
    await expect(apps().resetPerson(site(), claude.app, 'sam', { version: seen?.version })).rejects.toMatchObject(
      conflict('sam for app claude'),
    );
    expect(await apps().allowedPeople(site(), claude.app)).toHaveLength(1);
  });

  test('what was taken back is said as well', async () => {
    await apps().set(site(), claude.app, { access: 'blocked' });
    const version = await versionOf(claude);
    await apps().reset(site(), claude.app);
    const decided = apps().set(site(), claude.app, { access: 'allowed', ask: true }, { version });
    const message = 'the decision on the app claude has been taken back since it was shown; look at it again';
    await expect(decided).rejects.toMatchObject({ status: 409, decided: undefined, message });
  });

  test('the same decision once more is no conflict, and without a version nothing is', async () => {
    const version = await versionOf(claude);
    const rule = { access: 'view_only', roles: ['owner'] } as const;
    await apps().set(site(), claude.app, rule, { version });
    await apps().set(site(), claude.app, rule, { version });
    await apps().set(site(), claude.app, { access: 'blocked' });
    const blocked = await versionOf(claude);
    await apps().reset(site(), claude.app, { version: blocked });
    expect(await apps().reset(site(), claude.app, { version: blocked })).toEqual({ ended: 0, atRefresh: 0 });
  });

  test('who has decided can be forgotten, and the version stays', async () => {
    await apps().set(site(), claude.app, { access: 'allowed', ask: true }, oscars);
    const version = await versionOf(claude);
    const listed = (await apps().list(site())).find(({ app }) => app === 'claude');
    expect(listed?.version).toBe(version);
    await schools.campus.members.erase(site(), 'oscar');
    await apps().set(site(), claude.app, { access: 'blocked' }, { version });
  });
});

const console = '/developers/apps';
const open = (query: string, person = 'olivia'): Promise<Stop> =>
  schools.browser(person).follow(`${schools.harbour}${console}?${query}`);

/** Posts a form of a page as a browser would, with changes. */
async function submit(
  { html, url }: Stop,
  action: string,
  changes: Readonly<Record<string, string>> = {},
  language = 'en',
): Promise<Stop> {
  const form = readPage(html)
    .getAllByRole('form')
    .find(
      ({ fields }) =>
        fields.get('action') === action && (fields.get('access') === 'default') === (changes['access'] === 'default'),
    );
  const body = new URLSearchParams(form?.fields);
  for (const [name, value] of Object.entries(changes)) body.set(name, value);
  const headers = { 'accept-language': language };
  return schools.browser('olivia').follow(url, { method: 'POST', body, headers });
}

describe('a page that somebody has opened before', () => {
  const said = /Oscar Owner<\/bdi> changed this after you opened the page/;

  test.each<[string, Readonly<Record<string, string>>]>([
    ['allowed', { access: 'allowed' }],
    ['view_only', { access: 'view_only' }],
    ['ask', { access: 'allowed', ask: 'ask' }],
    ['default', { access: 'default' }],
  ])('does not undo a block with “%s”', async (_choice, fields) => {
    await apps().set(site(), claude.app, { access: 'view_only', roles: ['owner'] }, { by: 'olivia' });
    const page = await open('app=claude');
    await apps().set(site(), claude.app, { access: 'blocked' }, oscars);
    const { response, html } = await submit(page, 'rule', fields);
    expect([response.status, said.test(html)]).toEqual([409, true]);
    expect(readPage(html).getByText('Blocked').attribute('class')).toBe('status blocked');
    expect(await apps().find(site(), claude.app)).toMatchObject({ status: 'blocked', decided: { by: 'oscar' } });
    // The page that says so is the current one.
    await submit({ response, html, url: page.url }, 'rule', fields);
    expect((await apps().find(site(), claude.app)).status).not.toBe('blocked');
  });

  test('does not block what somebody has just decided on', async () => {
    const page = await open('app=claude');
    await apps().set(site(), claude.app, { access: 'allowed', ask: true }, oscars);
    const { response, html } = await submit(page, 'rule', { access: 'blocked' });
    expect([response.status, said.test(html)]).toEqual([409, true]);
    expect((await apps().find(site(), claude.app)).rule).toEqual({ access: 'allowed', ask: true });
  });

  test('keeps what was seen through the confirmation', async () => {
    await connect(schools.browser('olivia'), schools.harbour, await register());
    const page = await open('app=claude');
    const confirm = await submit(page, 'rule', { access: 'blocked' });
    readPage(confirm.html).getByRole('heading', { name: 'Block Claude?' });
    await apps().set(site(), claude.app, { access: 'view_only' }, oscars);
    expect((await submit(confirm, 'rule')).response.status).toBe(409);
  });

  test('of a client, whose app was blocked', async () => {
    const client = await register();
    await connect(schools.browser('olivia'), schools.harbour, client);
    const page = await open(`client=${client.id}`);
    await apps().set(site(), claude.app, { access: 'blocked' }, oscars);
    const { response, html } = await submit(page, 'rule', { access: 'allowed' });
    expect([response.status, said.test(html)]).toEqual([409, true]);
  });

  test('does not take back what somebody has decided on a person again', async () => {
    await apps().set(site(), claude.app, { access: 'allowed', ask: true });
    await apps().allowPerson(site(), claude.app, 'sam');
    const page = await open('app=claude');
    setClockAhead(60);
    await apps().allowPerson(site(), claude.app, 'sam', oscars);
    const { response, html } = await submit(page, 'reset-person');
    expect([response.status, said.test(html)]).toEqual([409, true]);
    expect(await apps().allowedPeople(site(), claude.app)).toHaveLength(1);
  });

  test('says it in the language of the page, and what the person has done in another window', async () => {
    const page = await open('app=claude');
    await apps().set(site(), claude.app, { access: 'blocked' }, oscars);
    const { html } = await submit(page, 'rule', { access: 'allowed', ask: 'ask' }, 'zh-Hant');
    expect(html).toMatch(/您開啟這個頁面之後，<bdi>Oscar Owner<\/bdi> 變更了它/);
    const mine = await open('app=claude');
    await apps().set(site(), claude.app, { access: 'allowed', ask: true }, { by: 'olivia' });
    const again = await submit(mine, 'rule', { access: 'allowed' });
    expect(again.html).toContain('You changed this in another window after you opened the page');
  });

  test('keeps what was entered, and the navigation', async () => {
    const page = await open('app=claude');
    await apps().set(site(), claude.app, { access: 'allowed', ask: true }, oscars);
    const stale = await submit(page, 'rule', { access: 'view_only', note: 'For the lab' });
    expect(stale.response.status).toBe(409);
    const shown = readPage(stale.html);
    shown.getByRole('navigation', { name: 'Console for administrators' });
    expect(shown.getByRole('radio', { name: 'View only' }).checked).toBe(true);
    expect(shown.getByLabelText('Reason').value).toBe('For the lab');
    await submit(stale, 'rule');
    expect(await apps().find(site(), claude.app)).toMatchObject({
      own: { access: 'view_only' },
      decided: { by: 'olivia', note: 'For the lab' },
    });
  });

  test('a form without a version has shown nothing', async () => {
    const page = await open('app=claude');
    await apps().set(site(), claude.app, { access: 'blocked' }, oscars);
    expect((await submit(page, 'rule', { access: 'view_only', version: '' })).response.status).toBe(409);
  });
});

describe('a request to connect an app', () => {
  const requests = (): Promise<Stop> =>
    schools.browser('olivia').follow(`${schools.harbour}/developers/oauth-applications/asked`);

  /** A teacher wants to connect it, and is told to ask. */
  async function asked(rule: AppRule): Promise<void> {
    const client = await register();
    await apps().set(site(), claude.app, rule, { by: 'olivia' });
    const tess = schools.browser('tess');
    const page = await tess.follow(authorizeUrl(schools.harbour, client, pkce()));
    const body = readPage(page.html).fields;
    body.set('decision', 'ask');
    await tess.follow(page.url, { method: 'POST', body });
  }

  test.each(['people', 'everyone'])('is not granted for %s, if it was blocked meanwhile', async (whom) => {
    await asked({ access: 'allowed', ask: true });
    const page = await requests();
    await apps().set(site(), claude.app, { access: 'blocked' }, oscars);
    const { response, html } = await submit(page, 'approve', { for: whom });
    expect([response.status, /Oscar Owner<\/bdi> changed this/.test(html)]).toEqual([409, true]);
    expect(await apps().find(site(), claude.app)).toMatchObject({ status: 'blocked', decided: { by: 'oscar' } });
    expect(await schools.campus.requests.list(site(), { status: 'open' })).toHaveLength(1);
  });

  test('is granted by a page that is current', async () => {
    await asked({ access: 'blocked' });
    expect((await submit(await requests(), 'approve', { for: 'people' })).response.status).toBe(200);
    expect((await apps().find(site(), claude.app)).rule.ask).toBe(true);
    expect(await apps().allowedPeople(site(), claude.app)).toMatchObject([{ memberId: 'tess', by: 'olivia' }]);
  });

  test('decided by somebody else says who and when', async () => {
    await asked({ access: 'allowed', ask: true });
    const [made] = await schools.campus.requests.list(site());
    const id = made?.id ?? '';
    await schools.campus.requests.decline(site(), id, 'No', { by: 'oscar' });
    const late: Promise<VersionConflict> = schools.campus.requests.decline(site(), id).then(
      () => Promise.reject(new Error('it was declined twice')),
      (error: VersionConflict) => error,
    );
    expect(await late).toMatchObject(conflict(`the request ${id}`));
  });
});

describe('an application', () => {
  async function make(): Promise<{ readonly clientId: string; readonly version: string }> {
    const settings = {
      clientName: 'Timer',
      redirectUris: ['https://timer.example/callback'],
      scopes: ['openid'],
    } as const;
    const { application } = await schools.campus.applications.create(site(), { ...settings, confidential: true });
    return application;
  }
  const path = '/developers/oauth-applications';

  test.each<[string, (clientId: string, version: string) => Promise<unknown>]>([
    ['update', (id, version) => schools.campus.applications.update(site(), id, { clientName: 'Clock' }, { version })],
    ['rotateSecret', (id, version) => schools.campus.applications.rotateSecret(site(), id, { version })],
    ['remove', (id, version) => schools.campus.applications.remove(site(), id, { version })],
  ])('%s says who has changed it', async (_name, change) => {
    const { clientId, version } = await make();
    await schools.campus.applications.update(site(), clientId, { clientName: 'Watch' }, { version, by: 'oscar' });
    await expect(change(clientId, version)).rejects.toMatchObject(conflict(`the application ${clientId}`));
    const current = await schools.campus.applications.find(site(), clientId);
    expect(current).toMatchObject({ clientName: 'Watch', changedBy: 'oscar', changedAt: expect.any(Number) });
    await change(clientId, current?.version ?? '');
  });

  test.each(['remove', 'rotate'])('its page with the button to %s does not act on another version', async (action) => {
    const { clientId, version } = await make();
    const page = await schools.browser('olivia').follow(`${schools.harbour}${path}/${clientId}?confirm=${action}`);
    await schools.campus.applications.update(site(), clientId, { clientName: 'Watch' }, { version, by: 'oscar' });
    const { response, html } = await submit(page, action);
    expect([response.status, /Oscar Owner<\/bdi> changed this/.test(html)]).toEqual([409, true]);
    expect(await schools.campus.applications.find(site(), clientId)).toMatchObject({ clientName: 'Watch' });
  });
});
