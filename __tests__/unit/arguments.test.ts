import { afterAll, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { createCampus } from '../../lib/index.ts';
import { signingKey } from '../helpers/keys.ts';
import { harbourSite } from '../helpers/sites.ts';

const site = harbourSite();
const campus = createCampus({
  platform: {
    findSite: () => site,
    signedInMember: () => undefined,
    signInUrl: () => '/sign-in',
    findMember: () => undefined,
  },
  store: memoryStore(),
  keys: { signing: [await signingKey('a')], cookies: ['0123456789abcdef'] },
});
afterAll(() => campus.close());

const noSite = 'site must be a school, as platform.findSite returns it, not';
const noSchool = 'site must be a school, as platform.findSite returns it, or its origin, not';
const noOrigin = 'site must be a school or its origin, not';
const noMember = 'memberId must be a non-empty string, not';
const noClient = 'clientId must be a string, not';
const application = { clientName: 'App', redirectUris: ['https://app.example/'], scopes: ['openid'] };

/** Each method with arguments that are right but for one. */
const rows: [method: string, args: unknown[], message: string][] = [
  ['connections.list', ['harbour', 'sam'], `${noOrigin} "harbour"`],
  ['connections.list', [site, undefined], `${noMember} undefined`],
  ['connections.list', [site, ''], `${noMember} an empty string`],
  ['connections.list', [site, 'sam', 2], 'query must be an object, not a number'],
  ['connections.list', [site, 'sam', { page: '2' }], 'query.page must be a number, not a string'],
  ['connections.find', [site, 'sam', undefined], 'id must be a string, not undefined'],
  ['connections.narrow', [site, 'sam', 'id', 'openid'], 'scopes must be an array of scopes, not a string'],
  ['connections.narrow', [site, 'sam', 'id', ['openid', 7]], 'scopes[1] must be a string, not a number'],
  ['connections.givable', [site, 'sam', undefined], 'id must be a string, not undefined'],
  ['connections.widen', [site, 'sam', 'id', 'openid'], 'scopes must be an array of scopes, not a string'],
  [
    'connections.limit',
    [site, 'sam', 'id', ['7b']],
    'only must be an object with ids by the type of boundary, for example { class: ["7b"] }, not an array',
  ],
  ['connections.limit', [site, 'sam', 'id', { class: '7b' }], 'only.class must be an array of ids, not a string'],
  ['connections.revoke', [site, 7, 'id'], `${noMember} a number`],
  ['connections.revokeDevice', [site, 'sam', 'id', 7], 'deviceId must be a string, not a number'],
  ['connections.revokeAll', [{ id: 'h' }, 'o'], `${noSchool} an object`],
  ['connections.revokeAll', [site, undefined], `${noMember} undefined`],
  ['connections.end', [[site], { app: 'claude' }], `${noSchool} an array`],
  ['connections.end', [site, 'claude'], 'of must be { app } or { role }, for example { app: "claude" }, not a string'],
  [
    'connections.end',
    [site, { app: { client: 'x' } }],
    'of.app must be the id of an app, or { clientId } for one client, not an object',
  ],
  ['signedOut', ['harbour', 'sam'], `${noSite} a string`],
  ['signedOut', [site, ''], `${noMember} an empty string`],
  ['signedOut', [site, 'sam', 7], 'sessionId must be a non-empty string, not a number'],
  ['applications.create', [{ id: 'harbour' }, application], `${noSchool} an object`],
  ['applications.create', [site, undefined], 'application must be an object, not undefined'],
  [
    'applications.create',
    [site, { ...application, confidential: 'false' }],
    'application.confidential must be true or false, not a string',
  ],
  ['applications.list', [null], `${noSchool} null`],
  ['applications.list', [site, { size: '9' }], 'query.size must be a number, not a string'],
  ['applications.find', [site, new Map()], `${noClient} an instance of Map`],
  ['applications.update', [site, 'app', 'App 2'], 'changes must be an object, not a string'],
  ['applications.update', [site, 'app', {}, 'v1'], 'options must be an object, not a string'],
  ['applications.rotateSecret', [site, 'app', { version: 1 }], 'options.version must be a string, not a number'],
  [
    'applications.rotateSecret',
    [site, 'app', { overlap: 604_801 }],
    'options.overlap must be a whole number of seconds, at least 0 and at most 604800, not a number',
  ],
  ['applications.secrets', [site, 7], `${noClient} a number`],
  ['applications.connections', [() => site, 'app'], `${noSchool} a function`],
  ['applications.remove', [site, 1n], `${noClient} a bigint`],
  ['requests.list', ['harbour'], `${noOrigin} "harbour"`],
  ['requests.find', [site, undefined], 'id must be a string, not undefined'],
  ['requests.ask', [site, ''], `${noMember} an empty string`],
  ['requests.withdraw', [[site], 'sam', 'id'], `${noSchool} an array`],
  ['requests.grant', [site, 'id', 7], `${noClient} a number`],
  ['requests.decline', [site, 'id', 7], 'answer must be a string, not a number'],
  ['apps.list', [undefined], `${noSchool} undefined`],
  ['apps.list', [site, { waiting: 'yes' }], 'query.waiting must be true or false, not a string'],
  [
    'apps.find',
    [site, { app: 'claude' }],
    'app must be the id of an app, or { clientId } for one client, not an object',
  ],
  ['apps.set', ['harbour', 'claude', { access: 'blocked' }], `${noOrigin} "harbour"`],
  [
    'apps.set',
    [site, 'claude', { access: 'ask' }],
    'rule.access must be "allowed", "view_only" or "blocked", not "ask"',
  ],
  ['apps.reset', [site, 'claude', 'v'], 'details must be an object, not a string'],
  ['apps.allowPerson', [site, 'claude', ''], `${noMember} an empty string`],
  [
    'apps.allowedPeople',
    [site, undefined],
    'app must be the id of an app, or { clientId } for one client, not undefined',
  ],
  ['apps.resetPerson', [site, 'claude', 'sam', { version: 7 }], 'details.version must be a string, not a number'],
  ['verify', ['harbour', 'token'], `${noOrigin} "harbour"`],
  ['verify', [site, undefined], 'token must be a string, not undefined'],
  [
    'sites.listRecords',
    [{ ...site, id: '' }],
    'site.id must be 1 to 128 letters, digits, ".", "_" or "-", not an empty string',
  ],
  ['sites.remove', [{ id: 'harbour' }], `${noSite} an object`],
  ['sites.remove', [site, 'grant'], 'after must be an object, not a string'],
  ['members.export', [site, ''], 'memberId must be a non-empty string, not an empty string'],
  ['members.erase', [site, undefined], 'memberId must be a non-empty string, not undefined'],
  ['people.find', [site, { role: '' }], 'query.role must be a non-empty string, not an empty string'],
  [
    'incidents.block',
    [[site], { id: 'a b', app: 'x' }],
    'incident.id must be 1 to 100 letters, digits, ".", "_" or "-", not a string',
  ],
  [
    'incidents.restore',
    ['https://harbour.example', { id: 'a' }],
    'schools must be schools or their origins, as an array or another iterable, not a string',
  ],
  [
    'replay',
    ['events.jsonl', { since: new Date() }],
    'events must be events of the log, as an array or another iterable, not a string',
  ],
  ['replay', [[], { since: '2026-11-28' }], 'options.since must be a Date, not a string'],
  ['siteOf', [{}], 'request must be a Koa context, a request of Node or a Request, not an object'],
  ['explainRegistration', [{}, {}], `${noSite} an object`],
  [
    'explain',
    [{}, { clientId: 'a' }],
    'site must be a school, as platform.findSite returns it, or its origin, not an object',
  ],
  [
    'explain',
    [site, {}],
    'question must be { clientId } or { app }, with memberId or email, and scopes, or { reference } alone, not an object',
  ],
  ['health', [true], 'must be an object, not a boolean'],
  ['health', [{ write: 'yes' }], 'write must be true or false, not a string'],
  ['diagnose', ['https://harbour.example'], 'must be an object, not a string'],
  ['diagnose', [{ origins: 'https://harbour.example' }], 'origins must be an array of origins, not a string'],
];

const groups = ['applications', 'connections', 'apps', 'requests', 'sites', 'members', 'people', 'incidents'];

/** The functions of the campus, by name: its own and those of its groups. */
function methodsOf(given: object, prefix = ''): [string, (...args: unknown[]) => unknown][] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (typeof value === 'function') return [[`${prefix}${name}`, value]];
    return prefix === '' && groups.includes(name) ? methodsOf(value, `${name}.`) : [];
  });
}

