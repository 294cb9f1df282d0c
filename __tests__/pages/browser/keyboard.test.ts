import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { authorizeUrl, connect, memberApp, pkce } from '../../helpers/flow.ts';
import { galleryInBrowser } from './gallery-in-browser.ts';
import { pressEnter } from './clicks.ts';
import { applicationsPath, yourAppsPath, everything, schoolPath } from './states.ts';

const { gallery, browser } = galleryInBrowser();

async function open(person: string, path: string, javaScriptEnabled = true): Promise<Page> {
  const context = await browser().newContext({ javaScriptEnabled });
  await context.addCookies([{ name: 'person', value: person, url: gallery().schools.harbour }]);
  const page = await context.newPage();
  await page.goto(new URL(path, gallery().schools.harbour).href);
  return page;
}

/** Presses Tab until the wanted control has the focus. Returns the names of all controls that had it. */
async function tabTo(page: Page, wanted: string | RegExp): Promise<string[]> {
  const seen: string[] = [];
  for (let i = 0; i < 80; i += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate<string>(
      `(({ activeElement: e }) => {
        const read = e.cloneNode(true);
        for (const hidden of read.querySelectorAll('[aria-hidden]')) hidden.remove();
        return e.getAttribute('aria-label') || e.labels?.[0]?.textContent.trim() || read.textContent.trim();
      })(document)`,
    );
    seen.push(name);
    if (wanted instanceof RegExp ? wanted.test(name) : name.startsWith(wanted)) return seen;
  }
  throw new Error(`Tab never reached ${String(wanted)}: ${seen.join(' | ')}`);
}

test('keyboard on the consent page: visual focus order, Space unticks a scope, Enter there does nothing, on the button it allows', async () => {
  const page = await open('sam', authorizeUrl(gallery().schools.harbour, memberApp, pkce()).href);
  expect(await tabTo(page, 'View your account')).toEqual([
    'Harbour School',
    'Not you?',
    expect.stringContaining('View your account'),
  ]);
  await page.keyboard.press('Space');
  const here = page.url();
  await page.keyboard.press('Enter');
  expect([page.url(), await page.getByLabel('View your account').isChecked()]).toEqual([here, false]);
  expect(await tabTo(page, /Connect$/)).toEqual([
    expect.stringContaining('Mark your notifications as read'),
    expect.stringMatching(/^It also sees who you are\s*Name, email, roles, and 1 more$/),
    'Technical details',
    'Your apps',
    expect.stringMatching(/Connect$/),
  ]);
  const sent = page.waitForRequest((request) => request.url().startsWith(memberApp.redirectUri));
  await page.keyboard.press('Enter');
  expect(new URL((await sent).url()).searchParams.has('code')).toBe(true);
  await page.context().close();
});

test('keyboard from the applications to a new one for operators: the problem summary gets the focus and links to the fields', async () => {
  const page = await open('olivia', applicationsPath);
  expect(await tabTo(page, 'New')).toEqual([
    'Harbour School',
    'Skip to the content',
    'Apps',
    'Requests, 2 open',
    'People',
    'Activity',
    'Developers',
    'Download as CSV',
    'New',
  ]);
  await page.keyboard.press('Space');
  const forOperators = 'App for operators It helps to run the school; only operators connect it';
  expect(await tabTo(page, forOperators)).toEqual([
    'App for members Each person connects it to their own account',
    forOperators,
  ]);
  await pressEnter(page);
  await tabTo(page, 'Name');
  await page.keyboard.type('Reading Club');
  await pressEnter(page);
  await page.locator('[role=alert]:focus').waitFor();
  await tabTo(page, 'Redirect URIs');
  await page.keyboard.press('Enter');
  await page.locator('#redirect_uris:focus').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Reading Club');
  await page.keyboard.type('https://reading.example/cb');
  await tabTo(page, /^Create$/);
  await pressEnter(page);
  expect(await page.locator('h1').textContent()).toBe('Reading Club is ready');
  const { applications } = gallery().schools.campus;
  const made = (await applications.list(gallery().site)).find(({ clientName }) => clientName === 'Reading Club');
  expect(made?.audience).toBe('operator');
  await page.context().close();
});

