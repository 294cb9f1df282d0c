import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CampusOptions, type ChoosableScope, createCampus } from '../../lib/index.ts';
import { clientCredentials } from '../../lib/grant-types.ts';
import { defineTool, mcp } from '../../lib/mcp/index.ts';
import { testData } from '../member-api/data.ts';
import { memberApi, type PartialMemberData } from '../../lib/member/index.ts';
import { memoryStore } from '../../adapters/memory/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import { getJson } from '../conformance/probes.ts';
import { testClients } from '../helpers/clients.ts';
import { authorizeUrl, pkce, reports } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { allScopes, scopesBut } from '../helpers/scopes.ts';

const leftOut = ['orders:read', 'coupons:read', 'coupons:write', 'account:read', 'account:write'] as const;
const left = allScopes.filter((scope) => !leftOut.some((each) => each === scope));
const clients = testClients.flatMap((client) =>
  client.clientId === 'reports' ? [{ ...client, scopes: ['openid', 'courses:read', 'courses:write'] }] : [],
);

let schools: Schools;
beforeAll(async () => {
  const en = {
    'scope.courses:read': 'View workshops',
    'scope.courses:write': 'Change workshops',
    'area.Courses': 'Workshops',
    'scope.openid': 'Know your seat in the classroom',
  };
  schools = await startSchools({
    campus: {
      scopes: { only: scopesBut(...leftOut) },
      pages: { texts: { en } },
      clients,
      registration: [loopbackClients()],
    },
  });
});
afterAll(() => schools.close());

const authorizationUrl = (changes: Readonly<Record<string, string>>) =>
  authorizeUrl(schools.harbour, { ...reports, scope: 'openid courses:read courses:write' }, pkce(), changes);

describe('a scope that only leaves out', () => {
  test('is in no document', async () => {
    const { body } = await getJson(`${schools.harbour}/.well-known/openid-configuration`);
    expect(body['scopes_supported']).toEqual(left);
    for (const path of ['/openapi.json', '/auth.md']) {
      const text = await (await fetch(`${schools.harbour}${path}`)).text();
      expect(leftOut.filter((scope) => text.includes(scope))).toEqual([]);
    }
  });

  test('is unknown at the authorization endpoint, and on no page', async () => {
    const stop = await schools.browser('olivia').follow(authorizationUrl({ scope: 'openid orders:read' }));
    expect(stop.url.searchParams.get('error_description')).toContain('unknown scope: orders:read');
    const form = `${schools.harbour}/developers/oauth-applications/new?audience=operator`;
    const { html } = await schools.browser('olivia').follow(form);
    const offered = readPage(html)
      .getAllByRole('checkbox')
      .map(({ value }) => value);
    expect(offered).toContain('pages:read');
    expect(offered.filter((value) => /^(?:orders|coupons|account):/.test(value))).toEqual([]);
  });
});

describe('another text for a scope of the specification', () => {
  test('is on the consent page and in the documents', async () => {
    const { html } = await schools.browser('olivia').follow(authorizationUrl({ ui_locales: 'en' }));
    const page = readPage(html);
    for (const name of ['View workshops', /^Change workshops\s*deletes$/]) page.getByRole('checkbox', { name });
    const guide = await (await fetch(`${schools.harbour}/auth.md`)).text();
    expect(guide).toContain('| `courses:read` | View workshops | operator clients |');
    expect(guide).toContain('| `students:read` | View students and their progress | operator clients |');
  });

  test('is on the consent page also for an identity scope, which nobody is asked about', async () => {
    const { html } = await schools.browser('olivia').follow(authorizationUrl({ ui_locales: 'zh-TW' }));
    const sees = readPage(html)
      .getAllByRole('group')
      .find((group) => group.attribute('class') === 'sees');
    const text = sees?.getByRole('listitem', { text: 'Know your seat in the classroom' }).children[0];
    expect([text?.text, text?.attribute('lang'), text?.attribute('dir')]).toEqual([
      'Know your seat in the classroom',
      '',
      'auto',
    ]);
    expect(
      readPage(html)
        .getAllByRole('checkbox')
        .map(({ value }) => value),
    ).not.toContain('openid');
  });

  test('is not replaced by the translation of the text that it replaces', async () => {
    const { html } = await schools.browser('olivia').follow(authorizationUrl({ ui_locales: 'zh-TW' }));
    expect(html).toContain('它可以查看什麼？');
    for (const text of ['View workshops', 'Change workshops']) {
      expect(html).toContain(text);
    }
    expect(html).not.toContain('查看課程');
  });
});

