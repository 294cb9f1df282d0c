import { describe, expect, jest, test } from '@jest/globals';
import { buildSchema, GraphQLError, type GraphQLFieldResolver, type GraphQLSchema, isObjectType, parse } from 'graphql';
import { executorOf, type Outcome } from '../../lib/member/executor/execute.ts';
import { Operation } from '../../lib/member/request/operation.ts';
import { until, withoutEnd } from './executor/lifetime.ts';

const typeDefs = `
  interface Node { id: ID }
  type Item implements Node { id: ID name: String! next: Node }
  type Other implements Node { id: ID next: Node }
  type Query { item: Item node: Node items: [Item!] texts: [String] text: String }
  type Mutation { first: String second: String third: String }
`;

type Resolve = GraphQLFieldResolver<unknown, unknown>;

/** A schema with resolvers for some root fields. */
function schemaWith(resolvers: Readonly<Record<string, Resolve>>): GraphQLSchema {
  const schema = buildSchema(typeDefs);
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    if (!isObjectType(type)) continue;
    for (const [name, field] of Object.entries(type.getFields())) field.resolve = resolvers[name];
  }
  return schema;
}

/** Prepares a query; each call runs it once more. */
function prepare(schema: GraphQLSchema, query: string, kept = 100) {
  const document = parse(query);
  const execute = executorOf(schema, document, kept);
  const operation = Operation.of(document, { query, operationName: undefined, variables: {} });
  if (!operation) throw new Error('no operation');
  return async (lifetime = withoutEnd): Promise<Outcome> => execute(operation.definition, {}, undefined, lifetime);
}

const run = (query: string, resolvers: Readonly<Record<string, Resolve>>): Promise<Outcome> =>
  prepare(schemaWith(resolvers), query)();

const placesIn = ({ errors = [] }: Outcome): unknown[] =>
  errors.map((error) => [error.message, error instanceof GraphQLError ? error.path : undefined]);

test('a property is read once, and its error is at its own place', async () => {
  const reads: string[] = [];
  const item = {
    get id() {
      reads.push('id');
      return Promise.resolve('later');
    },
    get next() {
      reads.push('next');
      throw new Error('next failed');
    },
  };
  const result = await run('{ item { id next { id } } }', { item: () => item });
  expect(JSON.stringify(result.data)).toBe('{"item":{"id":"later","next":null}}');
  expect(placesIn(result)).toEqual([['next failed', ['item', 'next']]]);
  expect(reads).toEqual(['id', 'next']);
});

test('the fields of a mutation run one after the other', async () => {
  const log: string[] = [];
  const slow =
    (name: string, turns: number): Resolve =>
    async () => {
      log.push(`${name} begins`);
      for (let i = 0; i < turns; i += 1) await new Promise(setImmediate);
      log.push(`${name} ends`);
      return name;
    };
  const resolvers = { first: slow('first', 3), second: slow('second', 1), third: slow('third', 0) };
  const { data } = await run('mutation { third first second }', resolvers);
  expect(JSON.stringify(data)).toBe('{"third":"third","first":"first","second":"second"}');
  expect(log.map((line) => line.split(' ')[0])).toEqual(['third', 'third', 'first', 'first', 'second', 'second']);
});

test('an error below a place that is null already is left out', async () => {
  const turn = (): Promise<unknown> => new Promise(setImmediate);
  const item = { name: null, next: () => turn().then(() => new Error('too late')) };
  const text = async (): Promise<string> => {
    for (let i = 0; i < 5; i += 1) await turn();
    return 'text';
  };
  const result = await run('{ items { next { id } name } text }', { items: () => [item], text });
  expect({ ...result.data }).toEqual({ items: null, text: 'text' });
  expect(placesIn(result)).toEqual([['Cannot return null for non-nullable field Item.name.', ['items', 0, 'name']]]);
});

const unreadable = new Proxy(new Error(), {
  get: () => {
    throw new Error('unreadable');
  },
});