test('keyboard on a new application: choosing an app, and another one, keeps what was typed', async () => {
  const page = await open('olivia', `${applicationsPath}/new?audience=operator`, false);
  const value = (label: string): Promise<string> => page.getByLabel(label, { exact: true }).inputValue();
  await page.getByLabel('Redirect URIs').fill('https://own.example/callback');
  await page.getByLabel('Website').fill('https://own.example/');
  await page.getByLabel('View courses').check();
  for (const app of ['ChatGPT', 'Claude']) {
    await page.evaluate('scrollTo(0, 0); document.activeElement.blur()');
    await tabTo(page, app);
    await pressEnter(page);
    expect([await value('Name'), await page.getByLabel('Website').inputValue()]).toEqual([app, 'https://own.example/']);
  }
  expect(new URL(page.url()).searchParams.get('app')).toBe('claude');
  expect((await value('Redirect URIs')).split('\n')).toEqual([
    'https://own.example/callback',
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
  ]);
  expect(await page.getByLabel('View courses').isChecked()).toBe(true);
  await page.getByLabel('Name', { exact: true }).fill('Our assistant');
  await tabTo(page, 'Redirect URIs');
  await page.evaluate('scrollTo(0, 0); document.activeElement.blur()');
  await tabTo(page, 'Another app');
  await pressEnter(page);
  expect([await value('Name'), await value('Redirect URIs')]).toEqual([
    'Our assistant',
    'https://own.example/callback',
  ]);
  await page.context().close();
});

test('keyboard to the languages at the foot of a page: the choice holds for the next pages', async () => {
  const page = await open('sam', authorizeUrl(gallery().schools.harbour, memberApp, pkce()).href);
  await tabTo(page, '繁體中文');
  await pressEnter(page);
  expect(await page.getByRole('button', { name: /^連結/ }).count()).toBe(1);
  await page.goto(`${gallery().schools.harbour}${yourAppsPath}`);
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-Hant');
  await tabTo(page, 'English');
  await pressEnter(page);
  expect(await page.locator('h1').textContent()).toBe('Your apps');
  await page.context().close();
});

test('keyboard on a long consent page: it fits into four windows, and what has the focus is never under the buttons', async () => {
  const { harbour } = gallery().schools;
  const page = await open('olivia', authorizeUrl(harbour, everything(gallery()), pkce()).href);
  await page.setViewportSize({ width: 1024, height: 720 });
  expect(await page.locator('[name=scope]').count()).toBe(34);
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(4 * 720);
  const allow = page.getByRole('button', { name: /^Connect/ });
  await page.setViewportSize({ width: 1024, height: 900 });
  expect((await allow.boundingBox())?.y).toBeLessThan(900);
  for (const height of [720, 300]) {
    await page.setViewportSize({ width: 320, height });
    await page.evaluate('scrollTo(0, 0); document.activeElement.blur()');
    for (let i = 0; i < 36; i += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate<boolean>(isFocusVisible)).toBe(true);
    }
  }
  await page.context().close();
});

/** Whether the middle of what has the focus is in the window, and nothing lies over it. After the last control, the page has it. */
const isFocusVisible = `(() => {
  const focused = document.activeElement;
  if (focused === document.body) return true;
  const { x, y, width, height } = focused.getBoundingClientRect();
  const there = document.elementFromPoint(x + width / 2, y + height - 1);
  // What contains it does not lie over it.
  return there !== null && (focused.contains(there) || there.contains(focused));
})()`;

test('keyboard on the connected apps: Enter opens one, Space takes a permission away, Enter disconnects after a question, and a receipt leads back', async () => {
  const page = await open('sam', yourAppsPath);
  const before = await page.locator('.apps > li').count();
  await tabTo(page, 'Study Timer');
  await pressEnter(page);
  await tabTo(page, 'View your account');
  await page.keyboard.press('Space');
  await tabTo(page, 'Save');
  await pressEnter(page);
  // Waits: what has `autofocus` gets the focus when the page is first drawn, which may be after `load`.
  const focused = (): Promise<string | null> => page.locator('[role=status]:focus').textContent();
  expect(await focused()).toBe('One permission was removed.');
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(1);
  await tabTo(page, 'Disconnect');
  await pressEnter(page);
  await tabTo(page, 'Disconnect');
  await pressEnter(page);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Study Timer is disconnected.');
  await tabTo(page, 'Your apps');
  await pressEnter(page);
  expect(await page.locator('.apps > li').count()).toBe(before - 1);
  await page.context().close();
});

test('keyboard without JavaScript: a person signs one device out, and an operator follows a name through Activity', async () => {
  const { schools } = gallery();
  await connect(schools.browser('maya'), schools.harbour, memberApp, { scope: 'openid account:read' });
  const page = await open('maya', yourAppsPath, false);
  await tabTo(page, 'Pocket School');
  await pressEnter(page);
  await tabTo(page, 'Sign out this device, 2 of 2');
  await pressEnter(page);
  expect(await page.locator('[role=status]:focus').textContent()).toContain('The device is signed out.');
  expect(await page.getByRole('button', { name: 'Sign out this device' }).count()).toBe(1);
  await page.context().close();

  const operators = await open('olivia', `${schoolPath}?client=${memberApp.id}`, false);
  await tabTo(operators, 'All activity');
  await pressEnter(operators);
  expect(await operators.locator('.events li').first().textContent()).toContain(
    'Maya Student signed Pocket School out on a device',
  );
  await tabTo(operators, 'Maya Student');
  await pressEnter(operators);
  expect(await operators.locator('.only').textContent()).toBe('Only entries of Maya Student · Open this person');
  await tabTo(operators, 'Show all entries');
  await pressEnter(operators);
  expect(await operators.locator('.only').count()).toBe(0);
  await operators.context().close();
});

