import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { StaticClient } from '../../lib/index.ts';
import { digest } from '../../lib/kernel/crypto.ts';
import type { Store } from '../../lib/store.ts';
import { loopbackClients } from '../../policies/loopback-clients.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { countedStore } from '../helpers/stores.ts';
import { useClient } from '../helpers/used-clients.ts';

const connections = '/developers/apps';
const day = 24 * 60 * 60;
const now = Math.floor(Date.now() / 1000);

/** A client alone, and an app that is two. */
const inCode = (['moodle', 'chatgpt-web', 'chatgpt-desktop'] as const).map((clientId): StaticClient => ({
  clientId,
  clientName: `In code ${clientId}`,
  audience: 'member',
  redirectUris: ['https://code.example/callback'],
  scopes: ['openid'],
  app: clientId === 'moodle' ? undefined : 'chatgpt',
}));

let store: Store;
let calls: string[];
let schools: Schools;
beforeEach(async () => {
  ({ store, calls } = countedStore());
  schools = await startSchools({ campus: { store, clients: inCode, registration: [loopbackClients()] } });
});
afterEach(() => schools.close());

interface Connected extends Omit<Parameters<typeof useClient>[2], 'at'> {
  /** Days since it last received tokens. @default 0 */
  readonly ago?: number;
}

const connected = (clientId: string, { ago = 0, ...use }: Connected): Promise<void> =>
  useClient(store, clientId, { ...use, at: now - ago * day });

const open = async (address: string) => schools.browser('olivia').follow(schools.harbour + address);

/** The rows of a page, without the heading. */
const rowsOf = (html: string): string[] =>
  readPage(html)
    .queryByRole('table')
    ?.getAllByRole('row')
    .slice(1)
    .map(({ text }) => text) ?? [];

/** The address behind a link to another page. */
const linkIn = (html: string, name: 'First page' | 'Next page'): string | undefined =>
  readPage(html).queryByRole('link', { name })?.href;

