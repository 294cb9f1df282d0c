import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import english from '../../lib/i18n/en.json' with { type: 'json' };
import type { StaticClient } from '../../lib/index.ts';
import { defineTool } from '../../lib/mcp/index.ts';
import { alwaysVisible } from '../../lib/pages/kit/always-sees.ts';
import { grantIdOf } from '../../lib/records/codec.ts';
import { type Browser, csrfOf } from '../helpers/browser.ts';
import { authorizeUrl, exchange, pkce, type TestClient, userinfo } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { standardScopes } from '../helpers/scopes.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { message } from '../mcp/rpc.ts';
import { testData } from '../member-api/data.ts';

const { data } = testData();
const store = memoryStore();
const plan = 'https://school.example/plan';

/** A tool for each scope, by which a token shows that it has it. */
const toolOf = (scope: string): string => `use.${scope.replaceAll(':', '.')}`;
const choosable = standardScopes.rows.filter(({ access }) => access !== 'identity');
const tools = [
  ...choosable.map(({ scope, text }) => ({ name: toolOf(scope), description: text, scopes: [scope] })),
  { name: 'my_house', description: 'The house of the person', scopes: [] },
  { name: 'my_desk', description: 'The desk of the person', scopes: [] },
].map(({ scopes, ...tool }) => defineTool({ ...tool, access: { scopes }, run: () => 'done' }));

const scopesFor = (audience: 'member' | 'operator'): string[] =>
  standardScopes.all.filter((scope) => standardScopes.mayHave(audience, scope));
const clients = (['operator', 'member'] as const).map((audience): StaticClient => ({
  clientId: audience,
  clientName: `For a ${audience}`,
  audience,
  redirectUris: ['https://client.example/callback'],
  scopes: scopesFor(audience),
}));

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    campus: {
      store,
      clients,
      limits: false,
      claims: () => ({ [plan]: 'pro' }),
      pages: {
        texts: {
          en: {
            'sees.Viewer.house': 'Your house',
            'sees.tool.my_house': 'Your house, by a tool',
            [`sees.${plan}`]: 'Your plan',
          },
        },
      },
    },
    memberApi: {
      data,
      typeDefs: `extend type Viewer { house: String, locker: String @requiresScopes(scopes: ["account:read"]) }
        extend type School { motto: String }
        extend type Notification { colour: String }`,
      resolvers: {
        Viewer: { house: () => 'north', locker: () => 'a1' },
        School: { motto: () => 'onward' },
        Notification: { colour: () => 'red' },
      },
    },
    mcp: { tools },
  });
});
afterAll(() => schools.close());

/** What the page says. */
interface Said {
  readonly until: number;
  readonly boxes: readonly string[];
  readonly sees: readonly string[];
}

function saidBy(html: string): Said {
  const page = readPage(html);
  const main = page.getByRole('main');
  const sees = page.getByRole('group', { name: /^It also sees who you are/ });
  const rows = sees.getAllByRole('listitem').map(({ text }) => text);
  // The line that opens the list says how many there are.
  expect(sees.name).toBe(`It also sees who you are Name, email, roles, and ${rows.length - 3} more`);
  return {
    until: Date.parse(main.getByRole('time').attribute('datetime') ?? '') / 1000,
    boxes: page.getAllByRole('checkbox').map(({ value }) => value),
    sees: rows,
  };
}

interface Connected {
  readonly said: Said;
  readonly token: string;
}

async function connectWith(
  browser: Browser,
  client: TestClient,
  ticked: (scope: string) => boolean,
): Promise<Connected> {
  const pair = pkce();
  const page = await browser.follow(authorizeUrl(schools.harbour, client, pair));
  const said = saidBy(page.html);
  const body = new URLSearchParams({ csrf: csrfOf(page.html), choice: 'shown', decision: 'allow' });
  for (const scope of said.boxes.filter(ticked)) body.append('scope', scope);
  const { url } = await browser.follow(page.url, { method: 'POST', body });
  const code = url.searchParams.get('code') ?? '';
  const tokens = await exchange({ origin: schools.harbour, client, code, verifier: pair.verifier });
  return { said, token: String(tokens.body['access_token']) };
}

/** The tools that a token can call at an address of the tools. */
async function callableAt(path: string, token: string): Promise<string[]> {
  const callable: string[] = [];
  for (const { name } of tools) {
    const { body, headers } = message('2025-11-25', 'tools/call', { name, arguments: {} });
    const init = {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    };
    const { status } = await fetch(schools.harbour + path, init);
    expect([name, [200, 403].includes(status)]).toEqual([name, true]);
    if (status === 200) callable.push(name);
  }
  return callable;
}

/** What the Member API returns: fields that have a value, and whether it refuses those that need a scope. */
async function query(token: string, selection: string): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(`${schools.harbour}/member/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ viewer { ${selection} } }` }),
  });
  if (response.status === 403) return undefined;
  return Object(Object(await response.json())['data'])['viewer'];
}

const open =
  'id name email house schools { id motto } enrolledCourses { totalCount } digitalProducts { totalCount } consultingServices { totalCount } eventRegistrations { totalCount }';

