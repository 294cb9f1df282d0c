import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Gallery } from './gallery.ts';
import type { State } from './states.ts';

export interface Look {
  readonly language: 'en' | 'zh-Hant' | 'ar';
  readonly colourScheme: 'light' | 'dark';
  /** In CSS pixels. */
  readonly width: number;
  readonly javaScript?: boolean | undefined;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** Opens an empty page in a browser context of its own. */
export async function openPage(
  browser: Browser,
  { language, colourScheme, width, javaScript = true }: Look,
): Promise<Visit> {
  const context = await browser.newContext({
    colorScheme: colourScheme,
    viewport: { width, height: 720 },
    extraHTTPHeaders: { 'accept-language': language },
    javaScriptEnabled: javaScript,
    permissions: [],
  });
  return { page: await context.newPage(), context };
}

/** Brings a page to a state, as nobody but the person of the state. */
export async function bring({ page, context }: Visit, gallery: Gallery, { person, go }: State): Promise<void> {
  await context.clearCookies();
  const { harbour, summit } = gallery.schools;
  if (person !== undefined) {
    await context.addCookies([harbour, summit].map((url) => ({ name: 'person', value: person, url })));
  }
  await go(page, gallery);
}
