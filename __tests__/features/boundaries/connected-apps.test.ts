import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { AuditEvent, HookEvent } from '../../../lib/index.ts';
import { refresh } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { callTool } from '../../mcp/rpc.ts';
import { Asking, Classes, limited, tools, withClasses } from './limited-schools.ts';

let schools: Schools;
let tokens: Readonly<Record<string, unknown>>;
const classes = new Classes();
const store = memoryStore();
const events: AuditEvent[] = [];
const connected: HookEvent[] = [];
beforeAll(async () => {
  schools = await startSchools({
    campus: { ...withClasses(classes), store, hooks: { connected: (event) => void connected.push(event) } },
    mcp: { tools },
  });
  schools.campus.events.on('audit', (event) => events.push(event));
  const asking = await new Asking(schools.browser('olivia'), schools.harbour).open();
  tokens = (await (await asking.limit(['c1', 'c7'])).tokens()).body;
});
afterAll(() => schools.close());

const site = () => siteOf(schools, 'harbour');
const connections = () => schools.campus.connections;
const connection = async () => (await connections().list(site(), 'olivia'))[0];

/** Posts the form that is on the page of the app, with another choice. */
async function post(button: string, changes: Readonly<Record<string, readonly string[]>>) {
  const browser = schools.browser('olivia');
  const url = `${schools.harbour}/account/apps/${(await connection())?.id}`;
  const forms = readPage((await browser.follow(url)).html).getAllByRole('form');
  const body = new URLSearchParams([...(forms.find(({ fields }) => fields.has('version'))?.fields ?? [])]);
  for (const name of ['limit.class', 'only.class', 'find.class']) body.delete(name);
  if (button !== 'save') body.append('select', button);
  for (const [name, values] of Object.entries(changes)) for (const value of values) body.append(name, value);
  const answer = await browser.follow(url, { method: 'POST', body });
  return { ...answer, page: readPage(answer.html) };
}

test('the page of an app shows the limit, searches without a script, and changes it: tokens of before end', async () => {
  expect((await connection())?.only).toEqual({ class: ['c1', 'c7'] });
  const found = await post('find', { 'limit.class': ['some'], 'only.class': ['c1'], 'find.class': ['Class 50'] });
  const boxes = found.page.getAllByRole('checkbox', { name: /^Class/ });
  expect(boxes.filter(({ checked }) => checked).map(({ value }) => value)).toEqual(['c1']);
  expect(boxes.map(({ value }) => value)).toEqual(['c1', 'c50', 'c500']);
  expect((await connection())?.only).toEqual({ class: ['c1', 'c7'] });
  const saved = await post('save', { 'limit.class': ['some'], 'only.class': ['c1', 'c50'] });
  expect(saved.page.getByRole('status').text).toContain('Saved for all devices.');
  expect((await connection())?.only).toEqual({ class: ['c1', 'c50'] });
  expect(events.findLast(({ action }) => action === 'connection.limited')).toMatchObject({
    actor: { kind: 'member', id: 'olivia' },
    only: { class: ['c1', 'c50'] },
  });
  expect(connected.at(-1)).toMatchObject({
    action: 'connection.limited',
    site: { id: 'harbour' },
    member: { id: 'olivia' },
    client: { clientId: limited.id },
    only: { class: ['c1', 'c50'] },
  });
  const before = await callTool(schools.harbour, 'list_courses', {}, { token: String(tokens['access_token']) });
  expectError(before, 401, 'invalid_token');
  tokens = (await refresh(schools.harbour, limited, tokens['refresh_token'])).body;
  expect(tokens['authorization_details']).toEqual([{ type: 'class', identifiers: ['c1', 'c50'] }]);
});

test('the list and the page to print name the classes of a limited app', async () => {
  const browser = schools.browser('olivia');
  const list = await browser.follow(`${schools.harbour}/account/apps`);
  readPage(list.html).getByRole('link', { name: /^Reports View only · Class 1, Class 50 · Last active: / });
  const print = await browser.follow(`${schools.harbour}/account/apps/${(await connection())?.id}?view=print`);
  readPage(print.html).getByText('Classes: Class 1, Class 50');
});

