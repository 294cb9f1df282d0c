import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { deviceAuthorization } from '../../../lib/grant-types.ts';
import type { AuditEvent } from '../../../lib/index.ts';
import { defineTool } from '../../../lib/mcp/index.ts';
import { introspect, jsonResponse, refresh, type TestClient } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { callTool } from '../../mcp/rpc.ts';
import { confirmCode, poll, startDevice } from '../device/devices.ts';
import { Asking, Classes, knowing, limited, tools, withClasses } from './limited-schools.ts';

let schools: Schools;
const events: AuditEvent[] = [];
const calls: string[] = [];
const lab: TestClient = { id: 'lab', redirectUri: '', scope: 'openid courses:read' };

/** The store, and what is asked of it. */
function countingStore(): ReturnType<typeof memoryStore> {
  const store = memoryStore();
  const find: typeof store.find = (siteId, kind, ...more) => {
    calls.push(`find ${kind}`);
    return store.find(siteId, kind, ...more);
  };
  const save: typeof store.save = (siteId, entry) => {
    calls.push(`save ${entry.kind}`);
    return store.save(siteId, entry);
  };
  const redeem: typeof store.redeem = (siteId, redemption) => {
    calls.push(`redeem ${redemption.kind}`);
    return store.redeem(siteId, redemption);
  };
  return { ...store, find, save, redeem };
}

beforeAll(async () => {
  const options = withClasses(new Classes());
  const device = { clientId: 'lab', clientName: 'Lab', audience: 'operator', redirectUris: [], device: true } as const;
  const createCourse = defineTool({
    name: 'create_course',
    description: 'Creates a course.',
    access: { scopes: ['courses:write'] },
    run: () => 'created',
  });
  schools = await startSchools({
    campus: {
      ...options,
      store: countingStore(),
      grants: [deviceAuthorization()],
      clients: [...(options.clients ?? []), { ...device, scopes: ['openid', 'courses:read'] }],
      log: { list: ({ id }) => ({ events: events.filter(({ siteId }) => siteId === id).toReversed() }) },
      limits: false,
    },
    mcp: { tools: [...tools, createCourse] },
  });
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterAll(() => schools.close());
beforeEach(() => schools.campus.connections.revokeAll(siteOf(schools, 'harbour'), 'olivia'));

const ask = (changes = {}) => new Asking(schools.browser('olivia'), schools.harbour).open(changes);
const only = (...identifiers: string[]) => [{ type: 'class', identifiers }];
const words = (html: string): string => html.replaceAll(/<[^>]+>/g, '');

test('a device gets what the person has chosen on the page that it leads to', async () => {
  const codes = await startDevice(schools.harbour, lab);
  const browser = schools.browser('olivia');
  const page = await confirmCode(browser, schools.harbour, codes.userCode);
  const form = new URLSearchParams([...readPage(page.html).fields]);
  for (const name of ['limit.class', 'only.class', 'decision']) form.delete(name);
  for (const [name, value] of [
    ['limit.class', 'some'],
    ['only.class', 'c3'],
    ['decision', 'allow'],
  ] as const)
    form.append(name, value);
  await browser.follow(page.url, { method: 'POST', body: form });
  const { body } = await poll(codes);
  expect(body['authorization_details']).toEqual(only('c3'));
  const token = String(body['access_token']);
  expect(JSON.stringify((await callTool(schools.harbour, 'list_courses', {}, { token })).body)).toContain('c3');
  expect((await callTool(schools.harbour, 'statistics', {}, { token })).status).toBe(403);
});

test('a limit costs nothing: one look-up for a verification, and the same calls for a refresh', async () => {
  const site = siteOf(schools, 'harbour');
  const callsOf = async (changes: Readonly<Record<string, string | readonly string[]>>): Promise<readonly string[]> => {
    const { body } = await (await (await ask()).allow(changes)).tokens();
    calls.length = 0;
    await schools.campus.verify(site, String(body['access_token']), { honours: ['class'] });
    calls.push('then');
    await refresh(schools.harbour, limited, body['refresh_token']);
    return [...calls];
  };
  const all = await callsOf({ 'limit.class': 'all' });
  const some = await callsOf({ 'limit.class': 'some', 'only.class': ['c1', 'c2'] });
  expect(some).toEqual(all);
  expect(some.slice(0, 2)).toEqual(['find AccessToken', 'then']);
});

test('what writes and does not honour a limit is refused: nothing is created, and nothing moved, outside of it', async () => {
  const scope = 'openid courses:read courses:write';
  const asking = await (
    await ask({ scope })
  ).allow({
    scope: ['courses:read', 'courses:write'],
    'limit.class': 'some',
    'only.class': ['c1'],
  });
  const token = String((await asking.tokens()).body['access_token']);
  const refused = await callTool(schools.harbour, 'create_course', {}, { token });
  expect([refused.status, refused.headers.get('www-authenticate')?.includes(' scope=')]).toEqual([403, false]);
});

test('ids leave, and only those that were chosen; no name does', async () => {
  events.length = 0;
  const { body } = await (await (await ask()).limit(['c1', 'c7'])).tokens();
  const { body: seen } = await introspect(schools.harbour, knowing, body['access_token']);
  const { body: metadata } = await jsonResponse(await fetch(`${schools.harbour}/.well-known/openid-configuration`));
  const told = JSON.stringify([body, seen, metadata, events]);
  expect(told).toContain('"identifiers":["c1","c7"]');
  expect(told).not.toMatch(/Class \d|Term 1|"c2"/);
});

test('Activity, its file, the page of the app and the export name what was chosen', async () => {
  await (await (await ask()).limit(['c1', 'c7'])).tokens();
  const olivia = schools.browser('olivia');
  const activity = `${schools.harbour}/developers/apps/activity`;
  expect(words((await olivia.follow(`${activity}?kind=all`)).html)).toContain('Classes: Class 1, Class 7');
  expect((await olivia.follow(`${activity}?format=csv`)).html).toContain('"Classes: Class 1, Class 7"');
  const [connection] = await schools.campus.connections.list(siteOf(schools, 'harbour'), 'olivia');
  const page = await olivia.follow(`${schools.harbour}/account/apps/${connection?.id}`);
  expect(words(page.html)).toContain('Classes: Class 1, Class 7');
  const { connections } = await schools.campus.members.export(siteOf(schools, 'harbour'), 'olivia');
  const items = [
    { id: 'c1', name: 'Class 1' },
    { id: 'c7', name: 'Class 7' },
  ];
  expect(connections[0]).toMatchObject({ only: { class: ['c1', 'c7'] }, limits: [{ type: 'class', items }] });
});

test('the description has authorization_details: as a parameter, and in both responses', async () => {
  const { body } = await jsonResponse(await fetch(`${schools.harbour}/openapi.json`));
  const { schemas } = Object(body['components']);
  for (const name of ['TokenResponse', 'Introspection', 'AuthorizationForm'])
    expect(Object.keys(schemas[name].properties)).toContain('authorization_details');
  const { parameters } = Object(body['paths'])['/oauth/authorize'].get;
  expect(parameters.map(({ name }: { readonly name: string }) => name)).toContain('authorization_details');
});
