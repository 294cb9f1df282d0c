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

/** Opens a page in a browser context of its own. */
export async function visit(
  browser: Browser,
  gallery: Gallery,
  { person, go }: State,
  { language, colourScheme, width, javaScript = true }: Look,
): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
  const context = await browser.newContext({
    colorScheme: colourScheme,
    viewport: { width, height: 720 },
    extraHTTPHeaders: { 'accept-language': language },
    javaScriptEnabled: javaScript,
    permissions: [],
  });
  const page = await context.newPage();
  const { harbour, summit } = gallery.schools;
  if (person !== undefined) {
    await context.addCookies([harbour, summit].map((url) => ({ name: 'person', value: person, url })));
  }
  await go(page, gallery);
  return { page, context };
}
