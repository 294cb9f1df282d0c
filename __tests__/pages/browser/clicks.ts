import type { Page } from 'playwright-core';

/** Presses a button by its name, and waits for the page that it leads to. */
export async function pressButton(page: Page, name: string): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name, exact: true }).click();
  await loaded;
}

/** Follows a link by its name. */
export async function followLink(page: Page, name: string): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.getByRole('link', { name, exact: true }).click();
  await loaded;
}
