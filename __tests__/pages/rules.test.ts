import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Site } from '../../lib/index.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import type { Browser, Stop } from '../helpers/browser.ts';
import { authorizeUrl, connect, jsonResponse, memberApp, pkce, userinfo } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
let browser: Browser;
beforeEach(async () => {
  schools = await startSchools({
    campus: {
      registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
      access: [({ app }) => (app.claimedId === 'codex' ? { access: 'blocked' } : undefined)],
    },
  });
  browser = schools.browser('olivia');
});
afterEach(() => schools.close());

const site = (): Site => harbourSite(schools.harbour, { connectionsEnabled: false });
const at = (query: string): string => `${schools.harbour}/developers/apps${query}`;
const ruleOf = async (app: string) => (await schools.campus.apps.find(site(), app)).own;

/** Posts the last form of a page as a browser would, with changes. */
async function submit(page: Stop, changes: readonly (readonly [string, string])[], csrf?: string): Promise<Stop> {
  const form = readPage(page.html)
    .getAllByRole('form')
    .find(({ fields }) => fields.get('action') === 'rule');
  const body = new URLSearchParams(form?.fields);
  for (const [name] of changes) body.delete(name);
  for (const [name, value] of changes) body.append(name, value);
  if (csrf !== undefined) body.set('csrf', csrf);
  return browser.follow(new URL(form?.attribute('action') ?? '', page.url), { method: 'POST', body });
}

test('an operator finds an app, sets a rule with roles and permissions, sees it, and removes it', async () => {
  const page = await browser.follow(at('?app=claude'));
  readPage(page.html).getByRole('heading', { name: 'Claude', level: 1 });
  expect(readPage(page.html).getByRole('radio', { name: 'Allow' }).checked).toBe(true);
  expect(readPage(page.html).queryByRole('button', { name: 'Use the default' })).toBeUndefined();
  const saved = await submit(page, [
    ['access', 'view_only'],
    ['roles', ' owner , teacher,owner,'],
    ['limited', 'yes'],
    ['scope', 'courses:read'],
  ]);
  expect(saved.html).toContain('The decision is saved.');
  const rule = {
    access: 'view_only',
    roles: ['owner', 'teacher'],
    scopes: ['openid', 'profile', 'email', 'courses:read'],
  };
  expect(await ruleOf('claude')).toEqual(rule);
  expect(readPage(saved.html).text).toContain('Only people with one of these roles can connect it: owner, teacher.');
  const listed = readPage((await browser.follow(at('?q=claude&status=view_only'))).html);
  expect(listed.getByRole('link', { name: 'Claude' }).href).toBe('/developers/apps?app=claude');
  await submit(saved, []);
  expect(await ruleOf('claude')).toEqual(rule);
  const decided = await browser.follow(at('?app=claude'));
  expect(readPage(decided.html).getByRole('button', { name: 'Use the default' }).description).toBe(
    'Without a decision, the platform’s default applies.',
  );
  const removed = await submit(decided, [['access', 'default']]);
  expect(removed.html).toContain('The school has no decision on it now.');
  expect(readPage(removed.html).queryByRole('button', { name: 'Use the default' })).toBeUndefined();
  expect(await ruleOf('claude')).toBeUndefined();
});

test('before people are disconnected, the page says how many, and nothing has happened', async () => {
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
  const asked = await submit(await browser.follow(at(`?client=${memberApp.id}`)), [
    ['access', 'allowed'],
    ['roles', 'owner'],
    ['limited', 'yes'],
    ['scope', 'account:read'],
  ]);
  readPage(asked.html).getByRole('heading', { name: 'Allow Pocket School only for owner?' });
  expect(readPage(asked.html).text).toContain(
    'One person (student) is disconnected right away and can’t connect it again.',
  );
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
  const saved = await submit(asked, []);
  expect(readPage(saved.html).text).toContain('The decision is saved. One person was disconnected.');
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(401);
  expect((await schools.campus.apps.find(site(), { clientId: memberApp.id })).own).toEqual({
    access: 'allowed',
    roles: ['owner'],
    scopes: ['openid', 'profile', 'email', 'account:read'],
  });
});

test('a rule of the platform is shown, and stays', async () => {
  const page = await browser.follow(at('?app=codex'));
  expect(page.html).toContain('Nobody can connect it.');
  expect(page.html).toContain('The platform has a stricter rule than the school.');
  const saved = await submit(page, [['access', 'allowed']]);
  expect(saved.html).toContain('Nobody can connect it.');
});

test('who is behind an app is one sentence, and one tile, on all pages', async () => {
  const sam = schools.browser('sam');
  const sentence = 'Set up by the platform that Harbour School uses.';
  const consent = await sam.follow(authorizeUrl(schools.harbour, memberApp, pkce()));
  expect(readPage(consent.html).text).toContain(`${sentence} Any app on this computer can call itself Pocket School.`);
  expect(readPage(consent.html).text).not.toContain('Not verified');
  await connect(sam, schools.harbour, memberApp);
  const [own] = await schools.campus.connections.list(site(), 'sam');
  const pages = [
    await sam.follow(`${schools.harbour}/account/apps/${own?.id}`),
    await browser.follow(at(`?client=${memberApp.id}`)),
  ];
  for (const { html } of pages) expect(readPage(html).text).toContain(sentence);

  const body = JSON.stringify({ client_name: 'Claude Code', redirect_uris: ['http://127.0.0.1:50123/callback'] });
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
  const redirectUri = 'http://127.0.0.1:50123/callback';
  const { body: made } = await jsonResponse(registered);
  await connect(browser, schools.harbour, { id: String(made['client_id']), redirectUri, scope: 'openid' });
  const [theirs] = await schools.campus.connections.list(site(), 'olivia');
  const unverified = [
    await browser.follow(at('?q=claude+code')),
    await browser.follow(at('?app=claude-code')),
    await browser.follow(`${schools.harbour}/account/apps/${theirs?.id}`),
  ];
  for (const { html } of unverified) {
    expect(html).toMatch(/class="tile(?: s)? unknown"/);
    expect(readPage(html).text).not.toContain('By Anthropic');
  }
});

test('only operators with a form of their own; an unknown app has no page', async () => {
  const page = await browser.follow(at('?app=claude'));
  expect((await submit(page, [['access', 'blocked']], 'x')).response.status).toBe(400);
  const body = new URLSearchParams({ action: 'rule', app: 'claude', access: 'blocked' });
  expect((await schools.browser('sam').follow(at('?app=claude'), { method: 'POST', body })).response.status).toBe(403);
  expect((await browser.follow(at('?app=%3Cb%3E'))).response.status).toBe(404);
  expect(
    (
      await submit(page, [
        ['app', 'nothing'],
        ['access', 'blocked'],
      ])
    ).response.status,
  ).toBe(404);
  expect(await schools.campus.apps.list(site())).not.toContainEqual(expect.objectContaining({ from: 'school' }));
});
