import type { GraphQLResolveInfo } from 'graphql';
import { type Behaviour, behaviours, fail, inTurns } from './behaviours.ts';

export const typeDefs = `
  interface Node { a: String! n: String }
  union Any = A | B
  type A implements Node { a: String! n: String }
  type B implements Node { a: String! n: String }
  type O { s: String! n: String o: O! on: O l: [O!] x(i: Int!): String! strict: Int! list: [String!] p: String! q: String! }
  type Query {
    o: O on: O! os: [O!] osn: [O] oss: [[O!]!] ss: [String!] ssn: [String] sss: [[String!]!]
    node: Node nodes: [Node!] nodesn: [Node] any: Any as: [A!] s: String must: String!
    live: [O!] liven: [O] lives: [String!] livess: [[String!]!]
  }
  type Mutation { m: String! n: String os: [O!] }
`;

/** What an operation does to the executor. */
export interface Row {
  readonly name: string;
  readonly query: string;
  /** By `Type.field`, `Type.resolveType` or `Type.isTypeOf`. Any other field is the property of its name. */
  readonly resolvers: Resolvers;
}

export type Resolvers = Readonly<Record<string, (source: unknown, info: GraphQLResolveInfo) => unknown>>;

/** A query and its resolvers, for one behaviour or two of them. */
type Template = readonly [name: string, query: string, resolvers: (x: Behaviour, y: Behaviour) => Resolvers];

/** For an item or a property, which cannot throw. */
function part(behaviour: Behaviour, value: unknown = 'v'): unknown {
  try {
    return behaviour(value);
  } catch (error) {
    return error;
  }
}

const always = (value: unknown) => () => value;
const empty = always({});
/** Objects by number: `x` is for the first of a list, `y` for the second. */
const two = always([0, 1]);
const each =
  (x: Behaviour, y: Behaviour, value: unknown = 'v') =>
  (source: unknown) =>
    (source === 0 ? x : y)(value);

async function* live(gap: number, ...items: readonly (() => unknown)[]): AsyncGenerator {
  for (const item of items) {
    yield item();
    await inTurns(gap, () => undefined);
  }
}

function ownIterator(...items: readonly (() => unknown)[]): AsyncIterable<unknown> {
  const left = items.values();
  const next = () => inTurns(2, () => left.next()).then(({ done = false, value }) => ({ done, value: value?.() }));
  return { [Symbol.asyncIterator]: () => ({ next, return: () => Promise.reject(new Error('return has rejected')) }) };
}

function* throwing(...items: readonly unknown[]): Generator {
  yield* items;
  throw new Error('the generator has thrown');
}

const broken = new Error('broken');