describe('the apps in use', () => {
  test('are those that people have connected, with the most people first', async () => {
    await connected('r-1', { name: 'Timer', people: 2, ago: 3 });
    await connected('r-2', { name: 'Quiz', people: 4 });
    await connected('moodle', { people: 3 });
    await schools.campus.apps.set(
      siteOf(schools),
      { clientId: 'https://docs.example/client.json' },
      { access: 'blocked' },
    );
    const rows = rowsOf((await open(connections)).html);
    expect(rows.map((row) => /^(.*?) (?:Not|Set)/.exec(row)?.[1])).toEqual(['Quiz', 'I In code moodle', 'Timer']);
    expect(rows[0]).toMatch(/^Quiz Not verified Allowed Can change: Courses, Students, and 1\d more 4 people today$/);
  });

  test('have one place for an app, where most of its people are, with all of them', async () => {
    const claimed = { id: 'claude-code', verified: false };
    for (let i = 0; i < 5; i += 1) await connected(`laptop-${i}`, { name: 'Claude Code', app: claimed, ago: i });
    await connected('r-1', { name: 'Quiz', people: 4 });
    await connected('chatgpt-web', { people: 3, ago: 40 });
    await connected('chatgpt-desktop', { people: 2, ago: 20 });
    await connected('asked', { name: 'ChatGPT', app: { id: 'chatgpt', verified: true }, ago: 30 });
    const rows = rowsOf((await open(connections)).html);
    expect(rows).toEqual([
      expect.stringMatching(/^Claude Code Not verified Allowed Can change: .* more 5 people /),
      expect.stringMatching(/^Quiz Not verified Allowed /),
      expect.stringMatching(/^C ChatGPT By OpenAI Allowed .* 6 people /),
    ]);
    const dayOf = (ago: number): string =>
      new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
        (now - ago * day) * 1000,
      );
    expect(rows[2]?.endsWith(dayOf(20))).toBe(true);
    // Nothing of it is on a later page.
    for (let i = 0; i < 30; i += 1) await connected(`more-${i}`, { name: `More ${i}`, people: i % 3 === 0 ? 3 : 1 });
    const all: string[] = [];
    for (let address: string | undefined = connections; address !== undefined;) {
      const { html } = await open(address);
      all.push(...rowsOf(html));
      address = linkIn(html, 'Next page');
    }
    expect(all.filter((row) => row.includes('ChatGPT'))).toHaveLength(1);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(33);
  });

  test('follow the rule of the school for the client, its app and its version', async () => {
    const site = siteOf(schools);
    await connected('r-1', { name: 'Quiz', people: 3 });
    await connected('laptop', { name: 'Claude Code', app: { id: 'claude-code', verified: false }, people: 2 });
    await connected('chatgpt-web', {});
    await schools.campus.apps.set(site, { clientId: 'r-1' }, { access: 'allowed', ask: true });
    await schools.campus.apps.set(site, 'chatgpt', { access: 'view_only' });
    await connected('r-1', { name: 'Quiz', people: 3 });
    await connected('chatgpt-web', {});
    const { html } = await open(connections);
    expect(rowsOf(html).map((row) => /Needs approval|View only|Allowed/.exec(row)?.[0])).toEqual([
      'Needs approval',
      'Allowed',
      'View only',
    ]);
    // The list of all apps says the same.
    const all = rowsOf((await open(`${connections}?show=all`)).html);
    expect(all.slice(0, 3)).toEqual(rowsOf(html));
  });

  test('are told apart from no app at all, and the other apps are one press away', async () => {
    const { html } = await open(connections);
    expect(rowsOf(html)).toEqual([]);
    readPage(html).getByText('Nobody at Harbour School has connected an app yet. Apps appear here once somebody does.');
    const tabs = readPage(html).getByRole('navigation', { name: 'Apps' }).getAllByRole('link');
    expect(tabs.map(({ text }) => text)).toEqual(['In use', 'Can change data', 'Decided', 'Blocked', 'All']);
    expect(tabs.map((tab) => tab.attribute('aria-current'))).toEqual(['page', ...Array<undefined>(4).fill(undefined)]);
    const { html: all } = await open(tabs[4]?.href ?? '');
    expect(rowsOf(all).length).toBe(20);
    expect(
      readPage(all)
        .getByRole('link', { name: /^All \d/ })
        .attribute('aria-current'),
    ).toBe('page');
  });

  test('begin with what waits for an administrator, each with the way there', async () => {
    await connected('r-1', { name: 'Timer', people: 2, ago: 100 });
    await connected('r-2', { name: 'Quiz', people: 4, ago: 1 });
    // Nobody is connected to it.
    await schools.campus.apps.set(siteOf(schools), { clientId: 'r-3' }, { access: 'blocked' });
    const { html } = await open(connections);
    const chip = readPage(html).getByRole('link', { name: 'One app unused for 90 days' });
    expect(rowsOf((await open(chip.href)).html)[0]).toMatch(/^Timer /);
    expect(readPage((await open(chip.href)).html).queryByRole('link', { name: chip.name })).toBeUndefined();
  });

  test('stand beside those that can change data, and those of which the school has decided', async () => {
    const site = siteOf(schools);
    await connected('r-1', { name: 'Quiz', people: 3 });
    await connected('moodle', { people: 1 });
    await schools.campus.apps.set(site, 'claude', { access: 'allowed', scopes: ['openid', 'courses:write'] });
    await schools.campus.apps.set(site, 'codex', { access: 'view_only' });
    await schools.campus.apps.set(site, 'zed', { access: 'blocked' });
    const changing = rowsOf((await open(`${connections}?show=changes`)).html);
    expect(changing).toContainEqual(
      expect.stringMatching(/^C Claude By Anthropic Allowed Can change: Courses 0 people/),
    );
    expect(changing.some((row) => /Codex|Zed|moodle/.test(row))).toBe(false);
    const decided = await open(`${connections}?show=decided`);
    expect(rowsOf(decided.html).map((row) => /Claude|Codex|Zed/.exec(row)?.[0])).toEqual(['Claude', 'Codex', 'Zed']);
    expect(rowsOf(decided.html)[2]).toContain('Blocked – ');
    const { text } = readPage(decided.html).getByRole('link', { name: /^Decided/ });
    expect(text).toBe('Decided 3');
  });

  test('what the platform has set up has its row and its page before anyone connects it', async () => {
    const { html } = await open(`${connections}?q=moodle`);
    expect(rowsOf(html)).toEqual([
      expect.stringMatching(/^I In code moodle Set up by the platform Allowed Knows who you/),
    ]);
    const { href } = readPage(html).getByRole('link', { name: 'In code moodle' });
    const page = readPage((await open(href)).html);
    expect(page.getByRole('radio', { name: /^Block/ }).attribute('name')).toBe('access');
  });

  test('a place that is gone leads to the first page, and one that somebody has made up to some page', async () => {
    for (let i = 0; i < 21; i += 1) await connected(`r-${i}`, { name: `App ${i}` });
    const first = await open(connections);
    const next = linkIn(first.html, 'Next page') ?? '';
    const second = await open(next);
    expect(rowsOf(second.html)).toHaveLength(1);
    expect(linkIn(second.html, 'First page')).toBe(connections);
    expect(linkIn(second.html, 'Next page')).toBeUndefined();
    for (let i = 0; i < 21; i += 1) {
      if (!second.html.includes(`App ${i}<`)) continue;
      await store.revoke('harbour', { clientId: `r-${i}` });
    }
    expect((await open(next)).url.search).toBe('');
    for (const after of ['x', '%00', '1e999 x', '-1', `1 ${'x'.repeat(9000)}`]) {
      expect((await open(`${connections}?after=${encodeURIComponent(after)}`)).response.status).toBe(200);
    }
  });
});

