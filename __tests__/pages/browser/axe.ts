import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../helpers/chromium.ts';
import { cutTexts, zoomed } from './cut-text.ts';
import { type Gallery, startGallery } from './gallery.ts';
import { type State, states } from './states.ts';
import { bring, type Look, openPage, type Visit } from './visits.ts';

/** Its last value is `undefined`: the browser sends that back. */
const axeCore = `${readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')}; undefined`;

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface CheckedLook {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  /** @default every rule */
  readonly only?: readonly string[];
}

/** Only these rules depend on the colour scheme or the width. A width of 320 pixels also covers 640 at 200 % zoom. */
const ofLooks = ['color-contrast', 'target-size', 'link-in-text-block'];

/** Each scheme and each width is seen once, since no rule depends on both. */
const looks: readonly CheckedLook[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 320, only: ofLooks },
];

/**
 * Makes the window as high as the page. To axe-core a control that has been scrolled under the buttons at the bottom edge of the
 * window is a target that is too small; `keyboard.test.ts` tests that what has the focus is never there.
 */
async function showAll(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 720 });
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(height, 720) });
}

/** What `axe.run` resolves with, as far as it is read. */
type Results = Pick<AxeResults, 'violations'>;

const outline = `({
  language: document.documentElement.lang,
  direction: document.documentElement.dir,
  headings: document.querySelectorAll('h1').length,
})`;

/** What no rule of axe-core sees, as `finding: element`. */
const layout = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length > 0);
  const left = (selector) => all(selector)[0]?.getBoundingClientRect().left;
  const found = {
    'under 44 pixels': all('.button,nav a,a.row,button,input,select,summary,textarea').filter((element) => {
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
      return height < 44 || width < 44;
    }),
    'under 24 pixels': all('main a').filter((element) => element.getBoundingClientRect().height < 24),
    'beside the card': all('header').filter(() => left('header') !== left('.shell') && left('header') !== left('main')),
    'a pair that can break': all('.facts > :not(div)'),
    'not monospace': all('[readonly]').filter((element) => !getComputedStyle(element).fontFamily.includes('monospace')),
    'not whole': all('.copy textarea').filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight),
    'no border of its own': all('input[aria-invalid=true],textarea[aria-invalid=true]')
      .filter((element) => getComputedStyle(element).borderTopWidth !== '2px'),
  };
  return Object.entries(found).flatMap(([name, elements]) => elements.map(({ outerHTML }) => name + ': ' + outerHTML.slice(0, 150)));
})()`;

/** The violations that axe-core finds, as `rule: element`. */
async function findings(page: Page, only?: readonly string[]): Promise<string[]> {
  const runOnly = only ? { type: 'rule', values: only } : { type: 'tag', values: rules };
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<Results>(
    `axe.run(document, ${options}).then(({ violations }) => ({ violations }))`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** The names of all examples. */
export async function namesOfGallery(page: Page, address: string): Promise<string[]> {
  await page.goto(address);
  const names = await page.evaluate<string[]>(
    '[...document.querySelectorAll("main li a:first-child")].map((link) => link.textContent)',
  );
  expect(names.length).toBeGreaterThan(80);
  return names;
}

/** What no rule of axe-core sees. */
export async function layoutFindings(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(layout);
}

/** Pages that no state shows in other languages: people, news, requests, what a confirmation says, sums. */
const ofGalleryOnly =
  /^(?:people|person|activity|connected-app(?:s-news|-end)|applications-asked|connections-(?:client|end|rule|review))/;

/** Checks the examples of `pages.gallery`. In another width or colour scheme they are the pages that the states show. */
export function galleryTests(): void {
  let gallery: Gallery;
  let browser: Browser;
  let page: Page;
  let names: string[];
  beforeAll(async () => {
    [gallery, browser] = await Promise.all([startGallery(), startChromium()]);
    ({ page } = await openPage(browser, { language: 'en', colourScheme: 'light', width: 1280 }));
    names = await namesOfGallery(page, `${gallery.schools.harbour}/gallery`);
  });
  afterAll(async () => {
    await browser.close();
    await gallery.close();
  });

  async function foundIn(shown: readonly string[], language: Look['language']): Promise<string[]> {
    const found: string[] = [];
    for (const name of shown) {
      await page.goto(`${gallery.schools.harbour}/gallery/${name}?language=${language}`);
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
      await showAll(page, 1280);
      await page.evaluate(axeCore);
      const all = [...(await findings(page)), ...(await layoutFindings(page))];
      found.push(...all.map((finding) => `${name}: ${finding}`));
    }
    return found;
  }

  test.each([1, 2, 3, 4])('no example of the gallery has axe violations (part %i of 4)', async (part) => {
    expect(
      await foundIn(
        names.filter((_name, i) => i % 4 === part - 1),
        'en',
      ),
    ).toEqual([]);
  });

  test('no text of a page is cut at 200 % zoom', async () => {
    const context = await browser.newContext(zoomed);
    const zoomedPage = await context.newPage();
    const found: string[] = [];
    for (const name of names.filter((each) => !/^(?:component|consent)-/.test(each) || each === 'consent-first')) {
      await zoomedPage.goto(`${gallery.schools.harbour}/gallery/${name}?language=en`);
      found.push(...(await cutTexts(zoomedPage)).map((text) => `${name}: ${text}`));
    }
    expect(found).toEqual([]);
    await context.close();
  });

  test('those of pages without a state have none in Traditional Chinese', async () => {
    const shown = names.filter((name) => ofGalleryOnly.test(name));
    expect(shown.length).toBeGreaterThan(20);
    expect(await foundIn(shown, 'zh-Hant')).toEqual([]);
  });
}

/** Checks the pages in one language. */
export function axeTests(language: Look['language'], direction: 'ltr' | 'rtl', shown: readonly State[] = states): void {
  let gallery: Gallery;
  let browser: Browser;
  let visit: Visit;
  beforeAll(async () => {
    [gallery, browser] = await Promise.all([startGallery(), startChromium()]);
    // One page for all states: axe-core is compiled once.
    visit = await openPage(browser, { language, colourScheme: 'light', width: 1280 });
  });
  afterAll(async () => {
    await browser.close();
    await gallery.close();
  });

  describe.each(shown)(`$name in ${language}`, (state) => {
    test('has no axe violations', async () => {
      const { page } = visit;
      await bring(visit, gallery, state);
      expect(await page.evaluate(outline)).toEqual({ language, direction, headings: 1 });
      await page.evaluate(axeCore);
      for (const { colorScheme, width, only } of looks) {
        await page.emulateMedia({ colorScheme });
        await showAll(page, width);
        expect(await findings(page, only)).toEqual([]);
        expect(await page.evaluate<string[]>(layout)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    });
  });
}
