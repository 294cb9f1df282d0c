import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startChromium } from '../__tests__/helpers/chromium.ts';
import { plugins, startSchools } from '../__tests__/helpers/schools.ts';
import { printHelp } from './help.mjs';
import { type Part, type Picture, pictures } from './pictures-of-docs.ts';

printHelp(`usage: npm run pictures

Draws the pictures of the documentation, in docs/images, from the gallery of pages.`);

const folder = join(import.meta.dirname, '../docs/images');
const [schools, chromium] = await Promise.all([
  startSchools({ ...plugins, campus: { pages: { gallery: '/gallery' } } }),
  startChromium(),
]);
try {
  for (const picture of pictures) await draw(chromium, `${schools.harbour}/gallery`, picture);
} finally {
  await chromium.close();
  await schools.close();
}

async function draw(browser: Browser, gallery: string, { file, width, columns, parts }: Picture): Promise<void> {
  const path = join(folder, file);
  const shots: Buffer[] = [];
  for (const part of parts) shots.push(await shoot(browser, gallery, part));
  const [only] = shots;
  if (only !== undefined && shots.length === 1) return writeFileSync(path, only);
  const sheet = await browser.newPage({ viewport: { width, height: 400 } });
  const images = shots.map((shot) => `<img src="data:image/png;base64,${shot.toString('base64')}">`).join('');
  await sheet.setContent(
    `<style>body{display:grid;grid-template-columns:repeat(${columns},1fr);gap:8px;margin:0;background:#888}img{width:100%}</style>${images}`,
  );
  await sheet.screenshot({ path, fullPage: true, ...(file.endsWith('.jpg') && { type: 'jpeg', quality: 50 }) });
  await sheet.close();
}

/** A page of the gallery, or an element of it, as it is on a screen of this size. */
async function shoot(browser: Browser, gallery: string, part: Part): Promise<Buffer> {
  const { example, theme = 'own', colorScheme = 'light', size, element } = part;
  const page = await browser.newPage({ colorScheme, viewport: size });
  await page.goto(`${gallery}/${example}?theme=${theme}`);
  // The fonts of a machine that draws may lack the glyphs of other languages.
  await page.evaluate('for (const each of document.querySelectorAll("aside.example, nav.languages")) each.remove()');
  const box = element === undefined ? null : await page.locator(element).boundingBox();
  const shot = await page.screenshot({ ...(box && { clip: withMargin(box) }) });
  await page.close();
  return shot;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function withMargin({ x, y, width, height }: Box, margin = 24): Box {
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}