test('a permission that is given later is limited as the connection is', async () => {
  const { id = '' } = (await connection()) ?? {};
  await connections().narrow(site(), 'olivia', id, ['courses:read']);
  tokens = (await refresh(schools.harbour, limited, tokens['refresh_token'])).body;
  expect(tokens['scope']).toBe('openid orders:read');
  await connections().widen(site(), 'olivia', id, ['courses:read']);
  tokens = (await refresh(schools.harbour, limited, tokens['refresh_token'])).body;
  expect([tokens['scope'], tokens['authorization_details']]).toEqual([
    'openid orders:read courses:read',
    [{ type: 'class', identifiers: ['c1', 'c50'] }],
  ]);
  const seen = await callTool(schools.harbour, 'list_courses', {}, { token: String(tokens['access_token']) });
  expect(JSON.stringify(seen.body)).toContain('c50');
});

test('campus.explain says what the connection is limited to', async () => {
  const explain = (memberId: string) => schools.campus.explain(site(), { clientId: limited.id, memberId });
  expect(await explain('olivia')).toMatchObject({ outcome: 'allowed', only: { class: ['c1', 'c50'] } });
  expect(await explain('sam')).not.toHaveProperty('only');
});

test('a limit of a type that is no longer declared is shown as gone, and stays whatever is chosen of another type', async () => {
  const id = (await connection())?.id ?? '';
  const found = await store.find('harbour', 'Grant', id);
  const record = found?.record.replace('"class":', '"group":') ?? '';
  await store.save('harbour', { kind: 'Grant', id, record, ttl: 1000, memberId: 'olivia', clientId: limited.id });
  const { html } = await schools.browser('olivia').follow(`${schools.harbour}/account/apps/${id}`);
  expect(html).toContain('What you chose is gone, so it sees nothing.');
  expectError(await refresh(schools.harbour, limited, tokens['refresh_token']), 400, 'invalid_grant');
  await post('save', { 'limit.class': ['some'], 'only.class': ['c1', 'c50'] });
  expect((await connection())?.only).toEqual({ class: ['c1', 'c50'], group: ['c1', 'c50'] });
  await store.save('harbour', {
    kind: 'Grant',
    id,
    record: found?.record ?? '',
    ttl: 1000,
    memberId: 'olivia',
    clientId: limited.id,
  });
});

test.each([
  ['nothing chosen', { 'limit.class': ['some'] }],
  ["another person's", { 'limit.class': ['some'], 'only.class': ['s1'] }],
  ['no choice', {}],
])('a form with %s changes nothing', async (_what, changes) => {
  const before = (await connection())?.only;
  const { response, page } = await post('save', changes);
  expect([response.status, page.getByRole('alert').text === '']).toEqual([400, false]);
  expect((await connection())?.only).toEqual(before);
});

test('campus.connections.limit takes what the person has, and nothing else', async () => {
  const id = (await connection())?.id ?? '';
  const limit = (only: Record<string, string[]>, memberId = 'olivia') =>
    connections().limit(site(), memberId, id, only);
  await expect(limit({ class: ['s1'] })).rejects.toThrow(
    'a limit of the type "class" must have ids of the person, not "s1"',
  );
  await expect(limit({ class: [] })).rejects.toThrow('must have 1 to 100 ids');
  await expect(limit({ course: ['c1'] })).rejects.toThrow(
    'the limits must have types of the option boundaries, not "course"',
  );
  expect(await limit({ class: ['c1'] }, 'sam')).toBeUndefined();
  expect((await limit({ class: ['c7', 'c3', 'c7'] }))?.only).toEqual({ class: ['c3', 'c7'] });
  expect(await limit({})).not.toHaveProperty('only');
  const { connections: exported } = await schools.campus.members.export(site(), 'olivia');
  expect(exported[0]).not.toHaveProperty('only');
});

test('the export of a person has the limits, and erasing the person ends them', async () => {
  const id = (await connection())?.id ?? '';
  await connections().limit(site(), 'olivia', id, { class: ['c1'] });
  const { connections: exported } = await schools.campus.members.export(site(), 'olivia');
  expect(exported[0]?.only).toEqual({ class: ['c1'] });
  await schools.campus.members.erase(site(), 'olivia');
  expect(await connection()).toBeUndefined();
});
