import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Site } from '../../lib/index.ts';
import type { NewRecord, Store } from '../../lib/store.ts';
import { type Browser, csrfOf, type Stop } from '../helpers/browser.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
let saved: NewRecord[];
/** Runs before an application is written. */
let before: (() => Promise<unknown>) | undefined;
afterEach(async () => {
  resetClock();
  await schools.close();
});

const path = '/developers/oauth-applications';
const at = (rest = ''): string => `${schools.harbour}${path}${rest}`;
const site = (): Site => harbourSite(schools.harbour);
const filled = {
  name: 'Study Timer',
  redirect_uris: 'https://timer.example/callback',
  client_uri: '',
  kind: 'confidential',
  scope: 'openid',
};
type Fields = Readonly<Record<string, string>>;

async function start(): Promise<Browser> {
  saved = [];
  before = undefined;
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    save: async (siteId, entry) => {
      saved.push(entry);
      if (entry.kind === 'Client') {
        const run = before;
        before = undefined;
        await run?.();
      }
      return inner.save(siteId, entry);
    },
  };
  schools = await startSchools({ campus: { store } });
  return schools.browser('olivia');
}

const send = (browser: Browser, url: string, fields: Fields): Promise<Response> =>
  browser.fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
const secretOn = (html: string): string | undefined =>
  readPage(html).queryByRole('textbox', { name: 'Client secret' })?.value;
const versionOn = (html: string): string => readPage(html).field('version');

/** Where a form leads. */
async function created(browser: Browser, fields: Fields = {}): Promise<{ csrf: string; page: string }> {
  const csrf = csrfOf((await browser.follow(at('/new'))).html);
  const response = await send(browser, at('/new'), { ...filled, csrf, ...fields });
  expect(response.status).toBe(303);
  return { csrf, page: schools.harbour + (response.headers.get('location') ?? '') };
}

const offersNew = ({ html }: Stop): boolean =>
  html.includes('so it can’t be shown again') && html.includes('Create a new secret');

describe('the page after an application was created', () => {
  test('shows the secret to one request; a reload offers a new one, and creates nothing', async () => {
    const browser = await start();
    const { page } = await created(browser);
    const stops = await Promise.all([1, 2, 3].map(() => browser.follow(page)));
    const shown = stops.flatMap(({ html }) => secretOn(html) ?? []);
    expect(shown).toHaveLength(1);
    // A language is a link to the same page, which would not have the secret any more.
    const languages = stops.map(({ html }) => readPage(html).queryByRole('navigation', { name: 'Language' }));
    expect(languages.map((each) => each === undefined)).toEqual(stops.map(({ html }) => secretOn(html) !== undefined));
    expect(stops.filter(offersNew)).toHaveLength(2);
    expect(offersNew(await browser.follow(page))).toBe(true);
    expect(await schools.campus.applications.list(site())).toHaveLength(1);
  });

  test('has no credential in its address, and the store has none that can be read', async () => {
    const browser = await start();
    const { csrf, page } = await created(browser);
    const secret = secretOn((await browser.follow(page)).html) ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(page).not.toContain(secret);
    expect(page).not.toContain(csrf);
    expect(saved.some(({ kind }) => kind === 'OneTimeSecret')).toBe(true);
    expect(JSON.stringify(saved)).not.toContain(secret);
    const [first] = saved.filter(({ kind }) => kind === 'OneTimeSecret');
    expect(first?.ttl).toBe(300);
    // After it was shown nothing is left that could be opened.
    expect(saved.findLast(({ kind }) => kind === 'OneTimeSecret')?.record).not.toContain('sealed');
  });

  test('shows nothing to another operator, at another school, to members, or for another application', async () => {
    const browser = await start();
    const { harbour, summit } = schools.people;
    if (harbour?.['olivia'] && summit) {
      harbour['oscar'] = { ...harbour['olivia'], id: 'oscar' };
      summit['olivia'] = harbour['olivia'];
    }
    const { page } = await created(browser);
    const { application: other } = await schools.campus.applications.create(site(), {
      clientName: 'Other',
      redirectUris: ['https://other.example/'],
      scopes: ['openid'],
      confidential: true,
    });
    expect(offersNew(await schools.browser('oscar').follow(page))).toBe(true);
    expect((await schools.browser('sam').follow(page)).response.status).toBe(403);
    expect((await browser.follow(page.replace(schools.harbour, schools.summit))).response.status).toBe(404);
    expect((await browser.fetch(page, { method: 'HEAD' })).status).toBe(200);
    expect(secretOn((await browser.follow(page)).html)).toBeDefined();
    const second = await created(browser);
    const name = new URL(second.page).searchParams.get('created');
    expect(secretOn((await browser.follow(at(`/${other.clientId}?created=${name}`))).html)).toBeUndefined();
  });

  test('does not show a secret that was not asked for within 5 minutes', async () => {
    const browser = await start();
    const { page } = await created(browser);
    setClockAhead(301);
    expect(offersNew(await browser.follow(page))).toBe(true);
  });

  test('does not show a secret that is not valid any more', async () => {
    const browser = await start();
    const { page } = await created(browser);
    const [application] = await schools.campus.applications.list(site());
    await schools.campus.applications.rotateSecret(site(), application?.clientId ?? '');
    expect(offersNew(await browser.follow(page))).toBe(true);
  });

  test('of an application on people’s devices says that it has no secret, and is its ordinary page later', async () => {
    const browser = await start();
    const { page } = await created(browser, { kind: 'public' });
    const first = await browser.follow(page);
    expect([secretOn(first.html), first.html.includes('has to use PKCE instead')]).toEqual([undefined, true]);
    readPage((await browser.follow(page)).html).getByRole('heading', { name: 'Study Timer', level: 1 });
  });
});

