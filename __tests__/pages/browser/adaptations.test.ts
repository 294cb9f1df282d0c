import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startChromium } from '../../helpers/chromium.ts';
import { type Gallery, startGallery } from './gallery.ts';
import { states } from './states.ts';

let gallery: Gallery;
let browser: Browser;
beforeAll(async () => {
  [gallery, browser] = await Promise.all([startGallery(), startChromium()]);
});
afterAll(async () => {
  await browser.close();
  await gallery.close();
});

const shown = states.filter(({ name }) =>
  ['consent-every-scope', 'consent-document', 'connected', 'connected-app'].includes(name),
);

/** Opens a state in a window of 320 × 256 pixels, which is one of 1280 × 1024 at 400 %. */
async function open({ person = '', go }: (typeof shown)[number], options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 320, height: 256 }, ...options });
  await context.addCookies([{ name: 'person', value: person, url: gallery.schools.harbour }]);
  const page = await context.newPage();
  await go(page, gallery);
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
    `[...document.querySelectorAll('main button, main .button, main .mark, main .notice, main .sees')]
      .filter((element) => parseFloat(getComputedStyle(element).borderInlineStartWidth) < 1)
      .map(({ outerHTML }) => outerHTML.slice(0, 120))`,
  );
  expect(borderless).toEqual([]);
  for (const box of await page.getByRole('checkbox').all()) expect(await box.isVisible()).toBe(true);
  await page.context().close();
});
