import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { execute, type ExecutionResult, parse } from 'graphql';
import { InsufficientScope, type Scope } from '../../lib/index.ts';
import { executableSchema } from '../../lib/member/schema/executable-schema.ts';
import { guardResolvers } from '../../lib/member/scopes/guard-resolvers.ts';
import { guardedFields } from '../../lib/member/scopes/guarded-fields.ts';
import { cases } from '../helpers/properties.ts';
import { standardScopes } from '../helpers/scopes.ts';
import { type MemberSchools, post, startMemberSchools, tokenOf } from './graphql.ts';
import { guardedLibrary, guards } from './guarded-library.ts';
import { randomOperation } from './random-operation.ts';
import { runner } from './run.ts';

const all = ['courses:read', 'orders:read', 'school:read', 'students:read', 'members:read', 'account:read'] as const;

/** What an operation is made by. */
const numbers = fc.array(fc.nat({ max: 999 }), { minLength: 20, maxLength: 120, size: 'max' });

/** The result, or the scopes that were demanded instead. */
async function outcome(run: Promise<ExecutionResult>): Promise<ExecutionResult | InsufficientScope> {
  return run.catch((error: unknown) => {
    if (error instanceof InsufficientScope) return error;
    throw error;
  });
}

describe('over any operation', () => {
  const library = guardedLibrary();
  const limits = { depth: 100, fields: 1e6, aliases: 1e6, directives: 1e6, tokens: 1e6 };
  const run = runner(library.api, limits);
  const needed = (): Set<string> => new Set([...library.ran].flatMap((field) => guards[field] ?? []));

  /** A hundred operations that are refused, and a hundred that run what is guarded; others are checked too, but do not count. */
  test.each(['refused', 'served'])(
    'nothing guarded is run without its scope, whatever way it is reached: %s',
    async (wanted) => {
      await fc.assert(
        fc.asyncProperty(numbers, fc.subarray([...all], { maxLength: 3 }), async (choices, lacking) => {
          const scopes = all.filter((scope) => !lacking.includes(scope));
          const { query, variables } = randomOperation(choices, { abstract: true });
          library.ran.clear();
          const result = await outcome(run(query, variables, scopes));
          if (result instanceof InsufficientScope) {
            // Refused before anything was run, and for a reason.
            expect([...library.ran]).toEqual([]);
            expect(result.scopes.some((scope) => !scopes.some((held) => held === scope))).toBe(true);
            fc.pre(wanted === 'refused');
            return;
          }
          expect(result.errors).toBeUndefined();
          for (const scope of needed()) expect(scopes).toContain(scope);
          fc.pre(wanted === 'served' && needed().size > 0);
        }),
        cases(100),
      );
    },
  );

  test('without interfaces and unions, what is demanded is exactly what is run', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (choices) => {
        const { query, variables } = randomOperation(choices, { abstract: false });
        library.ran.clear();
        const result = await outcome(run(query, variables, all));
        expect(result).not.toBeInstanceOf(InsufficientScope);
        const really = needed();
        const refusal = await outcome(run(query, variables, []));
        const demanded = refusal instanceof InsufficientScope ? refusal.scopes : [];
        expect(new Set(demanded)).toEqual(really);
      }),
      cases(500),
    );
  });

  test('the scopes that are demanded are enough', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (choices) => {
        const { query, variables } = randomOperation(choices, { abstract: true });
        const refusal = await outcome(run(query, variables, []));
        const demanded = refusal instanceof InsufficientScope ? refusal.scopes : [];
        expect(await outcome(run(query, variables, demanded))).not.toBeInstanceOf(InsufficientScope);
        // And all of them are needed: without any one it is refused again, for the same.
        for (const scope of demanded) {
          const again = await outcome(
            run(
              query,
              variables,
              demanded.filter((other) => other !== scope),
            ),
          );
          expect(again).toBeInstanceOf(InsufficientScope);
          expect(new Set(again instanceof InsufficientScope ? again.scopes : [])).toEqual(new Set(demanded));
        }
      }),
      cases(300),
    );
  });
});

