import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Store } from '../../lib/store.ts';
import type { Browser } from '../helpers/browser.ts';
import { connect, getCode, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const hour = 60 * 60;
let schools: Schools;
let writes = 0;
/** Seconds by which sessions are read as older than they are. */
let aged = 0;

beforeAll(async () => {
  const inner = memoryStore();
  const find: Store['find'] = async (siteId, kind, ...rest) => {
    const found = await inner.find(siteId, kind, ...rest);
    if (kind !== 'Session' || !found) return found;
    const record = found.record.replace(/"exp":(\d+)/, (_, exp) => `"exp":${Number(exp) - aged}`);
    return { ...found, record };
  };
  const save: Store['save'] = (siteId, entry) => {
    if (entry.kind === 'Session') writes += 1;
    return inner.save(siteId, entry);
  };
  schools = await startSchools({ campus: { store: { ...inner, find, save } } });
});
afterAll(() => schools.close());

async function writesOf(browser: Browser): Promise<number> {
  writes = 0;
  await getCode(browser, schools.harbour, webMemberApp, { prompt: 'none' });
  return writes;
}

test('a session is written again once an hour, and at once when it has changed', async () => {
  const browser = schools.browser('sam', 1_700_000_000);
  await connect(browser, schools.harbour, webMemberApp);
  await writesOf(browser);
  expect(await writesOf(browser)).toBe(0);
  aged = hour / 2;
  expect(await writesOf(browser)).toBe(0);
  aged = hour + 60;
  expect(await writesOf(browser)).toBe(1);
  aged = 0;
  browser.platformCookie('auth_time', '1700000100');
  expect(await writesOf(browser)).toBe(1);
  expect(await writesOf(browser)).toBe(0);
});
