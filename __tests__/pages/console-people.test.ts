import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import { type LargeSchool, startLargeSchool } from '../helpers/large-school.ts';
import { readPage } from '../helpers/page.ts';
import { useClient } from '../helpers/used-clients.ts';

const apps = '/developers/apps';
const people = `${apps}/people`;

let large: LargeSchool;
beforeAll(async () => {
  large = await startLargeSchool();
});
afterAll(() => large.schools.close());

async function open(address: string, person = 'olivia') {
  large.calls.length = 0;
  large.questions.length = 0;
  const { harbour } = large.schools;
  const { html, response, url } = await large.schools.browser(person).follow(new URL(address, harbour));
  expect(Buffer.byteLength(html)).toBeLessThan(60_000);
  return { html, page: readPage(html), status: response.status, url, reads: large.calls.length };
}

/** Sends a form with the token of its page, and follows where it leads. */
async function send(html: string, address: string, fields: Readonly<Record<string, string>>) {
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(html) ?? [];
  const { harbour } = large.schools;
  const browser = large.schools.browser('olivia');
  const body = new URLSearchParams({ csrf, ...fields });
  return browser.follow(new URL(address, harbour), { method: 'POST', body });
}

const rowsIn = (html: string): string[] =>
  readPage(html)
    .getByRole('main')
    .getAll(({ role }) => role === 'listitem')
    .map(({ text }) => text);