describe('with 5,000 clients', () => {
  /** The calls of the store for a page, by method. */
  const callsFor = async (address: string): Promise<Record<string, number | undefined>> => {
    calls.length = 0;
    const { response } = await open(address);
    expect(response.status).toBe(200);
    const counts = Object.entries(Object.groupBy(calls, (name) => name));
    return Object.fromEntries(counts.map(([name, all]) => [name, all?.length]));
  };

  test('a page of the apps in use makes the calls that it makes with 25, and reads no list of clients or rules', async () => {
    const claimed = { id: 'claude-code', verified: false };
    const seed = async (from: number, to: number): Promise<void> => {
      for (let i = from; i < to; i += 1) {
        await connected(`r-${i}`, { name: `App ${i}` });
        await connected(`laptop-${i}`, { name: 'Claude Code', app: claimed });
        if (i % 10 !== 0) continue;
        const rule = JSON.stringify({ v: 1, client_id: `r-${i}`, access: 'view_only', at: now });
        await store.save('harbour', { kind: 'AppRule', id: digest(`client r-${i}`), record: rule, listed: true });
      }
    };
    await seed(0, 25);
    // What waits for a decision is counted once in ten seconds.
    await open(connections);
    const few = await callsFor(connections);
    // The list is that of requests, whose number stands in the navigation. Each row has a record of its client and of what is decided.
    expect(few).toEqual({ clientsByUse: 1, countGrants: 1, list: 1, find: expect.any(Number) });
    expect(few['find']).toBeLessThanOrEqual(20 * 4);
    await seed(25, 2500);
    await open(connections);
    expect(await callsFor(connections)).toEqual(few);
    const later = linkIn((await open(connections)).html, 'Next page') ?? '';
    expect(await callsFor(later)).toEqual({ ...few, find: expect.any(Number) });
  });
});