const key = await signingKey('key-1');
const platform = {
  findSite: () => undefined,
  signedInMember: () => undefined,
  signInUrl: () => '',
  findMember: () => undefined,
};
const base = { platform, store: memoryStore(), keys: { signing: [key], cookies: ['a secret of the tests'] } };
const tool = (scopes: readonly string[], actions: Readonly<Record<string, readonly string[]>>) =>
  defineTool({
    name: 'a',
    description: 'A tool.',
    access: { scopes, actions: { argument: 'do', scopes: actions } },
    run: () => '',
  });

test.each<[string, Partial<CampusOptions>]>([
  [
    'clients[0].scopes[1] must not be "orders:read", which scopes.only leaves out',
    { clients: [{ ...testClients[1], scopes: ['openid', 'orders:read'] }] },
  ],
  [
    'mcp.tools[0].access.scopes[0] must not be "orders:read", which scopes.only leaves out',
    { mcp: mcp({ tools: [tool(['orders:read'], { go: [] })] }) },
  ],
  [
    'mcp.tools[0].access.actions.scopes.go[0] must not be "orders:read", which scopes.only leaves out',
    { mcp: mcp({ tools: [tool([], { stay: [], go: ['orders:read'] })] }) },
  ],
  [
    'memberApi must not require "account:write", which scopes.only leaves out; @requiresScopes of Mutation.markNotificationRead names it',
    { scopes: { only: scopesBut('account:write') }, memberApi: memberApi({ data: testData().data }) },
  ],
  [
    'memberApi must not require "orders:read", which scopes.only leaves out; @requiresScopes of Viewer.bought names it',
    {
      memberApi: memberApi({
        typeDefs: 'extend type Viewer { bought: Int @requiresScopes(scopes: ["orders:read"]) }',
        resolvers: { Viewer: { bought: () => 1 } },
      }),
    },
  ],
  [
    'pages.texts.en["scope.orders:read"] must not be set: the text does not exist',
    { pages: { texts: { en: { 'scope.orders:read': 'View orders' } } } },
  ],
])('%s', (message, options) => {
  const create = () => createCampus({ ...base, scopes: { only: scopesBut('orders:read') }, ...options });
  expect(create).toThrow(message);
});

test('the Member API needs the scopes of the data that it has', () => {
  const { enrolledCourses, notifications } = testData().data;
  const create = (data: PartialMemberData, ...only: readonly ChoosableScope[]) =>
    createCampus({ ...base, scopes: { only }, memberApi: memberApi({ data }), mcp: mcp() });
  expect(() => create({ enrolledCourses })).not.toThrow();
  expect(() => create({ notifications }, 'account:read')).not.toThrow();
  expect(() => create({ notifications }, 'account:write')).toThrow(
    'memberApi must not require "account:read", which scopes.only leaves out; @requiresScopes of Viewer.notifications names it',
  );
});

test('the example of a service in the description has a scope that is there', async () => {
  const only = ['events:read', 'events:write'] as const;
  const started = await startSchools({ campus: { scopes: { only }, clients: [], grants: [clientCredentials()] } });
  const text = await (await fetch(`${started.harbour}/openapi.json`)).text();
  await started.close();
  expect(text).toContain('"scope":"events:read"');
  expect(text).not.toContain('courses:read');
});

test('requireAccess must not be given a scope that only leaves out', () => {
  expect(() => schools.campus.requireAccess({ scopes: ['courses:read', 'orders:read'] })).toThrow(
    new TypeError('requireAccess.scopes[1] must not be "orders:read", which scopes.only leaves out'),
  );
});