test('a resolver that is reached all the same does not run without its scopes', async () => {
  const library = guardedLibrary();
  const { schema } = executableSchema(library.api);
  guardResolvers(schema, guardedFields(schema, standardScopes));
  const viewer = { id: 'sam' };
  const context = { viewer, token: { scopes: ['courses:read'] }, signal: new AbortController().signal };
  const document = parse('{ viewer { book { id label secret } vault { id } diary } }');
  const { data, errors } = await execute({ schema, document, contextValue: context });
  expect(data).toEqual({ viewer: { book: { id: '1', label: 'label', secret: null }, vault: null, diary: null } });
  expect(errors?.map(({ message }) => message).sort()).toEqual([
    'Book.secret was reached without orders:read',
    'Vault.id was reached without school:read',
    'Viewer.diary was reached without account:read',
  ]);
  expect([...library.ran].sort()).toEqual(['Book.id', 'Book.label', 'Viewer.book', 'Viewer.vault']);
});

describe('over HTTP', () => {
  let schools: MemberSchools;
  let narrow: string;
  let reader: string;
  beforeAll(async () => {
    schools = await startMemberSchools();
    narrow = await tokenOf(schools, schools.harbour, { scope: 'openid' });
    reader = await tokenOf(schools, schools.harbour, { scope: 'openid account:read' });
  });
  afterAll(() => schools.close());

  const read: Scope = 'account:read';
  const write: Scope = 'account:write';
  test.each<[string, string, object, Scope[]]>([
    ['a field', '{ viewer { id unreadNotificationCount } }', {}, [read]],
    ['a connection', '{ viewer { notifications { totalCount } } }', {}, [read]],
    ['a list', '{ viewer { notificationSubscriptions { topic } } }', {}, [read]],
    ['an alias', '{ viewer { id: unreadNotificationCount } }', {}, [read]],
    ['an alias of its parent', '{ v: viewer { x: unreadNotificationCount } }', {}, [read]],
    ['a fragment', '{ viewer { ...A } } fragment A on Viewer { unreadNotificationCount }', {}, [read]],
    [
      'a fragment in a fragment',
      '{ ...Q } fragment Q on Query { viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { unreadNotificationCount }',
      {},
      [read],
    ],
    [
      'a fragment that is skipped once and spread again',
      '{ viewer { ...A @skip(if: true) ...A } } fragment A on Viewer { unreadNotificationCount }',
      {},
      [read],
    ],
    ['an inline fragment', '{ viewer { ... on Viewer { unreadNotificationCount } } }', {}, [read]],
    ['an inline fragment of no type', '{ viewer { ... { unreadNotificationCount } } }', {}, [read]],
    ['@include(if: true)', '{ viewer { unreadNotificationCount @include(if: true) } }', {}, [read]],
    [
      '@include with a variable',
      'query ($x: Boolean!) { viewer { unreadNotificationCount @include(if: $x) } }',
      { x: true },
      [read],
    ],
    [
      '@include with a default',
      'query ($x: Boolean! = true) { viewer { unreadNotificationCount @include(if: $x) } }',
      {},
      [read],
    ],
    [
      '@skip with a variable',
      'query ($x: Boolean!) { viewer { unreadNotificationCount @skip(if: $x) } }',
      { x: false },
      [read],
    ],
    [
      'a condition that cannot be told',
      'query ($x: Boolean = false) { viewer { unreadNotificationCount @include(if: $x) } }',
      { x: null },
      [read],
    ],
    ['a mutation', 'mutation { markAllNotificationsRead { markedCount } }', {}, [write]],
    [
      'a mutation in a fragment',
      'mutation { ...M } fragment M on Mutation { x: markAllNotificationsRead { markedCount } }',
      {},
      [write],
    ],
    ['both', 'mutation { markNotificationRead(id: "harbour-3") { notification { id title } } }', {}, [write, read]],
  ])('%s without its scope is 403 with all of them, before anything is run', async (_way, query, variables, scopes) => {
    schools.calls.length = 0;
    const { status, headers, body } = await post(schools.harbour, narrow, { query, variables });
    expect([status, body.error, body.data, schools.calls]).toEqual([403, 'insufficient_scope', undefined, []]);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", error_description="the access token lacks ${scopes.join(' and ')}; authorize again with ${scopes.length > 1 ? 'them' : 'it'}", scope="${['openid', ...scopes].join(' ')}", resource_metadata="${schools.harbour}/.well-known/oauth-protected-resource/member/graphql"`,
    );
  });

  test.each([
    ['skipped in the text', '{ viewer { id unreadNotificationCount @skip(if: true) } }', {}],
    ['not included in the text', '{ viewer { id ... @include(if: false) { unreadNotificationCount } } }', {}],
    [
      'skipped by a variable',
      'query ($x: Boolean!) { viewer { id unreadNotificationCount @skip(if: $x) } }',
      { x: true },
    ],
    ['in an operation that is not run', 'query A { viewer { id } } query B { viewer { unreadNotificationCount } }', {}],
  ])('what is %s takes no scope', async (_way, query, variables) => {
    const { status, body } = await post(schools.harbour, narrow, {
      query,
      variables,
      operationName: /query A/.test(query) ? 'A' : null,
    });
    expect([status, body.data]).toEqual([200, { viewer: { id: 'sam' } }]);
  });

  test.each([
    [
      'query ($__proto__: Boolean!) { viewer { notifications @include(if: $__proto__) { totalCount } } }',
      '{"__proto__":false}',
    ],
    [
      'query ($__proto__: Boolean!) { viewer { notifications @skip(if: $__proto__) { totalCount } } }',
      '{"__proto__":true}',
    ],
    ['query ($__proto__: Boolean! = true) { viewer { notifications @skip(if: $__proto__) { totalCount } } }', '{}'],
    [
      'mutation ($__proto__: Boolean!) { markAllNotificationsRead @include(if: $__proto__) { markedCount } }',
      '{"__proto__":false}',
    ],
  ])('%s with %s: a variable that engines read differently is refused', async (query, variables) => {
    schools.calls.length = 0;
    const body = `{"query":${JSON.stringify(query)},"variables":${variables}}`;
    const { status, body: result } = await post(schools.harbour, narrow, body);
    expect([status, result.data, schools.calls]).toEqual([400, undefined, []]);
  });

  test('a verdict for some variables is not kept for others', async () => {
    const query = 'query ($x: Boolean!) { viewer { id unreadNotificationCount @include(if: $x) } }';
    for (const [x, expected] of [
      [false, 200],
      [true, 403],
      [false, 200],
      [true, 403],
    ] as const) {
      expect((await post(schools.harbour, narrow, { query, variables: { x } })).status).toBe(expected);
    }
  });

  test('reading is not writing', async () => {
    const query = 'mutation { markAllNotificationsRead { markedCount } }';
    expect((await post(schools.harbour, reader, { query })).status).toBe(403);
    expect(
      (await post(schools.harbour, reader, { query: '{ viewer { unreadNotificationCount } }' })).body.data,
    ).toEqual({
      viewer: { unreadNotificationCount: 2 },
    });
  });

  test('without a token the challenge names what the operation takes', async () => {
    const query = 'mutation { markNotificationRead(id: "1") { notification { title } } }';
    const named = await post(schools.harbour, undefined, { query });
    expect(named.headers.get('www-authenticate')).toContain('scope="account:write account:read"');
    for (const body of [{ query: '{ viewer { id } }' }, { query: '{' }, 'x', [], { query: '{a'.repeat(20_000) }]) {
      const { status, headers } = await post(schools.harbour, undefined, body);
      expect([status, headers.get('www-authenticate')?.includes('scope=')]).toEqual([401, false]);
    }
  });
});
