import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startChromium } from '../../helpers/chromium.ts';
import { type Gallery, startGallery } from './gallery.ts';

/** Starts schools with data for every page, and a browser, for all tests of a file. */
export function galleryInBrowser(): { readonly gallery: () => Gallery; readonly browser: () => Browser } {
  let gallery: Gallery;
  let browser: Browser;
  beforeAll(async () => {
    [gallery, browser] = await Promise.all([startGallery(), startChromium()]);
  });
  afterAll(async () => {
    await browser.close();
    await gallery.close();
  });
  return { gallery: () => gallery, browser: () => browser };
}
