import { afterEach, describe, expect, test } from '@jest/globals';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { GraphQLScalarType } from 'graphql';
import { builtInTools } from '../../lib/mcp/index.ts';
import { memberApi, type MemberApiOptions } from '../../lib/member/index.ts';
import { memberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { startSchools } from '../helpers/schools.ts';
import { type MemberSchools, post, startMemberSchools, tokenOf } from './graphql.ts';
import { guardedLibrary } from './guarded-library.ts';

let schools: MemberSchools | undefined;
afterEach(async () => {
  await schools?.close();
  schools = undefined;
});

/** Starts the schools with an extended Member API; returns what sends a query as sam, with these scopes. */
async function start(options: MemberApiOptions) {
  const started = await startMemberSchools({ memberApi: options });
  schools = started;
  return async (query: string, scope?: string) =>
    post(started.harbour, await tokenOf(started, started.harbour, scope === undefined ? {} : { scope }), { query });
}

describe('a host', () => {
  test('adds fields, types and arguments, and sees who asks', async () => {
    const ask = await start({
      typeDefs: `
        extend type Viewer { badges(kind: String!): [Badge!]! }
        type Badge { name: String! at: DateTime! }
      `,
      resolvers: {
        Viewer: {
          badges: (_viewer, { kind }, { viewer, site, token, signal }) => [
            { name: `${String(kind)} ${viewer.id} ${site.id} ${token.clientId} ${signal.aborted}`, at: new Date(0) },
          ],
        },
      },
    });
    const { body } = await ask('{ viewer { id badges(kind: "gold") { name at } } }');
    expect(body).toEqual({
      data: {
        viewer: {
          id: 'sam',
          badges: [{ name: 'gold sam harbour member-app false', at: '1970-01-01T00:00:00.000Z' }],
        },
      },
    });
  });

  test('adds queries and mutations, and a scalar of its own', async () => {
    const ask = await start({
      typeDefs: 'scalar Hue extend type Query { now: Hue } extend type Mutation { paint(hue: Hue!): Hue }',
      resolvers: {
        Hue: new GraphQLScalarType({ name: 'Hue', serialize: (value) => `#${String(value)}` }),
        Query: { now: () => 'fff' },
        Mutation: { paint: (_root, { hue }) => hue },
      },
    });
    expect((await ask('{ now }')).body.data).toEqual({ now: '#fff' });
    expect((await ask('mutation { paint(hue: "000") }')).body.data).toEqual({ paint: '#000' });
  });

  test('overrides a field', async () => {
    const ask = await start({
      resolvers: { Viewer: { name: (viewer: { name: string }) => viewer.name.toUpperCase(), schools: () => [] } },
    });
    expect((await ask('{ viewer { id name schools { id } } }')).body.data).toEqual({
      viewer: { id: 'sam', name: 'SAM STUDENT', schools: [] },
    });
  });

  test('guards fields, types and interfaces with scopes of its own', async () => {
    const library = guardedLibrary();
    const ask = await start(library.api);
    for (const [query, scopes] of [
      ['{ viewer { book { id } } }', []],
      ['{ viewer { book { label } } }', ['courses:read']],
      ['{ viewer { book { secret } } }', ['orders:read']],
      ['{ viewer { vault { __typename } } }', ['school:read']],
      ['{ viewer { thing { id } } }', ['school:read']],
      ['{ viewer { found { ... on Book { pages } } } }', []],
      ['{ viewer { found { __typename } } }', ['school:read']],
      ['mutation { lend { id } }', ['courses:write']],
    ] as const) {
      const { status, headers } = await ask(query);
      const wanted = /scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1];
      expect([query, status, wanted]).toEqual([
        query,
        scopes[0] ? 403 : 200,
        scopes[0] && `${memberApp.scope} ${scopes[0]}`,
      ]);
    }
  });

  test('cannot lose our guards by naming our fields again', async () => {
    const ask = await start({ typeDefs: 'extend type Viewer { unreadNotificationCount: Int }' });
    expect((await ask('{ viewer { unreadNotificationCount } }', 'openid')).status).toBe(403);
  });

  test('shows what it added in the schema that is published', async () => {
    await start({ typeDefs: 'extend type Viewer { badges: Int }' });
    const sdl = await (await fetch(`${schools?.harbour}/member/graphql/schema.graphql`)).text();
    expect(sdl).toMatch(/^type Viewer \{[\s\S]*^extend type Viewer \{ badges: Int \}/m);
  });

  test('hides the schema, all of it', async () => {
    const ask = await start({ introspection: false });
    expect((await fetch(`${schools?.harbour}/member/graphql/schema.graphql`)).status).toBe(404);
    expect((await ask('{ __schema { types { name } } }')).body.data).toBeUndefined();
    for (const query of ['{ viewe { id } }', '{ viewer { emial } }', '{ ... on Viewr { id } }']) {
      const { errors } = (await ask(query)).body;
      expect(errors?.[0]?.message).toMatch(/^(Cannot query field|Unknown type) "[^"]+"( on type "\w+")?\.$/);
    }
  });

  test('asks for a page to try queries', async () => {
    await start({ graphiql: { title: 'Try it' }, renderGraphiQL });
    const page = await fetch(`${schools?.harbour}/member/graphql`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    expect(readPage(html).title).toBe('Try it');
    expect(html).toContain('"endpoint":"/member/graphql"');
    expect(html).not.toMatch(/<(?:script|link)[^>]+(?:src|href)="?http/);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'(?: 'sha256-[^']+')*; /,
    );
  });

  test.each(['application/json', '*/*'])('is not asked for that page by an app: %s', async (accept) => {
    await start({ graphiql: true, renderGraphiQL, landingPage: true });
    const { harbour = '' } = schools ?? {};
    const got = await fetch(`${harbour}/member/graphql?query={viewer{id}}`, { headers: { accept } });
    expect([got.status, await got.json()]).toMatchObject([406, { error: 'invalid_request' }]);
    const other = await fetch(`${harbour}/member/graphql`, { method: 'PUT' });
    expect(other.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect((await fetch(`${harbour}/member`, { headers: { accept } })).status).toBe(404);
  });

  test('asks for the landing page of Yoga', async () => {
    await start({ landingPage: true });
    const page = await fetch(`${schools?.harbour}/member`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'none'");
    expect(await page.text()).toContain('href=/member/graphql');
  });

  test('has neither page by default, and its own at /member', async () => {
    await start({});
    for (const [path, status] of [
      ['/member/graphql', 405],
      ['/member', 404],
    ] as const) {
      expect((await fetch(`${schools?.harbour}${path}`, { headers: { accept: 'text/html' } })).status).toBe(status);
    }
  });
});

describe('a wrong option is named by its path', () => {
  test.each<[string, object]>([
    ['memberApi must be an object', []],
    ['unknown option "memberApi.schema"; valid options: data, typeDefs, resolvers, ', { schema: 1 }],
    ['memberApi.typeDefs must be text in SDL', { typeDefs: ['type A { b: Int }'] }],
    ['memberApi.resolvers must be an object', { resolvers: 'x' }],
    ['memberApi.limits must be an object', { limits: false }],
    ['unknown option "memberApi.limits.cost"; valid options: tokens, ', { limits: { cost: 1 } }],
    ['memberApi.limits.depth must be a whole number', { limits: { depth: 1.5 } }],
    ['memberApi.timeout must be a number of seconds', { timeout: 0 }],
    ['memberApi.timeout must be a number of seconds', { timeout: Infinity }],
    ['memberApi.introspection must be true or false', { introspection: 'no' }],
    ['memberApi.graphiql must be true, false or options of GraphiQL', { graphiql: 1 }],
    ['memberApi.renderGraphiQL must be given for graphiql: pass renderGraphiQL of', { graphiql: true }],
    ['memberApi.renderGraphiQL must be a function', { renderGraphiQL: 1 }],
    ['memberApi.landingPage must be true or false', { landingPage: '/member' }],
    [
      'must fit the schema: Syntax Error: Expected Name, found "{". (typeDefs, line 2, column 7)',
      { typeDefs: '\n type {' },
    ],
    ['memberApi.resolvers.Query.now must be given', { typeDefs: 'extend type Query { now: Int }' }],
    ['memberApi.resolvers.Mutation.go must be given', { typeDefs: 'extend type Mutation { go: Int }' }],
    [
      'memberApi.typeDefs and memberApi.resolvers must fit the schema: Cannot extend type "Vewer"',
      { typeDefs: 'extend type Vewer { a: Int }' },
    ],
    [
      'memberApi.typeDefs and memberApi.resolvers must fit the schema: Viewer.a defined in resolvers',
      { resolvers: { Viewer: { a: () => 1 } } },
    ],
    ['Viewer is already defined; extend it', { typeDefs: 'type Viewer { a: Int }' }],
    [
      'requiresScopes is already defined',
      { typeDefs: 'directive @requiresScopes(scopes: [String!]) on FIELD_DEFINITION' },
    ],
    ['DateTime is already defined', { typeDefs: 'scalar DateTime' }],
    ['defer is already defined', { typeDefs: 'directive @defer on FIELD' }],
    ['skip is already defined', { typeDefs: 'directive @skip(if: Boolean) repeatable on FIELD' }],
    ['Int is a built-in scalar; define a scalar', { resolvers: { Int: new GraphQLScalarType({ name: 'Int' }) } }],
    ['memberApi.typeDefs must not define subscriptions', { typeDefs: 'type Subscription { a: Int }' }],
    [
      'memberApi.typeDefs must name scopes of the catalogue; @requiresScopes of Viewer.a has "badges:read"',
      { typeDefs: 'extend type Viewer { a: Int @requiresScopes(scopes: ["badges:read"]) }' },
    ],
  ])('%s', async (message, options) => {
    const make = async () => startSchools({ campus: { memberApi: Reflect.apply(memberApi, undefined, [options]) } });
    await expect(make()).rejects.toThrow(message);
  });

  test('memberApi.data.schools must be a function', () => {
    const data = Object({ schools: 1 });
    expect(() => memberApi({ data })).toThrow(new TypeError('memberApi.data.schools must be a function'));
  });

  test.each<[string, object]>([
    [
      'unknown option "memberApi.data.enroledCourses"; did you mean "memberApi.data.enrolledCourses"?',
      { enroledCourses: () => {} },
    ],
    ['unknown option "memberApi.data.payments"; valid options: schools, enrolledCourses, ', { payments: () => {} }],
    ['memberApi.data must have at least one of schools, enrolledCourses, ', new Map()],
    [
      'unknown option "memberApi.data.notification"; did you mean "memberApi.data.notifications"?',
      new (class {
        notification(): void {}
      })(),
    ],
  ])('%s', (message, data) => {
    expect(() => Reflect.apply(memberApi, undefined, [{ data }])).toThrow(message);
  });

  test('builtInTools.catalogue.courses must be a function', () => {
    const catalogue = Object({ list: () => [] });
    expect(() => builtInTools({ catalogue })).toThrow(
      new TypeError('builtInTools.catalogue.courses must be a function'),
    );
  });
});
