// Draws the pictures of docs/guides/consent-page.md: a page in the built-in theme and in the other one of the gallery, light and dark.
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startChromium } from '../__tests__/helpers/chromium.ts';
import { plugins, startSchools } from '../__tests__/helpers/schools.ts';

interface Picture {
  readonly name: string;
  /** An example of the gallery. */
  readonly example: string;
  readonly width: number;
  readonly height: number;
}

/** Small, since they are in the repository. */
const pictures: readonly Picture[] = [
  { name: 'theme-consent', example: 'consent-registered', width: 760, height: 560 },
  { name: 'theme-app', example: 'connections-rule', width: 1180, height: 620 },
];

const themes = ['own', 'other'] as const;
const schemes = ['light', 'dark'] as const;

/** Writes each picture: the themes beside each other, dark below light. */
export async function drawThemes(folder: string): Promise<void> {
  const [schools, browser] = await Promise.all([
    startSchools({ ...plugins, campus: { pages: { gallery: '/gallery' } } }),
    startChromium(),
  ]);
  try {
    for (const picture of pictures) await draw(browser, `${schools.harbour}/gallery`, picture, folder);
  } finally {
    await browser.close();
    await schools.close();
  }
}

async function draw(browser: Browser, gallery: string, picture: Picture, folder: string): Promise<void> {
  const { name, example, width, height } = picture;
  const shots: string[] = [];
  for (const colorScheme of schemes) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height } });
    for (const theme of themes) {
      await page.goto(`${gallery}/${example}?theme=${theme}`);
      await page.evaluate('document.querySelector("aside.example").remove()');
      shots.push((await page.screenshot()).toString('base64'));
    }
    await page.close();
  }
  const sheet = await browser.newPage({ viewport: { width: 720, height: 400 } });
  const images = shots.map((data) => `<img src="data:image/png;base64,${data}">`).join('');
  await sheet.setContent(
    `<style>body{display:grid;grid-template-columns:1fr 1fr;gap:8px;margin:0;background:#888}img{width:100%}</style>${images}`,
  );
  await sheet.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 50, fullPage: true });
  await sheet.close();
}
