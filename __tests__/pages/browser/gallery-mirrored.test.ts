import { expect, test } from '@jest/globals';
import { startChromium } from '../../helpers/chromium.ts';
import { plugins, startSchools } from '../../helpers/schools.ts';
import { layoutFindings, namesOfGallery } from './axe.ts';
import { mirroredTexts } from './mirrored-texts.ts';
import { openPage } from './visits.ts';

/** What a page in a right-to-left language must have: nothing to scroll sideways, and icons that show a direction mirrored. */
const mirrored = `(() => {
  const found = [];
  const { dir, scrollWidth } = document.documentElement;
  if (dir !== 'rtl') found.push('dir is ' + dir);
  if (scrollWidth > innerWidth) found.push('scrolls sideways: ' + scrollWidth);
  for (const use of document.querySelectorAll('use')) {
    const isDirected = ['#i-arrow', '#i-back', '#i-next'].includes(use.getAttribute('href'));
    const { scale } = getComputedStyle(use.parentElement);
    if (isDirected !== (scale === '-1 1')) found.push('an icon: ' + use.getAttribute('href') + ' ' + scale);
  }
  const rail = document.querySelector('.rail');
  const flow = document.querySelector('.detail > .flow:not(.rail)');
  if (innerWidth > 1100 && rail && rail.getBoundingClientRect().left > flow.getBoundingClientRect().left) found.push('the rail');
  return found;
})()`;

test('every example of the gallery is mirrored in a language that is written from right to left', async () => {
  const texts = { ar: mirroredTexts() };
  const [schools, browser] = await Promise.all([
    startSchools({ ...plugins, campus: { pages: { gallery: '/gallery', texts } } }),
    startChromium(),
  ]);
  const { page } = await openPage(browser, { language: 'ar', colourScheme: 'light', width: 1280 });
  const names = await namesOfGallery(page, `${schools.harbour}/gallery`);
  const found: string[] = [];
  for (const name of names) {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(`${schools.harbour}/gallery/${name}`);
    const wide = await page.evaluate<string[]>(mirrored);
    await page.setViewportSize({ width: 360, height: 720 });
    const narrow = [...(await page.evaluate<string[]>(mirrored)), ...(await layoutFindings(page))];
    found.push(...[...wide, ...narrow].map((finding) => `${name}: ${finding}`));
  }
  expect(found).toEqual([]);
  await browser.close();
  await schools.close();
});