test('keyboard without JavaScript: an operator creates an application, goes back and reloads, and nothing is repeated', async () => {
  const page = await open('olivia', `${applicationsPath}/new?audience=operator&app=claude`, false);
  const before = (await gallery().schools.campus.applications.list(gallery().site)).length;
  await tabTo(page, /^Create$/);
  await pressEnter(page);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Claude is ready');
  expect(await page.getByLabel('Client secret', { exact: true }).inputValue()).toMatch(/^[\w-]{43}$/);
  await page.reload();
  expect(await page.getByLabel('Client secret', { exact: true }).count()).toBe(0);
  await page.goBack();
  await page.goForward();
  expect(await page.textContent('main')).toContain('so it can’t be shown again');
  expect(await gallery().schools.campus.applications.list(gallery().site)).toHaveLength(before + 1);

  await tabTo(page, 'Create a new secret');
  await pressEnter(page);
  await tabTo(page, 'Create a new secret');
  await pressEnter(page);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Claude has a new secret');
  await page.context().close();
});

test('keyboard without JavaScript: an operator goes to the apps, narrows their list, and disconnects unused apps', async () => {
  const page = await open('olivia', applicationsPath, false);
  await tabTo(page, 'Apps');
  await pressEnter(page);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Apps');
  await tabTo(page, 'One app unused for 90 days');
  await pressEnter(page);
  await tabTo(page, 'Search apps by name');
  expect((await tabTo(page, 'Show')).map((name) => name.replace(/(?:Any|Used any|Most people).*/, ''))).toEqual([
    'For whom',
    'Status',
    'Order',
    'Show',
  ]);
  expect(new URL(page.url()).searchParams.get('used')).toBe('unused');
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
  await tabTo(page, 'Disconnect these apps');
  await pressEnter(page);
  expect(await page.textContent('main')).toContain('One app was last used more than 90 days ago. One person is');
  await tabTo(page, 'Disconnect these apps');
  await pressEnter(page);
  expect(await page.locator('[role=status]:focus').textContent()).toBe('1 of 1 app disconnected.');
  const { apps } = gallery().schools.campus;
  expect((await apps.find(gallery().site, { clientId: 'unused' })).people).toBe(0);
  await page.context().close();
});

test('keyboard without JavaScript: an operator removes a permission, disconnects everyone, blocks a client and takes that back', async () => {
  const { schools, site } = gallery();
  const redirectUri = 'https://notes.example/callback';
  const { application } = await schools.campus.applications.create(site, {
    clientName: 'Notes',
    redirectUris: [redirectUri],
    scopes: ['openid', 'account:read', 'account:write'],
    confidential: false,
  });
  const notes = { id: application.clientId, redirectUri, scope: 'openid account:read' };
  for (const client of [notes, memberApp]) await connect(schools.browser('olivia'), schools.harbour, client);
  const page = await open('olivia', `${applicationsPath}/${application.clientId}`, false);
  await tabTo(page, 'Mark each person’s notifications as read');
  await page.keyboard.press('Space');
  await tabTo(page, 'Save');
  await pressEnter(page);
  expect(await page.textContent('main')).toContain('One person is disconnected right away and can connect again.');
  await tabTo(page, 'Save and disconnect');
  await pressEnter(page);
  expect(await schools.campus.applications.connections(site, application.clientId)).toBe(0);

  await page.goto(`${schools.harbour}${schoolPath}?q=pocket`);
  await tabTo(page, 'Pocket School');
  await pressEnter(page);
  for (let i = 0; i < 2; i += 1) {
    await tabTo(page, 'Disconnect everyone');
    await pressEnter(page);
  }
  expect(await page.getByRole('status').textContent()).toBe('Nobody is connected to this app now.');
  await tabTo(page, 'Allow');
  await page.keyboard.press('ArrowUp');
  expect(await page.getByRole('radio', { name: 'Block', exact: true }).isChecked()).toBe(true);
  await tabTo(page, 'Save');
  await pressEnter(page);
  expect(await page.getByRole('status').textContent()).toBe('The decision is saved.');
  await tabTo(page, 'Use the default');
  await pressEnter(page);
  expect(await page.getByRole('status').textContent()).toBe('The school has no decision on it now.');
  await page.context().close();
});
