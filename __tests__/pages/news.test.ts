import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { createNews } from '../../lib/core/news/news.ts';
import type { Site } from '../../lib/index.ts';
import { recordStore } from '../../lib/records/record-store.ts';
import type { Store } from '../../lib/store.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { authorizeUrl, connect, memberApp, pkce } from '../helpers/flow.ts';
import { type Page, readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

// Your apps begins with what is new for the person: what the school has answered, and what it has ended.

let schools: Schools;
let isDown: boolean;
const faults: string[] = [];

beforeEach(async () => {
  isDown = false;
  faults.length = 0;
  const store = memoryStore();
  const save: Store['save'] = async (siteId, entry) => {
    if (isDown && entry.kind === 'News') throw new Error('the store is down');
    return store.save(siteId, entry);
  };
  schools = await startSchools({
    ...plugins,
    campus: { store: { ...store, save }, registration: [vendorPlatforms(wellKnownVendors), loopbackClients()] },
  });
  schools.campus.events.on('fault', ({ message }) => faults.push(message));
});
afterEach(async () => {
  resetClock();
  await schools.close();
});

const site = (): Site => siteOf(schools);
const app = { clientId: memberApp.id };
const yourApps = '/account/apps';
const show = async (person = 'sam', path = yourApps): Promise<Page> =>
  readPage((await schools.browser(person).follow(schools.harbour + path)).html);
const news = async (person = 'sam'): Promise<string[]> =>
  ((await show(person)).queryByRole('list', { name: 'What is new' })?.getAllByRole('listitem') ?? []).map(
    ({ text }) => text,
  );

/** Sam asks the school to let them connect an app that it blocks. */
async function ask(): Promise<void> {
  const sam = schools.browser('sam');
  const page = await sam.follow(authorizeUrl(schools.harbour, memberApp, pkce()));
  const body = new URLSearchParams(readPage(page.html).fields);
  body.set('decision', 'ask');
  await sam.follow(page.url, { method: 'POST', body });
}

async function ok(page: Page, fields: Readonly<Record<string, string>> = {}, person = 'sam'): Promise<number> {
  const form = page.getAllByRole('form').find((each) => each.fields.get('action') === 'ok');
  const body = new URLSearchParams(form?.fields);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return (await schools.browser(person).follow(schools.harbour + yourApps, { method: 'POST', body })).response.status;
}

const block = () => schools.campus.apps.set(site(), app, { access: 'blocked' });
const allow = () => schools.campus.apps.set(site(), app, { access: 'allowed' });

describe('an answer', () => {
  test('stands first until its person has read it, with a number on the tab; OK takes it away', async () => {
    await block();
    await ask();
    expect(await news()).toEqual([]);
    const [asked] = await schools.campus.requests.list(site());
    await schools.campus.requests.decline(site(), asked?.id ?? '', '<b>Not</b> now', { by: 'olivia' });
    const page = await show();
    expect(await news()).toEqual([
      'Harbour School declined Pocket School. Olivia Owner answered today. “<b>Not</b> now” OK',
    ]);
    page.getByRole('link', { name: 'Your apps, 1 new' });
    // A form that is forged, and one of another person, read nothing.
    expect(await ok(page, { csrf: 'x' })).toBe(400);
    expect(await ok(page, {}, 'olivia')).toBe(400);
    expect(await ok(page, { id: 'other' })).toBe(200);
    expect(await news()).toHaveLength(1);
    expect(await news('olivia')).toEqual([]);
    expect(await ok(page)).toBe(200);
    expect(await news()).toEqual([]);
    (await show()).getByRole('link', { name: 'Your apps' });
  });

  test('is there for a decision on the app, whoever made it, and is not true longer than that', async () => {
    await block();
    await ask();
    await allow();
    expect(await news()).toEqual(['Pocket School is approved for you. Answered today. Connect OK']);
    await block();
    expect(await news()).toEqual([]);
    await allow();
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    // What is connected is not news.
    expect(await news()).toEqual([]);
  });

  test('stands where it cannot be told: that is a fault', async () => {
    await block();
    await ask();
    isDown = true;
    const [asked] = await schools.campus.requests.list(site());
    await schools.campus.requests.decline(site(), asked?.id ?? '');
    expect(await schools.campus.requests.list(site())).toMatchObject([{ status: 'declined' }]);
    expect(faults).toContain('what is new for a person was not written');
  });
});

describe('an end that is not of the person', () => {
  beforeEach(async () => void (await connect(schools.browser('sam'), schools.harbour, memberApp)));

  test('is news by the school that has turned the app off, until it can be connected again', async () => {
    await block();
    expect(await news()).toEqual([
      'Harbour School has turned off Pocket School. It can no longer use your account (today). OK',
    ]);
    await allow();
    expect((await news())[0]).toContain('you can connect it again');
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    expect(await news()).toEqual([]);
  });

  test('is none of somebody who disconnects it, nor at another school', async () => {
    await schools.campus.connections.revokeAll(site(), 'sam');
    expect(await news()).toEqual([]);
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    await schools.campus.connections.end(site(), { app });
    expect(await news()).toEqual([
      'Harbour School has disconnected Pocket School. It lost access (today). You can connect it again. OK',
    ]);
    const { html } = await schools.browser('sam').follow(schools.summit + yourApps);
    expect(readPage(html).queryByRole('list', { name: 'What is new' })).toBeUndefined();
  });

  test('is exported and erased with the person', async () => {
    await block();
    const { members } = schools.campus;
    expect((await members.export(site(), 'sam')).news).toMatchObject([{ what: 'off', clientId: memberApp.id }]);
    let step = await members.erase(site(), 'sam');
    while (step.next !== undefined) step = await members.erase(site(), 'sam', step);
    expect(step.removed.News).toBe(1);
    expect(await news()).toEqual([]);
  });

  test('goes after 90 days', async () => {
    await block();
    setClockAhead(91 * 24 * 60 * 60);
    expect((await schools.campus.members.export(site(), 'sam')).news).toEqual([]);
  });

  test('stands where it cannot be told', async () => {
    isDown = true;
    expect(await block()).toMatchObject({ ended: 1 });
    expect(faults).toContain('what is new for a person was not written');
  });
});

test('a person has twenty rows at most: what was told first makes room', async () => {
  const store = recordStore(memoryStore(), () => undefined);
  const none = { findStored: async () => undefined };
  const { tell, read } = createNews({
    records: { store, afterEnd: [] },
    clients: none,
    audit: { onFault: () => undefined },
  });
  const at = Math.floor(Date.now() / 1000);
  for (let i = 0; i < 25; i += 1) await tell('harbour', 'sam', `row-${i}`, { what: 'answer', at });
  expect([...(await read('harbour', 'sam')).keys()]).toEqual(Array.from({ length: 20 }, (_, i) => `row-${24 - i}`));
});
