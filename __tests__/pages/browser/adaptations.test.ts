import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { authorizeUrl, pkce } from '../../helpers/flow.ts';
import { galleryInBrowser } from './gallery-in-browser.ts';
import { states } from './states.ts';

const { gallery, browser } = galleryInBrowser();

const shown = states.filter(({ name }) =>
  ['consent-every-scope', 'consent-document', 'connected', 'connected-app', 'school-narrowed'].includes(name),
);

/** Opens a state in a window of 320 × 256 pixels, which is one of 1280 × 1024 at 400 %. */
async function open({ person = '', go }: (typeof shown)[number], options: BrowserContextOptions): Promise<Page> {
  const context = await browser().newContext({ viewport: { width: 320, height: 256 }, ...options });
  await context.addCookies([{ name: 'person', value: person, url: gallery().schools.harbour }]);
  const page = await context.newPage();
  await go(page, gallery());
  return page;
}

/** WCAG 2.2, 1.4.12. */
const spacing =
  '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}';

/** Visible elements whose own text does not fit into them, or that reach out of the window. */
const lost = `[...document.querySelectorAll('main *')].filter((element) => {
  const { left, right, width } = element.getBoundingClientRect();
  const hidden = getComputedStyle(element).clipPath !== 'none' || width === 0;
  const clips = getComputedStyle(element).overflow !== 'visible' && element.scrollWidth > element.clientWidth + 1;
  return !hidden && (clips || left < -1 || right > innerWidth + 1);
}).map(({ outerHTML }) => outerHTML.slice(0, 120))`;

test.each(shown)('$name loses nothing at 400 %, with more space in its text', async (state) => {
  const page = await open(state, { bypassCSP: true });
  await page.addStyleTag({ content: spacing });
  expect(await page.evaluate<string[]>(lost)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
  // In so low a window, the buttons at the bottom would take most of it.
  const sticks = await page.evaluate<boolean>(
    `[...document.querySelectorAll('.stay')].some((bar) => getComputedStyle(bar).position === 'sticky')`,
  );
  expect(sticks).toBe(false);
  await page.context().close();
});

test.each(shown)('$name shows in forced colours what is a control, and what is ticked', async (state) => {
  const page = await open(state, { forcedColors: 'active' });
  const borderless = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main button, main .button, main select, main .tile, main .notice')]
      .filter((element) => parseFloat(getComputedStyle(element).borderInlineStartWidth) < 1)
      .map(({ outerHTML }) => outerHTML.slice(0, 120))`,
  );
  expect(borderless).toEqual([]);
  const marked = await page.evaluate<boolean>(
    `[...document.querySelectorAll('nav li a')].every((link) =>
      (getComputedStyle(link).outlineStyle === 'solid') === link.hasAttribute('aria-current'))`,
  );
  expect(marked).toBe(true);
  for (const box of await page.getByRole('checkbox').all()) expect(await box.isVisible()).toBe(true);
  await page.context().close();
});

test('a school’s stylesheet changes its own pages alone; it ends no element, runs nothing and loads nothing', async () => {
  const read = `(() => {
    const [main, body] = ['main', 'body'].map((selector) => getComputedStyle(document.querySelector(selector)));
    const { borderTopLeftRadius: radius, paddingTop: padding, letterSpacing: spacing } = main;
    return { radius, padding, spacing, font: body.fontFamily.slice(0, 7), scripts: document.scripts.length };
  })()`;
  const context = await browser().newContext();
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('requestfinished', (request) => asked.push(new URL(request.url()).hostname));
  page.on('dialog', (dialog) => asked.push(dialog.message()));
  const looks = [];
  for (const origin of [gallery().schools.harbour, gallery().schools.summit]) {
    await context.addCookies([{ name: 'person', value: 'sam', url: origin }]);
    await page.goto(`${origin}/account/apps`);
    looks.push(await page.evaluate<object>(read));
  }
  expect(looks).toEqual([
    { radius: '16px', padding: '40px', spacing: 'normal', font: 'system-', scripts: 0 },
    { radius: '0px', padding: '20px', spacing: '1px', font: 'Georgia', scripts: 0 },
  ]);
  expect(asked).toEqual(['localhost', '127.0.0.1']);
  await context.close();
});

const asking = states.filter(({ name }) => name.startsWith('consent-') && !/expired|refused/.test(name));

/** Whether the question, or the warning below it, stands lower than a button that allows, at any place to which the page can be scrolled. */
const allowsTooEarly = `(() => {
  const asked = [...document.querySelectorAll('h1, .lead, .trust, .notice.warn')];
  const buttons = [...document.querySelectorAll('[name=decision]:not([value=deny])')];
  for (let y = 0; ; y += 40) {
    scrollTo(0, y);
    const last = Math.max(...asked.map((element) => element.getBoundingClientRect().bottom));
    if (buttons.some((button) => button.getBoundingClientRect().top < last)) return 'at ' + y;
    if (y > document.documentElement.scrollHeight) return 'never';
  }
})()`;

test.each(asking)('$name never shows a button that allows without the question above it', async (state) => {
  for (const [width, height, language] of [
    [1280, 800, 'en'],
    [360, 740, 'en'],
    [360, 740, 'zh-Hant'],
  ] as const) {
    const viewport = { width, height };
    const page = await open(state, { viewport, extraHTTPHeaders: { 'accept-language': language } });
    expect([width, language, await page.evaluate<string>(allowsTooEarly)]).toEqual([width, language, 'never']);
    await page.context().close();
  }
});

test('one button ticks everything, and then unticks it: without JavaScript, with nothing decided', async () => {
  const context = await browser().newContext({ javaScriptEnabled: false });
  await context.addCookies([{ name: 'person', value: 'olivia', url: gallery().schools.harbour }]);
  const page = await context.newPage();
  const acting = {
    ...gallery().document,
    scope: `${gallery().document.scope} courses:write students:write storage:write pages:write`,
  };
  await page.goto(authorizeUrl(gallery().schools.harbour, acting, pkce()).href);
  const ticked = (): Promise<number> => page.locator('input[name=scope]:checked').count();
  // What changes data starts unticked.
  expect(await ticked()).toBe(3);
  for (const [name, count] of [
    ['Tick all', 7],
    ['Untick all', 0],
  ] as const) {
    const address = page.url();
    await page.getByRole('button', { name, exact: true }).focus();
    const loaded = page.waitForEvent('load');
    await page.keyboard.press('Enter');
    await loaded;
    expect([page.url(), await ticked()]).toEqual([address, count]);
    await page.locator('[role=status]:focus').waitFor();
  }
  await context.close();
});