const pairs: readonly Template[] = [
  ['siblings', '{ o { s o { s } } }', (x, y) => ({ 'Query.o': empty, 'O.s': () => x('v'), 'O.o': () => y({}) })],
  [
    'nullable siblings',
    '{ o { n on { s } } }',
    (x, y) => ({ 'Query.o': empty, 'O.n': () => x('v'), 'O.on': () => y({}) }),
  ],
  ['[O!]', '{ os { s } }', (x, y) => ({ 'Query.os': two, 'O.s': each(x, y) })],
  ['[O]', '{ osn { s } }', (x, y) => ({ 'Query.osn': two, 'O.s': each(x, y) })],
  ['methods', '{ os { s } }', (x, y) => ({ 'Query.os': always([{ s: () => x('v') }, { s: () => y('v') }]) })],
  ['[String!]', '{ ss }', (x, y) => ({ 'Query.ss': () => [part(x), part(y)] })],
  ['[String]', '{ ssn }', (x, y) => ({ 'Query.ssn': () => [part(x), part(y)] })],
  ['a property [O!]', '{ o { l { n } } }', (x, y) => ({ 'Query.o': () => ({ l: [part(x, {}), part(y, {})] }) })],
  ['[[String!]!]', '{ sss }', (x, y) => ({ 'Query.sss': () => [[part(x)], [part(y)]] })],
  ['[[O!]!]', '{ oss { s } }', (x, y) => ({ 'Query.oss': always([[0], [1]]), 'O.s': each(x, y) })],
  ['lists in a list', '{ sss }', (x, y) => ({ 'Query.sss': () => [part(x, ['v']), part(y, ['v'])] })],
  ['live [O!]', '{ live { s } }', (x, y) => ({ 'Query.live': () => live(8, always(0), always(1)), 'O.s': each(x, y) })],
  [
    'live [O]',
    '{ liven { s } }',
    (x, y) => ({ 'Query.liven': () => live(8, always(0), always(1)), 'O.s': each(x, y) }),
  ],
  [
    'an own iterator',
    '{ lives }',
    (x, y) => ({
      'Query.lives': () =>
        ownIterator(
          () => part(x),
          () => part(y),
        ),
    }),
  ],
  [
    'an interface',
    '{ node { a } }',
    (x, y) => ({ 'Query.node': empty, 'Node.resolveType': () => x('A'), 'A.a': () => y('v') }),
  ],
  [
    '[Node!]',
    '{ nodes { a } }',
    (x, y) => ({ 'Query.nodes': two, 'Node.resolveType': each(x, y, 'A'), 'A.a': always('v') }),
  ],
  [
    '[Node]',
    '{ nodesn { a } }',
    (x, y) => ({
      'Query.nodesn': two,
      'Node.resolveType': each(x, behaviours.ok, 'A'),
      'A.a': each(behaviours.ok, y),
    }),
  ],
  [
    'isTypeOf of a union',
    '{ any { ... on A { n } ... on B { n } } }',
    (x, y) => ({ 'Query.any': empty, 'A.isTypeOf': () => x(true), 'B.isTypeOf': () => y(true) }),
  ],
  [
    'isTypeOf in a list',
    '{ as { a } }',
    (x, y) => ({ 'Query.as': two, 'A.isTypeOf': each(x, y, true), 'A.a': always('v') }),
  ],
  [
    'a mutation',
    'mutation { m n os { s } }',
    (x, y) => ({ 'Mutation.m': () => x('v'), 'Mutation.n': () => y('v'), 'Mutation.os': two, 'O.s': each(x, y) }),
  ],
  ['properties', '{ o { p q } }', (x, y) => ({ 'Query.o': () => ({ p: part(x), q: part(y) }) })],
  [
    'getters',
    '{ o { p q } }',
    (x, y) => ({
      'Query.o': always({
        get p() {
          return x('v');
        },
        get q() {
          return y('v');
        },
      }),
    }),
  ],
];

