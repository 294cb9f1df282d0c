import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authorizeAs, olivia, type Person, sam } from '../../examples/client/automatic-person.ts';
import { createBrowser } from '../../examples/client/browser.ts';
import { authorizeUrl, exchange, jsonResponse, pkce, type TestClient } from '../helpers/flow.ts';
import { freePort } from '../helpers/free-port.ts';
import { readPage } from '../helpers/page.ts';
import { callTool, listedNames, resultOf, textOf } from './rpc.ts';

const root = new URL('../..', import.meta.url);
let child: ChildProcess;
let demo: string;

beforeAll(async () => {
  child = spawn(process.execPath, ['examples/school-platform/main.ts'], {
    cwd: root,
    env: { ...process.env, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('the demo has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    demo = /http:\/\/localhost:\d+/.exec(line)?.[0] ?? '';
    if (demo) return;
  }
  throw new Error('the demo ended without printing an address');
});

afterAll(async () => {
  child.kill('SIGTERM');
  await once(child, 'exit');
});

async function tokenOf(person: Person, client: TestClient): Promise<string> {
  const pair = pkce();
  const callback = await authorizeAs(person, authorizeUrl(demo, client, pair).href, client.redirectUri);
  const code = callback.searchParams.get('code') ?? '';
  const { body } = await exchange({ origin: demo, client, code, verifier: pair.verifier });
  return String(body['access_token']);
}

async function registered(scope: string): Promise<TestClient> {
  const redirectUri = 'http://127.0.0.1:51000/callback';
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Course writer', redirect_uris: [redirectUri] }),
  };
  const { body } = await jsonResponse(await fetch(`${demo}/api/oauth/register`, init));
  return { id: String(body['client_id']), redirectUri, scope };
}

test('course search in the demo needs no token', async () => {
  expect(await listedNames(demo)).toEqual(['school_info', 'list_courses', 'search_courses']);
  const { body } = await callTool(demo, 'search_courses', { query: 'chart' });
  expect(resultOf(body)['structuredContent']).toMatchObject({ courses: [{ slug: 'reading-charts' }], totalCount: 1 });
  const wild = await callTool(demo, 'search_courses', { query: '%' });
  expect(resultOf(wild.body)['structuredContent']).toMatchObject({ totalCount: 0 });
});

test('an operator’s tool writes a course, once, at that school alone', async () => {
  const token = await tokenOf(olivia, await registered('openid courses:write'));
  const course = { slug: 'tying-bows', name: 'Tying Bows' };
  expect((await callTool(demo, 'create_course', course)).status).toBe(401);
  const created = await callTool(demo, 'create_course', course, { token });
  expect(resultOf(created.body)['structuredContent']).toEqual({ created: course });
  expect(textOf((await callTool(demo, 'create_course', course, { token })).body)).toContain('already');
  expect(textOf((await callTool(demo, 'list_courses')).body)).toContain('tying-bows');
  expect(textOf((await callTool(demo.replace('localhost', '127.0.0.1'), 'list_courses')).body)).not.toContain('tying');
  const browser = createBrowser();
  const signIn = { email: olivia.email, password: olivia.password, return_to: '/developers/apps/activity?kind=all' };
  const { html } = await browser.submit(await browser.get(`${demo}/sign-in`), signIn);
  expect(html.replaceAll(/<[^>]+>/g, '')).toMatch(/Course writer created the course Tying Bows, for Olivia/);
});

test('a member reads their courses, purchases and inbox, and marks a notification as read', async () => {
  const redirectUri = 'http://127.0.0.1:51000/callback';
  const client = { id: 'harbour-member-app', redirectUri, scope: 'openid account:read account:write' };
  const token = await tokenOf(sam, client);
  const result = async (name: string, args = {}): Promise<unknown> =>
    resultOf((await callTool(demo, name, args, { token })).body)['structuredContent'];
  expect(JSON.stringify(await result('my_courses'))).toContain('knots-and-splices');
  expect(JSON.stringify(await result('my_purchases'))).toContain('tide-tables');
  expect(await result('my_notifications')).toMatchObject({ unreadCount: 2 });
  expect(await result('mark_notification_read', { id: 'notification-2' })).toMatchObject({
    notification: { id: 'notification-2', readAt: expect.any(String) },
  });
  expect(await result('my_notifications')).toMatchObject({ unreadCount: 1 });
});

test('a teacher limits an application to one class: two tools and a field show no other, and what counts all is refused', async () => {
  const redirectUri = 'http://127.0.0.1:51000/callback';
  const client = { id: 'harbour-reports', redirectUri, secret: 'demo-secret', scope: 'openid students:read' };
  const pair = pkce();
  const browser = createBrowser({ stopAt: redirectUri });
  const signIn = await browser.get(authorizeUrl(demo, client, pair).href);
  const consent = await browser.submit(signIn, { email: 'tess@example.com', password: 'demo' });
  const page = readPage(consent.html);
  expect(page.getByRole('heading', { level: 1 }).name).toMatch(/^Connect Harbour Reports to /);
  const classes = page.getAllByRole('checkbox', { name: /Autumn|All year/ });
  expect(classes.map(({ name }) => name)).toEqual(['Class 7b Autumn', 'Class 7c Autumn', 'Sailing, evenings All year']);
  const [own, other] = classes.map(({ value }) => value);
  const choice = { decision: 'allow', 'limit.class': 'some', 'only.class': own ?? '' };
  const { stoppedAt } = await browser.submit(consent, choice);
  const code = stoppedAt?.searchParams.get('code') ?? '';
  const { body } = await exchange({ origin: demo, client, code, verifier: pair.verifier });
  expect(body['authorization_details']).toEqual([{ type: 'class', identifiers: [own] }]);
  const token = String(body['access_token']);
  const call = async (name: string, args = {}) => (await callTool(demo, name, args, { token })).body;
  expect(textOf(await call('list_classes'))).toMatch(/7b(?!.*7c)/s);
  expect(textOf(await call('class_students', { classId: own }))).toContain('Carla Reyes');
  expect(resultOf(await call('class_students', { classId: other }))['structuredContent']).toEqual({ students: [] });
  expect((await callTool(demo, 'count_students', {}, { token })).status).toBe(403);
  const field = await viewer(demo, token, 'classes { name students { name } }');
  expect(field).toMatchObject({ data: { viewer: { classes: [{ name: 'Class 7b' }] } } });
  expect(await viewer(demo, token, 'studentCount')).toMatchObject({ error: 'insufficient_scope' });
});

test('a student’s application does not get that tool’s scope', async () => {
  const client = {
    id: 'harbour-member-app',
    redirectUri: 'http://127.0.0.1:51000/callback',
    scope: 'openid account:read',
  };
  const token = await tokenOf(sam, client);
  expect((await callTool(demo, 'create_course', { slug: 'a', name: 'A' }, { token })).status).toBe(403);
});

/** Every list of the Member API. */
const lists = ['enrolledCourses', 'digitalProducts', 'consultingServices', 'eventRegistrations', 'notifications'];

async function viewer(origin: string, token: string, fields: string): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = JSON.stringify({ query: `{ viewer { ${fields} } }` });
  return (await jsonResponse(await fetch(`${origin}/member/graphql`, { method: 'POST', headers, body }))).body;
}

test('every list goes on behind its own cursor, and takes no other', async () => {
  const redirectUri = 'http://127.0.0.1:51000/callback';
  const token = await tokenOf(sam, { id: 'harbour-member-app', redirectUri, scope: 'openid account:read' });
  const refused = { message: 'after is not a cursor of this list' };
  const first = await viewer(
    demo,
    token,
    lists.map((list) => `${list}(first: 1) { nodes { __typename } pageInfo { endCursor hasNextPage } }`).join(' '),
  );
  expect(first).not.toHaveProperty('errors');
  const pages = Object.entries(Object(first['data']).viewer);
  const cursors = pages.map(([list, page]) => ({ list, cursor: String(Object(page).pageInfo.endCursor) }));
  expect(cursors.map(({ list }) => list)).toEqual(lists);
  for (const list of lists) {
    const own = cursors.find((each) => each.list === list)?.cursor ?? '';
    const alien = cursors.filter((each) => each.list !== list).map(({ cursor }) => cursor);
    for (const after of ['', 'zzz', `${own}0`, ...alien]) {
      const { data, errors } = await viewer(demo, token, `${list}(after: "${after}") { totalCount }`);
      expect({ after, data, errors }).toMatchObject({ after, data: { viewer: { [list]: null } }, errors: [refused] });
    }
    const next = await viewer(demo, token, `${list}(after: "${own}") { nodes { __typename } }`);
    expect(next).not.toHaveProperty('errors');
  }
  for (const name of ['my_courses', 'my_notifications', 'list_courses']) {
    expect(textOf((await callTool(demo, name, { after: 'zzz' }, { token })).body)).toContain(refused.message);
  }
});

test('the courses of a school go on behind their own cursor, at that school alone', async () => {
  const list = async (args: object, origin = demo) => (await callTool(origin, 'list_courses', { ...args })).body;
  const { endCursor, totalCount } = Object(resultOf(await list({ first: 1 }))['structuredContent']);
  const rest = Object(resultOf(await list({ after: endCursor }))['structuredContent']);
  expect(rest.courses).toHaveLength(totalCount - 1);
  const alien = await list({ after: endCursor }, demo.replace('localhost', '127.0.0.1'));
  expect(textOf(alien)).toContain('after is not a cursor of this list');
});
