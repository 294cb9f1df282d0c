import type { Page } from 'playwright-core';

/** Waits for the page that the button leads to. */
export async function pressButton(page: Page, name: string): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name, exact: true }).click();
  await loaded;
}

export async function followLink(page: Page, name: string): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.getByRole('link', { name, exact: true }).click();
  await loaded;
}

/** The same with the control that has the focus. */
export async function pressEnter(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await loaded;
}
