import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../../lib/index.ts';
import { introspect, refresh } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { callTool } from '../../mcp/rpc.ts';
import { Asking, Classes, knowing, limited, tools, withClasses } from './limited-schools.ts';

// A person ticks a permission on “Your apps” that is limited by a boundary: the page asks what it counts for.

let schools: Schools;
const classes = new Classes();
const classesOfOlivia = (): string[] => classes.of['olivia'] ?? [];
const events: AuditEvent[] = [];
beforeAll(async () => {
  schools = await startSchools({ campus: withClasses(classes), mcp: { tools } });
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterAll(() => schools.close());

const wide = { ...limited, scope: `${limited.scope} courses:write` };
const site = () => siteOf(schools, 'harbour');
const connections = () => schools.campus.connections;
const connection = async () => (await connections().list(site(), 'olivia'))[0];
const address = async () => `${schools.harbour}/account/apps/${(await connection())?.id}`;

/** Olivia allows some of what it asks for, and everything of it for all classes. */
async function allow(scope: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  await connections().revokeAll(site(), 'olivia');
  const asking = await new Asking(schools.browser('olivia'), schools.harbour, wide).open();
  const { body } = await (await asking.allow({ scope, 'limit.class': 'all' })).tokens();
  events.length = 0;
  return body;
}

type Changes = Readonly<Record<string, readonly string[]>>;

const open = async () => readPage((await schools.browser('olivia').follow(await address())).html);

/** The form of the permissions as it is on the page, with fields changed. */
async function save(changes: Changes, button?: string) {
  const url = await address();
  const browser = schools.browser('olivia');
  const forms = readPage((await browser.follow(url)).html).getAllByRole('form');
  const body = new URLSearchParams([...(forms.find(({ fields }) => fields.has('scope'))?.fields ?? [])]);
  for (const [name, values] of Object.entries(changes)) {
    body.delete(name);
    for (const value of values) body.append(name, value);
  }
  if (button !== undefined) body.append('select', button);
  const { html, response } = await browser.follow(url, { method: 'POST', body });
  return { status: response.status, page: readPage(html) };
}

const isAll = (page: ReturnType<typeof readPage>) => page.getByRole('checkbox', { name: /^All my classes/ }).checked;

test('the page asks for which classes, proposes to choose, and gives no more than was chosen', async () => {
  const tokens = await allow(['orders:read']);
  expect(isAll(await open())).toBe(false);
  const undecided = await save({ add: ['courses:read'] });
  expect([undecided.status, undecided.page.getByRole('alert').text]).toEqual([
    400,
    'Choose at least one of your classes, or all.',
  ]);
  expect(undecided.page.getByRole('checkbox', { name: /View courses/i }).checked).toBe(true);
  expect((await connection())?.scopes).toEqual(['openid', 'orders:read']);

  const found = await save({ add: ['courses:read'], 'find.class': ['Class 50'], 'only.class': ['c2'] }, 'find');
  const ticked = found.page.getAllByRole('checkbox').filter(({ checked }) => checked);
  expect([found.status, ticked.map(({ value }) => value).sort()]).toEqual([200, ['c2', 'courses:read', 'orders:read']]);
  expect((await connection())?.scopes).toEqual(['openid', 'orders:read']);

  const { page } = await save({ add: ['courses:read'], 'only.class': ['c2', 'c3'] });
  expect(
    page
      .getAllByRole('status')
      .map(({ text }) => text)
      .join(' '),
  ).toContain('One permission');
  expect(await connection()).toMatchObject({
    scopes: ['openid', 'orders:read', 'courses:read'],
    only: { class: ['c2', 'c3'] },
  });
  expect(events).toMatchObject([{ action: 'connection.widened', only: { class: ['c2', 'c3'] } }]);
  const { body } = await refresh(schools.harbour, wide, tokens['refresh_token']);
  expect(body['authorization_details']).toEqual([{ type: 'class', identifiers: ['c2', 'c3'] }]);
  const seen = await callTool(schools.harbour, 'list_courses', {}, { token: String(body['access_token']) });
  expect(JSON.stringify(seen.body)).toContain('[\\"c2\\",\\"c3\\"]');
});

test('a form of before, or one that was made by hand, gives nothing without a choice', async () => {
  await allow(['orders:read']);
  for (const changes of [
    { 'limit.class': [] },
    { 'limit.class': ['some'] },
    { 'limit.class': ['some'], 'only.class': ['s1'] },
  ]) {
    const { status, page } = await save({ add: ['courses:read'], 'only.class': [], ...changes });
    expect([status, page.getByRole('alert').text === '']).toEqual([400, false]);
  }
  expect([(await connection())?.scopes, events]).toEqual([['openid', 'orders:read'], []]);
});

test('where it has some of what is limited, the one choice counts for that too, and its tokens of before end', async () => {
  const tokens = await allow(['courses:read', 'orders:read']);
  expect(isAll(await open())).toBe(true);
  await save({ add: ['courses:write'], 'limit.class': ['some'], 'only.class': ['c9'], scope: ['courses:read'] });
  expect(await connection()).toMatchObject({
    scopes: ['openid', 'courses:read', 'courses:write'],
    only: { class: ['c9'] },
  });
  expect(events.map(({ action }) => action)).toEqual(['connection.widened', 'connection.narrowed']);
  expect((await introspect(schools.harbour, knowing, tokens['access_token'])).body).toEqual({ active: false });
});

test('all is given to who chooses all, and what is not limited is given without a choice', async () => {
  await allow(['courses:read']);
  const nothing = await save({ add: ['orders:read'] });
  expect([nothing.status, (await connection())?.scopes]).toEqual([200, ['openid', 'courses:read', 'orders:read']]);
  await save({ add: ['courses:write'], 'limit.class': ['all'] });
  expect(await connection()).not.toHaveProperty('only');
  expect((await connection())?.scopes).toContain('courses:write');
});

test('the limits in the form are saved without a permission that is added, and a class that is gone is in no one’s way', async () => {
  await allow(['courses:read', 'orders:read']);
  const { page } = await save({ 'limit.class': ['some'], 'only.class': ['c4'] });
  expect(
    page
      .getAllByRole('status')
      .map(({ text }) => text)
      .join(' '),
  ).toContain('Saved for all devices.');
  expect(await connection()).toMatchObject({
    scopes: ['openid', 'courses:read', 'orders:read'],
    only: { class: ['c4'] },
  });
  const { id = '' } = (await connection()) ?? {};
  classesOfOlivia().splice(classesOfOlivia().indexOf('c4'), 1);
  await save({ scope: ['courses:read'] });
  expect(await connection()).toMatchObject({ id, scopes: ['openid', 'courses:read'], only: { class: ['c4'] } });
});

test('campus.connections.widen takes the limits with the scopes, and what the person does not have is an error', async () => {
  await allow(['orders:read']);
  const { id = '' } = (await connection()) ?? {};
  const widen = (only: Readonly<Record<string, readonly string[]>>) =>
    connections().widen(site(), 'olivia', id, ['courses:read'], only);
  await expect(widen({ class: ['s1'] })).rejects.toThrow(
    'a limit of the type "class" must have ids of the person, not "s1"',
  );
  await expect(widen({ group: ['c1'] })).rejects.toThrow(
    'the limits must have types of the option boundaries, not "group"',
  );
  expect((await connection())?.scopes).toEqual(['openid', 'orders:read']);
  expect(await widen({ class: ['c1'] })).toMatchObject({
    scopes: ['openid', 'orders:read', 'courses:read'],
    only: { class: ['c1'] },
  });
});
