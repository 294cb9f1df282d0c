import { afterEach, describe, expect, test } from '@jest/globals';
import { buildASTSchema, getNamedType, isObjectType, parse } from 'graphql';
import { alwaysVisible } from '../../lib/pages/kit/always-sees.ts';
import { claimsByScope } from '../../lib/host/member-claims.ts';
import english from '../../lib/i18n/en.json' with { type: 'json' };
import { builtInTools } from '../../lib/mcp/index.ts';
import { memberSchema } from '../../lib/member/schema/sdl.ts';
import { csrfOf } from '../helpers/browser.ts';
import { authorizeUrl, connect, exchange, pkce, userinfo, webMemberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { callTool } from '../mcp/rpc.ts';
import { testData } from '../member-api/data.ts';

let schools: Schools;
afterEach(() => schools.close());

const { data } = testData();
const catalogue = { courses: () => ({ nodes: [], totalCount: 0, hasNextPage: false }) };
const tools = builtInTools({ data, catalogue });

/** The fields of the viewer that need no scope, as a query of all of them. */
function openFields(sdl: string): string[] {
  const viewer = buildASTSchema(parse(sdl)).getType('Viewer');
  if (!isObjectType(viewer)) throw new Error('no viewer');
  return Object.values(viewer.getFields()).flatMap(({ name, type, astNode }) => {
    if (astNode?.directives?.some((directive) => directive.name.value === 'requiresScopes') === true) return [];
    const inner = getNamedType(type);
    if (!isObjectType(inner)) return [name];
    return [`${name} { ${'id' in inner.getFields() ? 'id' : 'totalCount'} }`];
  });
}

/** What the Member API and UserInfo return to a token: names of fields and claims. */
async function returnedTo(token: unknown): Promise<string[]> {
  const schema = await fetch(`${schools.harbour}/member/graphql/schema.graphql`);
  const fieldsHere = schema.ok ? openFields(await schema.text()) : ['id'];
  const response = await fetch(`${schools.harbour}/member/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ viewer { ${fieldsHere.join(' ')} } }` }),
  });
  const body: { data?: { viewer: object } } = response.status === 200 ? Object(await response.json()) : {};
  const fields = Object.entries(body.data?.viewer ?? {}).flatMap(([name, value]) => (value === null ? [] : [name]));
  const claims = await userinfo(schools.harbour, token);
  return [...fields, ...(claims.status === 200 ? Object.keys(claims.body) : [])];
}

/** The texts of the section on a page. */
function shownIn(html: string): string[] {
  const section = readPage(html).queryByRole('group', { name: /^It (?:also )?sees / });
  return section?.getAllByRole('listitem').map(({ text }) => text) ?? [];
}

/** The texts for what was returned; each name must be in one row. */
function textsFor(names: readonly string[]): string[] {
  const rows = new Set(
    names.map((name) => {
      const has = alwaysVisible.filter(({ fields, claims }) =>
        [...fields, ...claims].some((each) => each === name || each === `Viewer.${name}`),
      );
      expect([name, has.length]).toEqual([name, 1]);
      return has[0]?.row;
    }),
  );
  const text = (row: (typeof alwaysVisible)[number]['row']): string => {
    if (row === 'purchases' && !names.includes('eventRegistrations')) return 'What you bought';
    if (row === 'purchases' && !names.includes('digitalProducts')) return 'The events you registered for';
    return english[`sees.${row}`].replace('{school}', 'Harbour School');
  };
  return alwaysVisible.filter(({ row }) => rows.has(row)).map(({ row }) => text(row));
}

const { digitalProducts, consultingServices, eventRegistrations } = data;
const shop = { digitalProducts, consultingServices };
const events = { eventRegistrations };
const everyTool: SchoolsOptions = { memberApi: { data }, mcp: { tools } };

describe.each<[string, SchoolsOptions]>([
  ['with the Member API', everyTool],
  ['with the Member API, without data', { memberApi: {} }],
  ['with the Member API, for a shop', { memberApi: { data: shop } }],
  ['with the Member API, for events', { memberApi: { data: events } }],
  ['without the Member API', { mcp: { tools } }],
])('“It always sees” %s', (_name, options) => {
  test.each([
    ['account:write'],
    ['openid account:write'],
    ['openid email account:write'],
    ['openid profile account:read account:write'],
    ['openid profile email'],
  ])('is what a token returns for which %s was requested and nothing was ticked', async (scope) => {
    schools = await startSchools(options);
    const browser = schools.browser('sam');
    const pair = pkce();
    const page = await browser.follow(authorizeUrl(schools.harbour, webMemberApp, pair, { scope }));
    const body = new URLSearchParams({ csrf: csrfOf(page.html), choice: 'shown', decision: 'allow' });
    // Without an identity scope one has to be ticked; this one lets a token read nothing.
    if (!scope.startsWith('openid')) body.append('scope', 'account:write');
    const { url } = await browser.follow(page.url, { method: 'POST', body });
    const code = url.searchParams.get('code') ?? '';
    const tokens = await exchange({ origin: schools.harbour, client: webMemberApp, code, verifier: pair.verifier });
    const returned = await returnedTo(tokens.body['access_token']);
    expect(shownIn(page.html)).toEqual(textsFor(returned));
    const app = await browser.follow(`${schools.harbour}/account/apps`);
    const link = readPage(app.html)
      .getAllByRole('link')
      .find(({ href }) => /\/account\/apps\/(?!requests)./.test(href));
    expect(shownIn((await browser.follow(new URL(link?.href ?? '', schools.harbour))).html)).toEqual(
      shownIn(page.html),
    );
  });
});

test('all fields that need no scope, and all claims, are in the rows', async () => {
  schools = await startSchools();
  const fields = openFields(memberSchema).map((field) => field.split(' ', 1)[0] ?? '');
  expect(alwaysVisible.flatMap(({ fields: names }): readonly string[] => names).sort()).toEqual(
    fields.map((field) => `Viewer.${field}`).sort(),
  );
  expect(alwaysVisible.flatMap(({ claims }): readonly string[] => claims).sort()).toEqual(
    Object.values(claimsByScope)
      .flatMap((names): readonly string[] => names)
      .sort(),
  );
});

test('the tools return nothing more to such a token than to anyone', async () => {
  schools = await startSchools(everyTool);
  const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp, { scope: 'openid' });
  const token = String(body['access_token']);
  expect(tools.length).toBeGreaterThan(4);
  for (const { name } of tools) {
    const args = name === 'mark_notification_read' ? { id: '1' } : {};
    const asked = await callTool(schools.harbour, name, args, { token });
    const anonymous = await callTool(schools.harbour, name, args);
    if (asked.status === 403) expect(anonymous.status).toBe(401);
    else expect([asked.status, asked.body]).toEqual([200, anonymous.body]);
  }
});
