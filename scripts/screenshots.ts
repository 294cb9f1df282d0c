import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startGallery } from '../__tests__/pages/browser/gallery.ts';
import { states } from '../__tests__/pages/browser/states.ts';
import { bring, type Look, openPage } from '../__tests__/pages/browser/visits.ts';
import { startChromium } from '../__tests__/helpers/chromium.ts';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run screenshots [-- FOLDER [STATE]]

Takes a screenshot of every page in every state, in five looks.
  FOLDER  where the pictures go; screenshots if none is named
  STATE   only states with this in their names, for example consent`);

const [folder = 'screenshots', only = ''] = process.argv.slice(2);
const looks: readonly (Look & { readonly name: string })[] = [
  { name: 'wide-light-en', language: 'en', colourScheme: 'light', width: 1024 },
  { name: 'wide-dark-zh', language: 'zh-Hant', colourScheme: 'dark', width: 1024 },
  { name: 'narrow-dark-en', language: 'en', colourScheme: 'dark', width: 320 },
  { name: 'narrow-light-zh', language: 'zh-Hant', colourScheme: 'light', width: 320 },
  { name: 'narrow-light-rtl', language: 'ar', colourScheme: 'light', width: 320 },
];

mkdirSync(folder, { recursive: true });
const [gallery, browser] = await Promise.all([startGallery(), startChromium()]);
try {
  for (const { name, ...look } of looks) {
    const visit = await openPage(browser, look);
    for (const state of states.filter((each) => each.name.includes(only))) {
      await visit.page.setViewportSize({ width: look.width, height: 720 });
      await bring(visit, gallery, state);
      // What sticks to the bottom of the window is at the bottom of the picture.
      const height = await visit.page.evaluate<number>('document.documentElement.scrollHeight');
      await visit.page.setViewportSize({ width: look.width, height });
      // A picture cannot be taken between the new size and the first frame that has it.
      await visit.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
      await visit.page.screenshot({ path: join(folder, `${state.name}.${name}.png`), fullPage: true });
    }
    await visit.context.close();
  }
} finally {
  await browser.close();
  await gallery.close();
}