const methods = new Map([...methodsOf(campus), ['memoryStore', memoryStore]]);

async function call(method: string, args: unknown[]): Promise<unknown> {
  // What a method throws instead of rejecting fails the test.
  const returned: unknown = methods.get(method)?.(...args);
  expect(returned).toBeInstanceOf(Promise);
  return returned;
}

test.each(rows)('%s(%o) rejects with a TypeError that names the argument', async (method, args, message) => {
  await expect(call(method, args)).rejects.toThrow(
    new TypeError(`${method}${message.startsWith('must') ? ' ' : '.'}${message}`),
  );
});

test.each<[string, unknown[], string]>([
  [
    'connections.list',
    [site, 'sam', { serach: 'x' }],
    'unknown option "connections.list.query.serach"; did you mean "connections.list.query.search"?',
  ],
  ['health', [{ wirte: true }], 'unknown option "health.wirte"; did you mean "health.write"?'],
  [
    'applications.create',
    [site, { ...application, confidential: false, name: 'App' }],
    'unknown option "applications.create.application.name"; did you mean "applications.create.application.clientName"?',
  ],
  [
    'applications.update',
    [site, 'app', { redirectUrls: [] }],
    'unknown option "applications.update.changes.redirectUrls"; did you mean "applications.update.changes.redirectUris"?',
  ],
  [
    'apps.list',
    [site, { part: 'waiting' }],
    'unknown option "apps.list.query.part"; did you mean "apps.list.query.page"?',
  ],
  [
    'apps.set',
    [site, 'claude', { access: 'blocked' }, { reason: 'No' }],
    'unknown option "apps.set.details.reason"; valid options: by, note, version',
  ],
  [
    'apps.set',
    [site, 'claude', { access: 'allowed' }, { scopes: ['openid'] }],
    'unknown option "apps.set.details.scopes"; valid options: by, note, version',
  ],
  [
    'applications.update',
    [site, 'app', {}, { etag: 'v' }],
    'unknown option "applications.update.options.etag"; valid options: version, by',
  ],
])('%s(%o) rejects with a TypeError that names the unknown option', async (method, args, message) => {
  await expect(call(method, args)).rejects.toThrow(new TypeError(message));
});