describe('a school with 60 apps and 5,000 people', () => {
  test('who has Quizlet: its page is the second press', async () => {
    const first = await open(apps);
    const { href } = first.page.getByRole('link', { name: 'Quizlet' });
    const { page, html, reads } = await open(href);
    page.getByRole('heading', { name: '214 people use it', level: 2 });
    expect(rowsIn(html).filter((row) => row.endsWith('Disconnect'))).toHaveLength(20);
    expect(page.text).toContain('1–20 of 214');
    // 20 people, each with their connections, and what the decision is made from.
    expect(reads).toBeLessThan(200);
    const next = await open(page.getByRole('link', { name: 'Next page' }).href);
    expect(next.page.text).toContain('21–40 of 214');
    const teachers = await open(`${href}&role=teacher`);
    expect(rowsIn(teachers.html).filter((row) => /^\S+ \S+ \d+ Teacher · /.test(row)).length).toBeGreaterThan(0);
    expect(teachers.html).not.toContain('Student · Only');
    const found = await open(`${href}&q=sam`);
    expect(rowsIn(found.html)[0]).toMatch(/^Sam Rivera Student · View only · not used lately Disconnect$/);
    expect((await open(`${href}&cursor=%00&before=20`)).page.text).toContain('1–20 of 214');
  });

  test('beside each role stands how many people are connected, up to 500', async () => {
    const rolesOf = async (client: string) => {
      const { page } = await open(`${apps}?client=${client}`);
      const fields = page.getByRole('group', { name: 'Who can connect it' });
      return fields.text.replace(/^Who can connect it /, '');
    };
    // Somebody who is on no page yet cannot be looked up: nothing is guessed.
    large.lost.add('m-200');
    expect(await rolesOf('moodle')).toBe('People could not be counted by role just now. Owner Teacher Student');
    large.lost.clear();
    expect(await rolesOf('moodle')).toBe('Owner none Teacher 43 connected Student 214 connected');
    await useClient(large.store, 'everyone', { name: 'Everyone', at: Math.floor(Date.now() / 1000), people: 501 });
    expect(await rolesOf('everyone')).toBe(
      'More than 500 people use it. They are not counted by role. Owner Teacher Student',
    );
    await large.store.revoke('harbour', { clientId: 'everyone' });
    // Within a minute it is not counted again, unless the number of people is another.
    large.calls.length = 0;
    await rolesOf('moodle');
    expect(large.calls.filter((call) => call === 'grantsOf')).toHaveLength(1);
  });

  test('what has Sam: a search and one press', async () => {
    const list = await open(people);
    expect(rowsIn(list.html)).toHaveLength(20);
    expect(list.reads).toBeLessThan(200);
    const found = await open(`${people}?q=sam`);
    expect(rowsIn(found.html)).toEqual([expect.stringMatching(/^Sam Rivera Student · Kahoot!, Moodle, and Quizlet$/)]);
    const { page, html, reads } = await open(found.page.getByRole('link', { name: /^Sam Rivera/ }).href);
    page.getByRole('heading', { name: 'Sam Rivera', level: 1 });
    expect(page.text).toContain('Student · sam@example.com');
    page.getByRole('heading', { name: '3 apps can act for Sam Rivera', level: 2 });
    expect(rowsIn(html)).toEqual(
      ['Kahoot!', 'Moodle', 'Quizlet'].map((app) => expect.stringContaining(`${app} View only · since `)),
    );
    expect(reads).toBeLessThan(60);
    const printed = (await open(`${people}?person=sam&view=print`)).page;
    printed.getByRole('heading', { name: 'What apps can do for Sam Rivera', level: 1 });
    expect(printed.text).toContain('Quizlet');
    expect(printed.text).toContain('View each person’s own account and notifications');
    expect(printed.text).toContain('It can’t Change: Courses, Students, Members, Curriculum, or School');
  });

  test('what is new, without the log: the order of the list, and one press', async () => {
    const { page } = await open(apps);
    const rowOf = (name: RegExp) =>
      page
        .getByRole('table')
        .getAllByRole('row')
        .find(({ text }) => name.test(text));
    expect(rowOf(/Padlet/)?.text).toContain('Padlet Set up by the platform · new this week');
    expect(rowOf(/Quizlet/)?.text).not.toContain('new this week');
    const newest = await open(`${apps}?sort=new`);
    expect(newest.page.getByRole('combobox', { name: 'Order' }).text).toContain('Newest');
    const rows = newest.page.getByRole('table').getAllByRole('row').slice(1);
    expect(rows[0]?.text).toContain('Padlet');
    expect(rows.filter(({ text }) => text.includes('new this week'))).toHaveLength(1);
  });

  test('who connected what last week: one press, summed up by app, in one read of the log', async () => {
    const { page, html } = await open(`${apps}/activity`);
    expect(page.text).toContain('26 people connected 5 apps, 4 disconnected one, 3 were refused.');
    expect(rowsIn(html)).toEqual([
      expect.stringMatching(/^Quizlet: \S+ \S+ \d+, \S+ \S+ \d+, \S+ \S+ \d+ and 11 more .+ – today$/),
      expect.stringMatching(/^Moodle: .* and 2 more /),
      expect.stringMatching(/^Kahoot!: .* and 1 more /),
      expect.stringMatching(/^Padlet: \S+ \S+ \d+, \S+ \S+ \d+ yesterday$/),
      expect.stringMatching(/^Choir planner: Ada Fischer 50. Allowed to change: .+ /),
      expect.stringMatching(/^Tool 1: .* and 1 more /),
      expect.stringMatching(/^Tool 2: .*/),
    ]);
    expect(large.questions).toEqual([
      expect.objectContaining({ from: expect.any(Date), to: expect.any(Date), limit: 500 }),
    ]);
    const before = await open(page.getByRole('link', { name: 'Days before' }).href);
    expect(before.page.text).toContain('3 people connected an app, nobody disconnected one, nobody was refused.');
    const each = await open(page.getByRole('link', { name: 'Show each entry' }).href);
    expect(each.page.text).toContain('allowed Quizlet all that it asked for');
    const today = await open(`${apps}/activity?when=today`);
    expect(today.page.text).toMatch(/[23] people connected an app/);
    const months = await open(`${apps}/activity?when=month`);
    expect(months.page.text).toContain('29 people connected 6 apps');
    const file = await large.schools.browser('olivia').fetch(`${large.schools.harbour}${apps}/activity?format=csv`);
    expect((await file.text()).split('\r\n').length).toBe(1 + 26 + 4 + 3 + 1);
  });

  test('a name, an app or a reference that somebody types leads to its entries', async () => {
    const at = async (q: string) => (await open(`${apps}/activity?q=${encodeURIComponent(q)}`)).url.searchParams;
    expect((await at('sam rivera')).get('person')).toBe('sam');
    expect((await at('claude code')).get('app')).toBe('claude-code');
    expect((await at('Quizlet')).get('app')).toBe('Quizlet');
    expect((await at('nothing like this')).get('person')).toBe('nothing like this');
    expect((await open(`${apps}/activity?app=Quizlet`)).page.text).toContain('Ada Adeyemi 0 allowed Quizlet');
  });

  test('only administrators see them', async () => {
    for (const address of [people, `${people}?person=sam`, `${people}?person=sam&view=print`]) {
      expect((await open(address, 'sam')).status).toBe(403);
    }
  });

  test('somebody who is not there has no page, and a place that no page had leads to the first', async () => {
    expect((await open(`${people}?person=nobody`)).status).toBe(404);
    expect((await open(`${people}?person=${'x'.repeat(301)}`)).status).toBe(404);
    expect((await open(`${people}?cursor=%00`)).url.search).toBe('');
    expect((await open(`${people}?q=nothing+like+this`)).page.text).toContain('with this name or email');
  });
});

