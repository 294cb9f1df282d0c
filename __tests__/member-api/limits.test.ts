import { describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import type { OperationLimits } from '../../lib/member/limits/rules.ts';
import { runner, type Run } from './run.ts';

const scopes = ['account:read', 'account:write'];

/** A schema in which everything leads on to everything. */
const typeDefs = `
  extend type Viewer { self: Viewer friends(first: Int! = 20): FriendConnection all(first: Int): [Viewer] }
  type FriendConnection { nodes: [Viewer!]! }
`;
const resolvers = {
  Viewer: {
    self: (viewer: unknown) => viewer,
    friends: () => ({ nodes: [] }),
    all: () => [],
  },
};
const withLimits = (limits: Partial<OperationLimits> = {}): Run => runner({ typeDefs, resolvers }, limits);

/** What an operation is refused with: code, which limit, and the words. */
async function refusal(run: Run, query: string, variables = {}): Promise<unknown> {
  const { data, errors } = await run(query, variables, scopes);
  if (data !== undefined) return 'served';
  return errors?.map(({ message, extensions }) => [extensions['code'], extensions['limit'], message])[0];
}
const over = (limit: keyof OperationLimits, words: string, most: number): unknown => [
  'LIMIT_EXCEEDED',
  limit,
  `this operation ${words}; the limit is ${most}`,
];
const nested = (levels: number): string => '{ viewer ' + '{ self '.repeat(levels) + '{ id }' + '}'.repeat(levels + 1);

describe('depth', () => {
  const run = withLimits({ depth: 5 });
  test.each<[string, string, number]>([
    ['fields', '{ viewer { self { self { self { self { id } } } } } }', 6],
    ['a fragment', '{ viewer { ...A } } fragment A on Viewer { self { self { self { id } } } }', 6],
    [
      'fragments in a chain',
      '{ viewer { ...A } } fragment A on Viewer { self { ...B } } fragment B on Viewer { self { id } }',
      6,
    ],
    [
      'a fragment that was seen less deep',
      '{ viewer { ...A self { self { self { ...A } } } } } fragment A on Viewer { id }',
      6,
    ],
    [
      'a fragment that is named __schema',
      '{ ...__schema } fragment __schema on Query { viewer { self { self { self { id } } } } }',
      6,
    ],
    [
      'a fragment that is named __type',
      '{ viewer { ...__type } } fragment __type on Viewer { self { self { self { id } } } }',
      6,
    ],
    ['inline fragments', '{ viewer { ... { ... { ... { ... { id } } } } } }', 6],
    ['inline fragments with a type', '{ ... on Query { viewer { ... on Viewer { self { self { id } } } } } }', 6],
    ['an alias that is named __schema', '{ __schema: viewer { self { self { self { self { id } } } } } }', 6],
    ['what is skipped', '{ viewer { id self @skip(if: true) { self { self { self { id } } } } } }', 6],
    [
      'one of several operations',
      'query A { viewer { id } } query B { viewer { self { self { self { self { id } } } } } }',
      6,
    ],
  ])('counts %s', async (_what, query, levels) => {
    expect(await refusal(run, query)).toEqual(over('depth', `is ${levels} levels deep`, 5));
  });

  test('that is just right is served', async () => {
    expect(await refusal(run, '{ viewer { self { self { self { id } } } } }')).toBe('served');
    expect(await refusal(run, '{ viewer { ...A } } fragment A on Viewer { self { self { id } } }')).toBe('served');
  });

  test('is 15 unless asked otherwise, and the introspection of clients is served all the same', async () => {
    expect(await refusal(withLimits(), nested(12))).toBe('served');
    expect(await refusal(withLimits(), nested(14))).toEqual(over('depth', 'is 16 levels deep', 15));
    expect(await refusal(withLimits(), getIntrospectionQuery({ oneOf: true, inputValueDeprecation: true }))).toBe(
      'served',
    );
  });
});

describe('fields, aliases and directives', () => {
  test.each<[string, Partial<OperationLimits>, string, unknown]>([
    ['fields', { fields: 3 }, '{ viewer { id name email } }', over('fields', 'has 4 fields', 3)],
    [
      'fields of a fragment, as often as it is spread',
      { fields: 6 },
      '{ viewer { ...A self { ...A } } } fragment A on Viewer { id name email }',
      over('fields', 'has 8 fields', 6),
    ],
    ['aliases', { aliases: 2 }, '{ a: viewer { b: id c: id } }', over('aliases', 'has 3 aliases', 2)],
    [
      'aliases of a fragment, as often as it is spread',
      { aliases: 3 },
      '{ viewer { ...A x: self { ...A } } } fragment A on Viewer { a: id b: id }',
      over('aliases', 'has 5 aliases', 3),
    ],
    ['an alias of the same name', { aliases: 0 }, '{ viewer { id: id } }', over('aliases', 'has 1 aliases', 0)],
    [
      'aliases in introspection',
      { aliases: 1 },
      '{ a: __schema { b: types { name } } }',
      over('aliases', 'has 2 aliases', 1),
    ],
    [
      'directives everywhere',
      { directives: 4 },
      'query @a { viewer @include(if: true) { ... @skip(if: false) { id } ...A @include(if: true) } } fragment A on Viewer @a { id }',
      over('directives', 'has 5 directives', 4),
    ],
    [
      'directives on one field',
      { directives: 2 },
      `{ viewer { id ${'@include(if: true) '.repeat(3)}} }`,
      over('directives', 'has 3 directives', 2),
    ],
  ])('count %s', async (_what, limits, query, expected) => {
    expect(await refusal(withLimits(limits), query)).toEqual(expected);
  });

  test('of fragments that double are counted without being written out', async () => {
    const levels = 60;
    const fragments = Array.from(
      { length: levels },
      (_, i) => `fragment F${i} on Viewer { self { ...F${i + 1} ...F${i + 1} } }`,
    );
    const query = `{ viewer { ...F0 } } ${fragments.join(' ')} fragment F${levels} on Viewer { id }`;
    // Written out, this would outlast every test.
    expect(await refusal(withLimits({ depth: 1000 }), query)).toEqual(
      over('fields', `has ${Number.MAX_SAFE_INTEGER} fields`, 500),
    );
  });
});

describe('tokens', () => {
  test('are counted before the text is parsed, whatever it is', async () => {
    const run = withLimits({ tokens: 6 });
    expect(await refusal(run, '{ viewer { id } }')).toBe('served');
    expect(await refusal(run, '{ viewer { id name } }')).toEqual(over('tokens', 'has 7 tokens', 6));
    expect(await refusal(run, '{ { { { { { {')).toEqual(over('tokens', 'has 7 tokens', 6));
    expect(await refusal(run, '} ] ) " a b c d e')).toContain('GRAPHQL_PARSE_FAILED');
  });

  test('in comments are none', async () => {
    expect(await refusal(withLimits({ tokens: 6 }), `{ viewer { id } } # ${'a '.repeat(100)}`)).toBe('served');
  });
});

describe('fragments that spread themselves', () => {
  test.each([
    ['at once', '{ viewer { ...A } } fragment A on Viewer { ...A }', 'A → A'],
    ['through a field', '{ viewer { ...A } } fragment A on Viewer { self { ...A } }', 'A → A'],
    [
      'through another',
      '{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { self { ...A } }',
      'A → B → A',
    ],
    ['and are not used', '{ viewer { id } } fragment A on Viewer { ...B } fragment B on Viewer { ...B }', 'B → B'],
    ['behind @skip', '{ viewer { ...A @skip(if: true) } } fragment A on Viewer { ...A @skip(if: true) }', 'A → A'],
  ])('%s are refused', async (_how, query, ring) => {
    expect(await refusal(withLimits(), query)).toMatchObject([
      'LIMIT_EXCEEDED',
      undefined,
      expect.stringContaining(ring),
    ]);
  });
});

describe('nodes', () => {
  const friends = (first: number | string, rest: string): string => `friends(first: ${first}) { nodes { ${rest} } }`;
  test.each<[string, string, object, number]>([
    ['of one page', `{ viewer { ${friends(100, 'id')} } }`, {}, 100],
    ['of pages in pages', `{ viewer { ${friends(10, friends(5, 'id'))} } }`, {}, 10 + 10 * 5],
    ['of pages in pages in pages', `{ viewer { ${friends(4, friends(3, friends(2, 'id')))} } }`, {}, 4 + 12 + 24],
    ['where nothing is said', '{ viewer { friends { nodes { id } } } }', {}, 20],
    ['where nothing is said and there is no default', '{ viewer { all { id } } }', {}, 100],
    ['of two names', `{ viewer { a: ${friends(10, 'id')} b: ${friends(20, 'id')} } }`, {}, 30],
    [
      'in fragments, as often as they are spread',
      `{ viewer { ...A self { ...A } } } fragment A on Viewer { ${friends(10, 'id')} }`,
      {},
      20,
    ],
    ['in inline fragments', `{ viewer { ... on Viewer { ${friends(10, 'id')} } } }`, {}, 10],
    ['by a variable', `query ($n: Int!) { viewer { ${friends('$n', 'id')} } }`, { n: 30 }, 30],
    ['by a variable’s default', `query ($n: Int! = 30) { viewer { ${friends('$n', 'id')} } }`, {}, 30],
    [
      'that are skipped',
      `{ viewer { id ... @skip(if: true) { x: ${friends(100, 'id')} } ${friends(7, 'id')} } }`,
      {},
      7,
    ],
    [
      'that a variable leaves out',
      `query ($x: Boolean!) { viewer { id ${friends(7, 'id')} self @include(if: $x) { ${friends(9, 'id')} } } }`,
      { x: false },
      7,
    ],
  ])('are counted %s', async (_how, query, variables, nodes) => {
    expect(await refusal(withLimits({ nodes }), query, variables)).toBe('served');
    expect(await refusal(withLimits({ nodes: nodes - 1 }), query, variables)).toEqual(
      over('nodes', `requests up to ${nodes} nodes`, nodes - 1),
    );
  });

  test('are 1000 at most unless asked otherwise', async () => {
    expect(await refusal(withLimits(), `{ viewer { ${friends(100, friends(9, 'id'))} } }`)).toBe('served');
    expect(await refusal(withLimits(), `{ viewer { ${friends(100, friends(10, 'id'))} } }`)).toEqual(
      over('nodes', 'requests up to 1100 nodes', 1000),
    );
  });

  test('a count for some variables is not kept for others', async () => {
    const run = withLimits({ nodes: 50 });
    const query = `query ($n: Int!) { viewer { ${friends('$n', 'id')} } }`;
    for (const [n, expected] of [
      [50, 'served'],
      [51, over('nodes', 'requests up to 51 nodes', 50)],
      [50, 'served'],
    ] as const) {
      expect(await refusal(run, query, { n })).toEqual(expected);
    }
  });
});

describe('nodes of what a host adds', () => {
  const wide = runner({
    typeDefs: `
      scalar Many
      extend type Viewer {
        many(first: Many = 20): [Viewer]
        real(first: Float = 20): [Viewer]
        open(first: Int = 20): [Viewer]
        node: Node
      }
      interface Node { items(first: Int! = 1): [Viewer] kids: [Viewer] }
      type Leaf implements Node { items(first: Int! = 100): [Viewer] kids(first: Int! = 90): [Viewer] }
    `,
    resolvers: {
      Viewer: { many: () => [], real: () => [], open: () => [], node: () => ({ __typename: 'Leaf' }) },
      Leaf: { items: () => [], kids: () => [] },
    },
    data: { enrolledCourses: () => ({ nodes: [], totalCount: 0, hasNextPage: false }) },
    limits: { nodes: 80 },
  });

  test.each<[string, object, string]>([
    ['query ($n: Many) { viewer { many(first: $n) { id } } }', { n: '1000000' }, '"1000000"'],
    ['{ viewer { many(first: "1000000") { id } } }', {}, '"1000000"'],
    ['{ viewer { many(first: [1]) { id } } }', {}, 'a list or object'],
    ['{ viewer { real(first: 1e6) { id } } }', {}, '1000000'],
    ['{ viewer { real(first: 1.5) { id } } }', {}, '1.5'],
    ['{ viewer { open(first: null) { id } } }', {}, 'null'],
    ['query ($n: Int) { viewer { open(first: $n) { id } } }', { n: null }, 'null'],
    ['query ($n: Int = 5) { viewer { enrolledCourses(first: $n) { totalCount } } }', { n: null }, 'null'],
  ])('%s: a page size is 1 to 100, whatever its type', async (query, variables, given) => {
    expect(await refusal(wide, query, variables)).toEqual([
      'BAD_USER_INPUT',
      undefined,
      `first must be 1 to 100, not ${given}`,
    ]);
  });

  test.each([
    ['{ viewer { node { items { id } } } }', 100],
    ['{ viewer { node { kids { id } } } }', 90],
  ])('%s: behind an interface the largest default counts', async (query, nodes) => {
    expect(await refusal(wide, query)).toEqual(over('nodes', `requests up to ${nodes} nodes`, 80));
  });
});

describe('a variable', () => {
  test.each(['__proto__', '__a'])('may not be named $%s', async (name) => {
    const query = `query ($${name}: Boolean!) { viewer { id unreadNotificationCount @include(if: $${name}) } }`;
    const variables: object = JSON.parse(`{"${name}":false}`);
    expect(await refusal(withLimits(), query, variables)).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
      undefined,
      `a variable must not begin with "__", as $${name} does`,
    ]);
  });
});

describe('a fragment that no operation spreads', () => {
  test('is measured all the same', async () => {
    const query = `{ viewer { id } } fragment A on Viewer { ${'id '.repeat(600)} }`;
    expect(await refusal(withLimits(), query)).toEqual(over('fields', 'has 600 fields', 500));
  });
});

describe('introspection', () => {
  test('is off where it is turned off, by whatever name', async () => {
    const run = runner({ introspection: false });
    for (const query of [
      '{ __schema { types { name } } }',
      '{ a: __type(name: "Viewer") { name } }',
      '{ ...A } fragment A on Query { __schema { types { name } } }',
    ]) {
      const { data, errors } = await run(query, {}, []);
      expect([data, errors?.[0]?.extensions['code']]).toEqual([undefined, 'GRAPHQL_VALIDATION_FAILED']);
    }
    expect((await run('{ __typename viewer { __typename } }', {}, [])).data).toEqual({
      __typename: 'Query',
      viewer: { __typename: 'Viewer' },
    });
  });

  test('in a ring is refused', async () => {
    const query =
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }';
    expect(await refusal(withLimits(), query)).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
      undefined,
      'Maximum introspection depth exceeded',
    ]);
  });
});
