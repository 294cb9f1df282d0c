import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.mjs';

/** Starts a real, headless Chromium. Every name but this machine's leads nowhere. */
export async function startChromium(): Promise<Browser> {
  const { executablePath, args, env } = findChromium();
  return chromium.launch({
    executablePath,
    args: [...args, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'],
    env: { ...process.env, ...env },
  });
}
