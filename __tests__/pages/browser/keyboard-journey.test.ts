import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { authorizeUrl, memberApp, pkce } from '../../helpers/flow.ts';
import { pressEnter } from './clicks.ts';
import { galleryInBrowser } from './gallery-in-browser.ts';
import { yourAppsPath } from './states.ts';

const { gallery, browser } = galleryInBrowser();

/** Presses Tab until a control that matches has the focus, in whichever language the page is. */
async function tabInto(page: Page, selector: string): Promise<void> {
  const found = `document.activeElement.matches(${JSON.stringify(selector)})`;
  for (let i = 0; i < 80; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>(found)) return;
  }
  throw new Error(`Tab never reached ${selector}`);
}

test.each([
  ['en', 1280],
  ['zh-Hant', 360],
] as const)(
  'keyboard in %s, in a window of %i pixels: how to connect, what to allow, and the end of it',
  async (language, width) => {
    const context = await browser().newContext({
      viewport: { width, height: 740 },
      extraHTTPHeaders: { 'accept-language': language },
    });
    const origin = gallery().schools.harbour;
    const page = await context.newPage();
    await page.goto(`${origin}/mcp`);
    expect(await page.evaluate('document.documentElement.lang')).toBe(language);
    await tabInto(page, 'a[href$="as=member"]');
    await pressEnter(page);
    await tabInto(page, '.tiles a[href$="app=chatgpt"]');
    await pressEnter(page);
    expect(await page.locator('.tiles [aria-current]').textContent()).toBe('ChatGPT');

    await context.addCookies([{ name: 'person', value: 'sam', url: origin }]);
    await page.goto(authorizeUrl(origin, memberApp, pkce()).href);
    await tabInto(page, '[name=scope]:checked');
    await page.keyboard.press('Space');
    await tabInto(page, '[value=allow]');
    const sent = page.waitForRequest((request) => request.url().startsWith(memberApp.redirectUri));
    await page.keyboard.press('Enter');
    expect(new URL((await sent).url()).searchParams.has('code')).toBe(true);

    const apps = await context.newPage();
    await apps.goto(origin + yourAppsPath);
    const before = await apps.locator('.apps > li').count();
    const connection = await apps.locator('.apps a', { hasText: 'Pocket School' }).getAttribute('href');
    for (const next of [`.apps a[href="${connection}"]`, 'a.danger', 'button.danger', 'main a.primary']) {
      await tabInto(apps, next);
      await pressEnter(apps);
    }
    expect(await apps.locator('.apps > li').count()).toBe(before - 1);
    await context.close();
  },
);
