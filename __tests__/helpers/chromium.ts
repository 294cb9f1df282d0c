import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.mjs';

/** Starts a real, headless Chromium. Every name but this machine's leads nowhere. */
export async function startChromium(): Promise<Browser> {
  const { executablePath, args, env } = findChromium();
  const browser = await chromium.launch({
    executablePath,
    args: [...args, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'],
    env: { ...process.env, ...env },
  });
  // Half a minute is not always enough on a busy machine; the limit of the test comes soon after.
  browser.on('context', (context) => context.setDefaultTimeout(150_000));
  return browser;
}
