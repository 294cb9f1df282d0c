import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  discovery,
  fetchUserInfo,
  randomPKCECodeVerifier,
  skipSubjectCheck,
} from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../helpers/chromium.ts';
import { connect, memberApp } from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { listen, type TestServer } from '../../helpers/server.ts';
import { followLink, pressButton } from './clicks.ts';
import { applicationsPath, yourAppsPath } from './states.ts';

let schools: Schools;
let browser: Browser;
let application: TestServer;
beforeAll(async () => {
  schools = await startSchools({ mcp: {} });
  browser = await startChromium();
  application = await listen(() => (_req, res) => void res.end('the application'));
});
afterAll(async () => {
  await browser.close();
  await application.close();
  await schools.close();
});

async function open(person: string, javaScriptEnabled: boolean): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled });
  await context.addCookies([{ name: 'person', value: person, url: schools.harbour }]);
  return context.newPage();
}

describe.each([
  ['JavaScript on', true],
  ['JavaScript off', false],
])('with %s', (_name, javaScript) => {
  test('an operator creates an application; a member connects and disconnects it, which invalidates its token', async () => {
    const callback = `http://127.0.0.1:${application.port}/callback`;
    const operator = await open('olivia', javaScript);
    await operator.goto(schools.harbour + applicationsPath);
    await operator.getByText('New', { exact: true }).click();
    await operator.getByRole('link', { name: /^App for members/ }).click();
    await operator.getByLabel('Name', { exact: true }).fill(`Planner ${String(javaScript)}`);
    await operator.getByLabel('Redirect URIs').fill(callback);
    await operator.getByLabel('View each person’s own account').check();
    await operator.getByLabel('Mark each person’s notifications as read').check();
    await pressButton(operator, 'Create');
    const copy = operator.getByRole('button', { name: '\u2068Copy\u2069: \u2068Client secret\u2069' });
    expect(await copy.isVisible()).toBe(javaScript);
    if (javaScript) {
      await operator.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const before = await copy.boundingBox();
      await copy.click();
      await operator.getByText('Copied').waitFor();
      expect(await copy.boundingBox()).toEqual(before);
    }
    const clientId = await operator.getByLabel('Client ID', { exact: true }).inputValue();
    const secret = await operator.getByLabel('Client secret', { exact: true }).inputValue();
    await followLink(operator, 'Done');
    expect(await operator.content()).not.toContain(secret);

    const config = await discovery(new URL(schools.harbour), clientId, secret, ClientSecretPost(secret), {
      execute: [allowInsecureRequests],
    });
    const pkceCodeVerifier = randomPKCECodeVerifier();
    const url = buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid email account:read account:write',
      resource: schools.harbour,
      state: 'the-state',
      code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const member = await open('sam', javaScript);
    await member.goto(url.href);
    expect(await member.getByRole('checkbox').count()).toBe(2);
    await member.getByLabel('Mark your notifications as read').uncheck();
    await pressButton(member, 'Connect, view only');
    const tokens = await authorizationCodeGrant(
      config,
      new URL(member.url()),
      { pkceCodeVerifier, expectedState: 'the-state' },
      { resource: schools.harbour },
    );
    expect(tokens.scope).toBe('openid email account:read');
    const userInfo = () => fetchUserInfo(config, tokens.access_token, skipSubjectCheck);
    expect(await userInfo()).toMatchObject({ sub: 'sam' });

    await member.goto(schools.harbour + yourAppsPath);
    await member.getByRole('link', { name: `Planner ${String(javaScript)}` }).click();
    expect(await member.textContent('main')).toContain('View your account and notifications');
    expect(await member.getByLabel('View your account and notifications').isChecked()).toBe(true);
    expect(await member.getByLabel('Mark your notifications as read').isChecked()).toBe(false);
    expect(await member.textContent('main')).toContain('It asked for this. You left it out.');
    await followLink(member, 'Disconnect');
    await pressButton(member, 'Disconnect');
    expect(await member.locator('h1').textContent()).toBe(`Planner ${String(javaScript)} is disconnected.`);
    await expect(userInfo()).rejects.toMatchObject({ status: 401 });

    await operator.goto(`${schools.harbour}${applicationsPath}/${clientId}`);
    await followLink(operator, 'Remove');
    expect(await operator.textContent('main')).toContain('Nobody is connected.');
    await pressButton(operator, 'Remove');
    expect(await operator.getByRole('status').textContent()).toContain('It was removed.');
    await operator.context().close();
    await member.context().close();
  });
});

describe('Check the connection', () => {
  const path = `${yourAppsPath}/check?client=${memberApp.id}`;
  const text = async (page: Page): Promise<string> => (await page.textContent('#live')) ?? '';

  test('finds out by itself, asks ever less often, and stops', async () => {
    const sam = await open('sam', true);
    await sam.clock.install();
    let asked = 0;
    sam.on('response', (response) => void (asked += Number(response.url().includes('/check?'))));
    await sam.goto(schools.harbour + path);
    expect(await text(sam)).toContain('Not known');
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    const response = sam.waitForResponse((each) => each.url().includes('/check?'));
    await sam.clock.runFor(3000);
    await response;
    await sam.getByText('Done').first().waitFor();
    // Without a log there is no more to find out.
    await sam.clock.runFor(24 * 60 * 60 * 1000);
    expect(asked).toBe(2);
    await sam.context().close();
  });

  test('asks at most 12 times while nothing happens', async () => {
    const olivia = await open('olivia', true);
    await olivia.clock.install();
    await olivia.goto(schools.harbour + path);
    for (let times = 1, wait = 3000; times <= 12; times += 1, wait *= 1.5) {
      const response = olivia.waitForResponse((each) => each.url().includes('/check?'));
      await olivia.clock.runFor(wait);
      await (await response).finished();
      // The next one is planned once the page was read.
      await olivia.waitForFunction((n) => Number(document.getElementById('live')?.dataset['asked']) === n, times);
    }
    let more = 0;
    olivia.on('request', () => void (more += 1));
    await olivia.clock.runFor(24 * 60 * 60 * 1000);
    expect(more).toBe(0);
    await olivia.context().close();
  });

  test('needs no script', async () => {
    const noScript = await open('olivia', false);
    await noScript.goto(schools.harbour + path);
    await followLink(noScript, 'Check again');
    expect(new URL(noScript.url()).search).toBe(`?client=${memberApp.id}`);
    await noScript.context().close();
  });
});