describe('the form for a new secret', () => {
  /** What the pages say of the secrets: after the rotation, and of the application later. */
  async function rotated(overlap: string | undefined): Promise<{ works: boolean[]; pages: Stop[] }> {
    const browser = await start();
    const { page } = await created(browser);
    const old = secretOn((await browser.follow(page)).html);
    const here = page.slice(0, page.indexOf('?'));
    const { html } = await browser.follow(`${here}?confirm=rotate`);
    const choices = readPage(html).getAllByRole('radio');
    expect(choices.map(({ name, value, checked }) => [name, value, checked])).toEqual([
      ['Right away', '0', false],
      ['In 1 hour', '3600', false],
      // Nothing stops while the new secret is entered.
      ['In 24 hours', '86400', true],
    ]);
    const form = { csrf: csrfOf(html), version: versionOn(html), action: 'rotate' };
    const body = new URLSearchParams({ ...form, ...(overlap !== undefined && { overlap }) });
    const shown = await browser.follow(here, { method: 'POST', body });
    const client_id = here.split('/').at(-1) ?? '';
    const revoke = async (secret = ''): Promise<boolean> => {
      const sent = { method: 'POST', body: new URLSearchParams({ client_id, client_secret: secret, token: 'x' }) };
      return (await fetch(`${schools.harbour}/api/oauth/revoke`, sent)).status === 200;
    };
    const works = [await revoke(old), await revoke(secretOn(shown.html))];
    setClockAhead(3601);
    works.push(await revoke(old));
    resetClock();
    return { works, pages: [shown, await browser.follow(here)] };
  }

  test.each([undefined, '0', '999999', 'NaN'])('ends the old one at once (%s)', async (overlap) => {
    const { works, pages } = await rotated(overlap);
    expect(works).toEqual([false, true, false]);
    for (const { html } of pages) expect(html).not.toContain('The old secret works');
    expect(pages[1]?.html).toContain('Not used yet.');
  });

  test('lets the old one work for an hour, and says until when and whether it was used', async () => {
    const { works, pages } = await rotated('3600');
    expect(works).toEqual([true, true, false]);
    for (const { html } of pages) readPage(html).getAllByText(/^The old secret works until \w/);
    expect(pages[1]?.html.match(/Not used yet\./g)).toHaveLength(2);
  });
});

describe('a form that is sent a second time', () => {
  test('while the first one is not answered leads to the same page, which shows the secret', async () => {
    const browser = await start();
    const csrf = csrfOf((await browser.follow(at('/new'))).html);
    let second: Response | undefined;
    // The application is not there yet.
    before = async () => {
      second = await send(browser, at('/new'), { ...filled, csrf });
    };
    const first = await send(browser, at('/new'), { ...filled, csrf });
    expect([first.status, second?.status]).toEqual([303, 303]);
    expect(second?.headers.get('location')).toBe(first.headers.get('location'));
    const page = schools.harbour + (first.headers.get('location') ?? '');
    expect(secretOn((await browser.follow(page)).html)).toMatch(/^[\w-]{43}$/);
    expect(await schools.campus.applications.list(site())).toHaveLength(1);
  });

  test('after the secret was shown says that the application exists', async () => {
    const browser = await start();
    const { csrf, page } = await created(browser);
    await browser.follow(page);
    const body = new URLSearchParams({ ...filled, name: 'Other', csrf });
    const stop = await browser.follow(at('/new'), { method: 'POST', body });
    expect([stop.url.href, offersNew(stop)]).toEqual([page, true]);
    expect(await schools.campus.applications.list(site())).toMatchObject([{ clientName: 'Study Timer' }]);
  });

  test('hours later creates nothing, even if the application was removed', async () => {
    const browser = await start();
    const { csrf } = await created(browser);
    const [application] = await schools.campus.applications.list(site());
    await schools.campus.applications.remove(site(), application?.clientId ?? '');
    setClockAhead(3600);
    const response = await send(browser, at('/new'), { ...filled, csrf });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('open the app under Developers'),
    ]);
    expect(await schools.campus.applications.list(site())).toEqual([]);
  });

  test('while a secret is rotated leads to the same page, and the secret on it is valid', async () => {
    const browser = await start();
    const { page } = await created(browser);
    const here = page.slice(0, page.indexOf('?'));
    const { html } = await browser.follow(`${here}?confirm=rotate`);
    const form = { csrf: csrfOf(html), version: versionOn(html), action: 'rotate' };
    let second: Response | undefined;
    before = async () => {
      second = await send(browser, here, form);
    };
    const first = await send(browser, here, form);
    expect([first.status, second?.status]).toEqual([303, 303]);
    expect(second?.headers.get('location')).toBe(first.headers.get('location'));
    const shown = await browser.follow(schools.harbour + (first.headers.get('location') ?? ''));
    const secret = secretOn(shown.html) ?? '';
    const body = new URLSearchParams({ client_id: here.split('/').at(-1) ?? '', client_secret: secret, token: 'x' });
    expect((await fetch(`${schools.harbour}/api/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
  });
});