const atOnce: [string, unknown[], string][] = [
  [
    'requireAccess',
    ['courses:read'],
    'requireAccess must be given an object, for example { scopes: ["courses:read"] }',
  ],
  ['requireAccess', [{ scopes: 'courses:read' }], 'requireAccess.scopes must be an array of scopes'],
  ['guard', [true], 'guard must be given an object, for example { scopes: ["courses:read"] }'],
  ['guard', [{ scopes: ['courses:eat'] }], 'guard.scopes[0] must be a scope of the catalogue, not "courses:eat"'],
  ['guard', [{ honours: ['class'] }], 'guard.honours must have types of the option boundaries (empty), not "class"'],
  ['guard', [{ proxy: 1 }], 'guard.proxy must be true or false'],
  ['handler', [true], 'handler must be an object'],
  ['middleware', [{ proxy: true }], 'middleware must be called without arguments, not with an object'],
  ['memoryStore', [{ max: 1000 }], 'memoryStore must be called without arguments, not with an object'],
];

test.each(atOnce)('%s(%o), which returns no promise, throws it', (method, args, message) => {
  expect(() => methods.get(method)?.(...args)).toThrow(new TypeError(message));
});

test('every method that takes arguments is in these tables', () => {
  const withoutArguments = ['close'];
  const named = new Set([...rows, ...atOnce].map(([method]) => method));
  expect([...methods.keys()].filter((name) => !named.has(name))).toEqual(withoutArguments);
});

test('a school can be named by its origin', async () => {
  const { applications, requests } = campus;
  const { application: created } = await applications.create(site.origin, { ...application, confidential: false });
  expect(await applications.list(site.origin)).toMatchObject([{ clientId: created.clientId }]);
  expect(await applications.remove(site.origin, created.clientId)).toEqual({ connections: 0 });
  expect(await requests.list(site.origin)).toEqual([]);
});

test('a query beyond the list gets the nearest page', async () => {
  const lists = [
    await campus.connections.list(site, 'sam', { page: Number.NaN, size: 1000 }),
    await campus.applications.list(site, { page: 10, size: Number.NaN }),
  ];
  for (const list of lists) {
    expect(list).toEqual([]);
    expect([list.page, list.pages, list.total]).toEqual([1, 1, 0]);
  }
});