test.each<[string, unknown, string]>([
  ['an AggregateError', new AggregateError([new Error('one'), new Error('two')], 'both'), 'both'],
  ['an error with a path of its own', Object.assign(new Error('x'), { path: 'a/b' }), 'x'],
  ['nothing', undefined, 'Unexpected error value: undefined'],
  ['an error that cannot be read', unreadable, 'a resolver has thrown a value that cannot be read'],
])('%s is one error', async (_what, thrown, message) => {
  const throwing = (): never => {
    throw thrown;
  };
  const expected = [[message, ['text']]];
  expect(placesIn(await run('{ text }', { text: throwing }))).toEqual(expected);
  expect(placesIn(await run('{ text }', { text: async () => throwing() }))).toEqual(expected);
});

describe('an async iterable', () => {
  /** Yields until it is closed. */
  async function* endless(closed: () => void): AsyncGenerator {
    try {
      for (;;) {
        await new Promise(setImmediate);
        yield {};
      }
    } finally {
      closed();
    }
  }

  test('that fails makes its list null', async () => {
    const failing = async function* (): AsyncGenerator {
      yield 'one';
      throw new Error('no more');
    };
    const result = await run('{ texts }', { texts: failing });
    expect({ ...result.data }).toEqual({ texts: null });
    expect(placesIn(result)).toEqual([['no more', ['texts']]]);
  });

  test('is closed when one of its items fails', async () => {
    const closed = Promise.withResolvers<void>();
    const result = await run('{ items { name } }', { items: () => endless(closed.resolve) });
    expect(placesIn(result)).toEqual([['Cannot return null for non-nullable field Item.name.', ['items', 0, 'name']]]);
    await closed.promise;
  });

  test('is closed when the request ends', async () => {
    const closed = Promise.withResolvers<void>();
    const request = new AbortController();
    const ended = prepare(
      schemaWith({ items: () => endless(closed.resolve) }),
      '{ items { id } }',
    )(until(request.signal));
    request.abort(new Error('the request has ended'));
    await closed.promise;
    expect(placesIn(await ended)).toEqual([['the request has ended', ['items']]]);
  });
});

test('a resolver gets the signal of the request, and the helpers of graphql 17', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const request = new AbortController();
  const text: Resolve = async (_source, _args, _context, { getAbortSignal, getAsyncHelpers }) => {
    signals.push(getAbortSignal());
    return (await getAsyncHelpers().promiseAll(['one', Promise.resolve('two')])).join();
  };
  const result = await prepare(schemaWith({ text }), '{ text }')(until(request.signal));
  expect({ ...result.data }).toEqual({ text: 'one,two' });
  expect(signals).toEqual([request.signal]);
});

describe('what is selected', () => {
  const asked = '{ node { ...N } } fragment N on Node { id ... on Item { next { ...M } } } fragment M on Node { id }';
  const schema = schemaWith({ node: () => ({ __typename: 'Item', next: { __typename: 'Other' } }) });
  /** How often types are looked up to collect fields in one run. */
  async function lookUps(execute: ReturnType<typeof prepare>): Promise<number> {
    const getType = jest.spyOn(schema, 'getType');
    await execute();
    const calls = getType.mock.calls.filter(([name]) => name === 'Node').length;
    getType.mockRestore();
    return calls;
  }

  test.each([
    ['is collected once', asked, 4, [2, 0, 0]],
    ['is not kept if it is more than may be kept', asked, 3, [2, 2, 2]],
    [
      'is collected for each run if there are directives',
      asked.replace('{ id }', '{ id @skip(if: false) }'),
      4,
      [2, 2, 2],
    ],
  ])('%s', async (_what, text, kept, expected) => {
    const execute = prepare(schema, text, kept);
    expect([await lookUps(execute), await lookUps(execute), await lookUps(execute)]).toEqual(expected);
  });
});