const singles: readonly Template[] = [
  ['an object after a failed item', '{ os { s } }', (x) => ({ 'Query.os': () => [broken, { s: part(x) }] })],
  ['an object after null', '{ os { s } }', (x) => ({ 'Query.os': () => [null, { s: part(x) }] })],
  [
    'a promised object after a failed item',
    '{ os { s } }',
    (x) => ({ 'Query.os': () => [broken, Promise.resolve({ s: part(x) })] }),
  ],
  ['a set after a failed item', '{ sss }', (x) => ({ 'Query.sss': () => [broken, new Set([part(x)])] })],
  [
    'an object beside a failed property',
    '{ o { s on { s } } }',
    (x) => ({ 'Query.o': () => ({ s: broken, on: { s: part(x) } }) }),
  ],
  [
    'an object of another type',
    '{ as { a } }',
    (x) => ({ 'Query.as': () => [{ a: part(x) }], 'A.isTypeOf': always(false) }),
  ],
  ['a generator throws after it', '{ ss }', (x) => ({ 'Query.ss': () => throwing(part(x)) })],
  [
    'a generator throws after its object',
    '{ os { s } }',
    (x) => ({ 'Query.os': () => throwing(0), 'O.s': () => x('v') }),
  ],
  ['before an error in a set', '{ ss }', (x) => ({ 'Query.ss': () => new Set([part(x), broken]) })],
  ['after an error in a set', '{ ss }', (x) => ({ 'Query.ss': () => new Set([broken, part(x)]) })],
  ['after an error in an array', '{ ss }', (x) => ({ 'Query.ss': () => [broken, part(x)] })],
  ['after an error in a property', '{ o { list } }', (x) => ({ 'Query.o': () => ({ list: [broken, part(x)] }) })],
  ['in a list after an error', '{ sss }', (x) => ({ 'Query.sss': () => [broken, [part(x)]] })],
  ['in a later list after an error', '{ sss }', (x) => ({ 'Query.sss': () => [broken, inTurns(2, () => [part(x)])] })],
  ['a property after a failed one', '{ o { p q } }', (x) => ({ 'Query.o': () => ({ p: broken, q: part(x) }) })],
  [
    'an async iterator fails while it is pending',
    '{ live { s } }',
    (x) => ({ 'Query.live': () => live(8, always(0), () => fail(broken)), 'O.s': () => x('v') }),
  ],
  [
    'an async iterator fails at once',
    '{ liven { s } }',
    (x) => ({ 'Query.liven': () => live(0, always(0), () => fail(broken)), 'O.s': () => x('v') }),
  ],
  [
    'next()',
    '{ lives }',
    (x) => ({ 'Query.lives': always({ [Symbol.asyncIterator]: () => ({ next: () => x({ done: true }) }) }) }),
  ],
  [
    '[Symbol.asyncIterator]()',
    '{ lives }',
    (x) => ({ 'Query.lives': always({ [Symbol.asyncIterator]: () => x(live(0)) }) }),
  ],
  [
    'in a list of an async iterator',
    '{ livess }',
    (x) => ({ 'Query.livess': () => live(6, () => [part(x)], always(['w', null])) }),
  ],
  [
    'before a wrong argument',
    'query ($i: Int = 1) { o { s x(i: $i) } }',
    (x) => ({ 'Query.o': empty, 'O.s': () => x('v'), 'O.x': always('v') }),
  ],
  [
    'before a wrong argument in a list',
    'query ($i: Int = 1) { os { s x(i: $i) } }',
    (x) => ({ 'Query.os': two, 'O.s': () => x('v'), 'O.x': always('v') }),
  ],
  [
    'before a value that is no leaf',
    '{ os { strict } }',
    (x) => ({ 'Query.os': two, 'O.strict': each(x, always('no number')) }),
  ],
  [
    'before the response, and after it',
    '{ s must on { s } }',
    (x) => ({
      'Query.s': () => x('v'),
      'Query.must': behaviours.rejectsLater,
      'Query.on': () => inTurns(12, () => ({})),
      'O.s': () => x('v'),
    }),
  ],
  [
    'in a list below a failed object',
    '{ on { s o { l { n } } } }',
    (x) => ({
      'Query.on': empty,
      'O.s': behaviours.rejects,
      'O.o': () => inTurns(6, () => ({})),
      'O.l': () => inTurns(6, () => [0, 1]),
      'O.n': () => x('v'),
    }),
  ],
  [
    'tracked by its resolver',
    '{ s }',
    (x) => ({ 'Query.s': (_source, { getAsyncHelpers }) => getAsyncHelpers().track([part(x)]) }),
  ],
  ['in an array for a leaf', '{ s }', (x) => ({ 'Query.s': () => [[part(x)]] })],
  [
    'below itself',
    '{ on { o { o { l { s o { s } } } } } }',
    (x) => ({ 'Query.on': empty, 'O.o': empty, 'O.l': two, 'O.s': each(x, behaviours.throws) }),
  ],
];

/** A rejection of its own that no executor can see: each must be found, or the table would find nothing. */
export const control = 'in a property that is not selected';
const unseen: Template = [control, '{ o { p } }', (x) => ({ 'Query.o': () => ({ p: 'v', q: part(x) }) })];

export function rows(): Row[] {
  const all = Object.entries(behaviours);
  const ofPair = ([name, query, resolvers]: Template): Row[] =>
    all.flatMap(([first, x]) =>
      all.map(([second, y]) => ({ name: `${name}: ${first}, ${second}`, query, resolvers: resolvers(x, y) })),
    );
  const ofOne = ([name, query, resolvers]: Template): Row[] =>
    all.map(([first, x]) => ({ name: `${name}: ${first}`, query, resolvers: resolvers(x, x) }));
  return [...pairs.flatMap(ofPair), ...[...singles, unseen].flatMap(ofOne)];
}