/** The rows for everything that a token gets without a permission. */
async function seenBy(token: string): Promise<string[]> {
  const viewer = (await query(token, open)) ?? {};
  const { status, body: claims } = await userinfo(schools.harbour, token);
  const names = [
    ...Object.keys(viewer).map((name) => `Viewer.${name}`),
    ...(status === 200 ? Object.keys(claims) : []),
  ];
  const rows = alwaysVisible.filter(({ fields, claims: own }) =>
    [...fields, ...own].some((name) => names.includes(name)),
  );
  expect(viewer['house']).toBe('north');
  expect(Object(viewer['schools'])[0]).toEqual({ id: 'harbour', motto: 'onward' });
  return [
    ...rows.map(({ row }) => english[`sees.${row}`].replace('{school}', 'Harbour School')),
    'Your house',
    'Your house, by a tool',
    ...(Object.hasOwn(claims, plan) ? ['Your plan'] : []),
    'More that Harbour School adds: School.motto, tool.my_desk',
  ];
}

describe.each([
  ['operator', 'openid profile email'],
  ['operator', 'openid'],
  ['member', 'openid email'],
  ['member', ''],
] as const)(
  'what the consent page says to a client of the audience %s, for %j and all permissions',
  (audience, identity) => {
    const wanted = scopesFor(audience).filter((scope) => choosable.some((row) => row.scope === scope));
    const client = {
      id: audience,
      redirectUri: 'https://client.example/callback',
      scope: `${identity} ${wanted.join(' ')}`.trim(),
    };

    test.each<[string, (scope: string) => boolean]>([
      ['everything', () => true],
      ['what only views', (scope) => scope.endsWith(':read')],
      ['one permission', (scope) => scope === 'account:write'],
    ])('is what its token can do, with %s ticked', async (_what, ticked) => {
      const person = 'olivia';
      const { said, token } = await connectWith(schools.browser(person), client, ticked);
      expect([...said.boxes].sort()).toEqual([...wanted].sort());
      const free = ['my_desk', 'my_house'];
      const expected = [...free, ...wanted.filter(ticked).map(toolOf)].sort();
      for (const path of ['/mcp', '/mcp/operator', '/mcp/member']) {
        const callable = await callableAt(path, token);
        expect([path, callable.sort()]).toEqual([path, expected]);
      }
      expect(said.sees).toEqual(await seenBy(token));
      const inbox = await query(token, 'locker unreadNotificationCount notifications { nodes { colour } }');
      expect(inbox !== undefined).toBe(wanted.includes('account:read') && ticked('account:read'));
      const grant = await store.find('harbour', 'Grant', grantIdOf(person, audience));
      const { exp }: { exp: number } = JSON.parse(grant?.record ?? '{}');
      expect(Math.round((exp - said.until) / 3600)).toBe(0);
      await schools.campus.connections.revokeAll(harbourSite(schools.harbour), person);
    });
  },
);

test('a mark stands beside every scope of the specification whose text says so', () => {
  const marked = (mark: 'deletion' | 'roles' | 'payments'): string[] =>
    choosable.flatMap(({ scope, marks }) => (marks?.includes(mark) ? scope : []));
  const saying = (words: RegExp): string[] => choosable.flatMap(({ scope, text }) => (words.test(text) ? scope : []));
  expect(marked('deletion')).toEqual(saying(/delete|remove/));
  expect(marked('roles')).toEqual(saying(/change .*roles/));
  expect(marked('payments')).toEqual(
    saying(/payments|(change|cancel|delete).* (coupons|subscriptions|membership plans|digital products)/),
  );
});

test('a text for something that is not there, or that needs a scope, is refused', async () => {
  for (const name of ['Viewer.hose', 'Viewer.notifications', 'tool.search']) {
    const texts = { en: { [`sees.${name}`]: 'Something' } };
    await expect(startSchools({ memberApi: { data }, campus: { pages: { texts } } })).rejects.toThrow(
      `pages.texts must not have sees.${name}, but only fields and tools that need no scope`,
    );
  }
});

test('a claim without a text is a fault if another one has one; if none has, the page says that there are more', async () => {
  const client = { id: 'web', redirectUri: 'https://client.example/callback', scope: 'openid account:read' };
  const web: StaticClient = {
    clientId: 'web',
    clientName: 'Web',
    audience: 'member',
    redirectUris: [client.redirectUri],
    scopes: ['openid', 'account:read'],
  };
  for (const [texts, ok] of [
    [{}, true],
    [{ en: { 'sees.school:plan': 'Your plan' } }, false],
  ] as const) {
    const own = await startSchools({ campus: { clients: [web], claims: () => ({ [plan]: 1 }), pages: { texts } } });
    const pair = pkce();
    const browser = own.browser('sam');
    const page = await browser.follow(authorizeUrl(own.harbour, client, pair));
    const added = readPage(page.html).getAllByRole('listitem', { text: 'More about you that Harbour School adds' });
    expect(added).toHaveLength(ok ? 1 : 0);
    const { url } = await browser.decide(page, 'allow');
    const code = url.searchParams.get('code') ?? '';
    const { status } = await exchange({ origin: own.harbour, client, code, verifier: pair.verifier });
    expect(status).toBe(ok ? 200 : 503);
    await own.close();
  }
});
