import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Site } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import type { Browser } from '../helpers/browser.ts';
import { approve, confirmCode, poll, startDevice, withDevices } from '../features/device/devices.ts';
import { decisionsOn } from '../helpers/browser.ts';
import { authorizeUrl, type Changes, connect, pkce, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
/** Every record that was saved: its kind and its text. */
let saved: { readonly kind: string; readonly record: string }[];
beforeEach(async () => {
  saved = [];
  const inner = memoryStore();
  const save: Store['save'] = (siteId, entry) => {
    saved.push(entry);
    return inner.save(siteId, entry);
  };
  const store: Store = new Proxy(inner, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (name === 'save') return save;
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
  schools = await startSchools({ campus: { ...withDevices, store } });
});
afterEach(() => schools.close());

const siteAt = (): Site => harbourSite(schools.harbour);

async function hintOf(person: string): Promise<string> {
  const { body } = await connect(schools.browser(person), schools.harbour, webMemberApp);
  saved = [];
  return String(body['id_token']);
}

const request = (changes: Changes): URL => authorizeUrl(schools.harbour, webMemberApp, pkce(), changes);

/** The parameters that records of a kind were saved with. */
const keptIn = (kind: string): unknown[] =>
  saved.flatMap((entry) => (entry.kind === kind ? [JSON.parse(entry.record).params ?? []].flat() : []));

const payloadOf = (token: string): string => token.split('.')[1] ?? '';

async function erased(memberId: string): Promise<Readonly<Record<string, number>>> {
  let removal = await schools.campus.members.erase(siteAt(), memberId);
  while (removal.next !== undefined) removal = await schools.campus.members.erase(siteAt(), memberId, removal);
  return { ...removal.removed };
}

test('of the id_token_hint of an anonymous browser only the id of the member is kept, and members.erase removes that', async () => {
  const hint = await hintOf('sam');
  await schools.browser().follow(request({ id_token_hint: hint }));
  expect(keptIn('Interaction')).toMatchObject([{ id_token_hint: 'sam' }, { id_token_hint: 'sam' }]);
  for (const { record } of saved) expect(record).not.toContain(payloadOf(hint));
  expect((await erased('olivia'))['Interaction']).toBeUndefined();
  expect((await erased('sam'))['Interaction']).toBe(1);
});

test('a hint whose signature does not hold is kept nowhere', async () => {
  const hint = await hintOf('sam');
  const [head = '', , signature = ''] = hint.split('.');
  const forged = Buffer.from(JSON.stringify({ sub: 'olivia' })).toString('base64url');
  const { url } = await schools.browser().follow(request({ id_token_hint: `${head}.${forged}.${signature}` }));
  expect(url.searchParams.get('error')).toBe('invalid_request');
  expect(keptIn('Interaction')).toEqual([]);
});

test('a login_hint is kept until somebody has signed in', async () => {
  await schools.browser().follow(request({ login_hint: 'sam@example.com' }));
  expect(keptIn('Interaction').at(-1)).toMatchObject({ login_hint: 'sam@example.com' });
  saved = [];
  const { html } = await schools.browser('sam').follow(request({ login_hint: 'sam@example.com', prompt: 'consent' }));
  expect(decisionsOn(html)).toContain('allow');
  expect(keptIn('Interaction')).toEqual([expect.not.objectContaining({ login_hint: expect.anything() })]);
});

test('the request of a device keeps neither: only whom its hint names, and nobody else can allow it', async () => {
  const first = await startDevice(schools.harbour);
  await approve(schools.browser('sam'), first);
  const hint = String((await poll(first)).body['id_token']);
  saved = [];
  const changes = { id_token_hint: hint, login_hint: 'sam@example.com' };
  const second = await startDevice(schools.harbour, undefined, changes);
  expect(keptIn('DeviceRequest')).toEqual([expect.objectContaining({ id_token_hint: 'sam' })]);
  for (const { record } of saved) expect(record).not.toMatch(/sam@example\.com|login_hint/);
  const stop = await confirmCode(schools.browser('olivia'), schools.harbour, second.userCode);
  expect(decisionsOn(stop.html)).not.toContain('allow');
  await approve(schools.browser('sam'), second);
  expect((await erased('sam'))['DeviceRequest']).toBeGreaterThan(0);
});

/** A consent page for the member whom a hint names. */
async function consentOfHinted(browser: Browser): Promise<URL> {
  const hint = await hintOf('sam');
  const stop = await browser.follow(request({ id_token_hint: hint, prompt: 'consent' }));
  expect(decisionsOn(stop.html)).toContain('allow');
  expect(stop.html).not.toContain('id_token_hint');
  return stop.url;
}

test('the consent page leads back to itself, and who comes back as another person is login_required', async () => {
  const browser = schools.browser('sam');
  const url = await consentOfHinted(browser);
  expect(decisionsOn((await browser.follow(url)).html)).toContain('allow');
  browser.platformCookie('person', 'olivia');
  const back = await browser.follow(url);
  expect(`${back.url.origin}${back.url.pathname}`).toBe(webMemberApp.redirectUri);
  expect(back.url.searchParams.get('error')).toBe('login_required');
});