describe('an administrator disconnects', () => {
  const events: AuditEvent[] = [];
  beforeAll(() => {
    large.schools.campus.events.on('audit', (event) => events.push(event));
  });

  test('one person from an app, on the page of the app', async () => {
    const address = `${apps}?client=quizlet`;
    const { html, page } = await open(`${address}&q=sam`);
    const button = page.getByRole('button', { name: /^Disconnect .Sam Rivera/ });
    const one = button.attribute('value') ?? '';
    const sent = await send(html, address, { action: 'end-person', client: 'quizlet', one });
    expect(readPage(sent.html).getByRole('status').text).toBe('Quizlet is disconnected from Sam Rivera.');
    expect(readPage(sent.html).text).toContain('213 people use it');
    expect(events.at(-1)).toMatchObject({
      action: 'connection.ended',
      reason: 'client_disconnected',
      actor: { kind: 'administrator', id: 'olivia' },
      memberId: 'sam',
      clientId: 'quizlet',
    });
    // Once more: nothing is left to end.
    const again = await send(html, address, { action: 'end-person', client: 'quizlet', one });
    expect(readPage(again.html).queryByRole('status')).toBeUndefined();
    for (const value of ['%E0%A4%A', '', 'nobody x'])
      expect((await send(html, address, { action: 'end-person', client: 'quizlet', one: value })).response.status).toBe(
        200,
      );
  });

  test('one app, and then all, on the page of the person', async () => {
    const address = `${people}?person=m-1`;
    const { html, page } = await open(address);
    const id = page.getByRole('button', { name: /^Disconnect .Tool 54/ }).attribute('value') ?? '';
    const sent = await send(html, address, { action: 'end', person: 'm-1', id });
    expect(readPage(sent.html).getByRole('status').text).toBe('Tool 54 is disconnected from Ben Adeyemi 1.');
    const asked = await open(readPage(sent.html).getByRole('link', { name: 'Disconnect all' }).href);
    asked.page.getByRole('heading', { name: 'Disconnect all apps of Ben Adeyemi 1?', level: 1 });
    const all = await send(asked.html, address, { action: 'end-all', person: 'm-1' });
    expect(readPage(all.html).getByRole('status').text).toMatch(/^\d+ apps are disconnected\.$/);
    readPage(all.html).getByRole('heading', { name: 'No app can act for Ben Adeyemi 1' });
    expect(events.at(-1)).toMatchObject({ actor: { kind: 'administrator', id: 'olivia' }, memberId: 'm-1' });
  });
});
