import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type ExecutionResult, parse } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { compile } from '../../lib/member/execution/plan/compile.ts';
import { runPlan } from '../../lib/member/execution/plan/run.ts';
import { maskError } from '../../lib/member/execution/mask.ts';
import type { CallContext } from '../../lib/member/execution/query-host.ts';
import { executableSchema } from '../../lib/member/schema/executable-schema.ts';
import { InvalidRequest } from '../../lib/protocol/errors.ts';
import { cases } from '../helpers/properties.ts';

const typeDefs = `
  extend type Viewer { tree(size: Int = 1, at: DateTime, names: [String!]): Tree }
  enum Colour { RED GREEN }
  type Tree {
    id: ID!
    colour: Colour
    age: Int
    sure: Boolean!
    at: DateTime
    child(size: Int! = 2): Tree
    must: Tree!
    children: [Tree]
    all: [Tree!]!
    numbers: [Int!]
    grid: [[Int]]
    told(text: String): String
  }
`;

/** A document whose fragments each spread the next one twice. */
function doubled(levels: number): string {
  const fragments = Array.from({ length: levels }, (_, i) => {
    const inner = i + 1 < levels ? `...F${i + 1}` : 'id';
    return `fragment F${i} on Tree { must { ${inner} } twice: must { ${inner} } }`;
  });
  return `{ viewer { tree { ...F0 } } } ${fragments.join(' ')}`;
}

const treeFields = ['id', 'colour', 'age', 'sure', 'at', 'child', 'must', 'children', 'all', 'numbers', 'grid', 'told'];

const errors: readonly (() => unknown)[] = [
  () => new Error('plain'),
  () => new InvalidRequest('refused'),
  () => 'text',
  () => ({ message: 'object' }),
  () => new AggregateError([new Error('one'), new InvalidRequest('two')]),
];

/**
 * A value of any kind, right or wrong, that depends on the seed alone: a tree, whose fields have seeds of their own, a list, a leaf, a
 * promise, an error.
 */
function madeOf(seed: number): unknown {
  const next = (i: number): number => (Math.imul(seed ^ (i + 1), 0x9e3779b1) ^ (seed >>> 7)) >>> 0;
  const pick = next(50) % 40;
  const leaves = [null, undefined, 1, 0, 1.5, 'RED', 'BLUE', true, '2031-01-01T00:00:00Z', Number.NaN, {}];
  if (pick === 0) throw errors[next(51) % 5]?.();
  if (pick === 1) return Promise.reject(errors[next(51) % 5]?.());
  if (pick === 2) return new Error('returned');
  if (pick < 6) return later(next(52));
  if (pick < 8) return (args: unknown) => JSON.stringify(args);
  if (pick < 10) return leaves[next(53) % leaves.length];
  if (pick < 20) return Array.from({ length: next(54) % 3 }, (_, i) => treeOf(next(i)));
  if (pick === 20) return listOf([next(1), next(2)]);
  return treeOf(seed);
}

async function later(seed: number): Promise<unknown> {
  await Promise.resolve();
  return madeOf(seed);
}

/** Mostly right. */
function treeOf(seed: number): unknown {
  const right: Readonly<Record<string, unknown>> = {
    id: seed,
    colour: 'GREEN',
    age: 1,
    sure: true,
    at: new Date(0),
    told: 'told',
  };
  const source = {};
  for (const [i, name] of treeFields.entries()) {
    const own = (Math.imul(seed + i, 0x85ebca6b) ^ (seed >>> 5)) >>> 0;
    const get = (): unknown => (own % 8 > 0 && name in right ? right[name] : madeOf(own));
    Object.defineProperty(source, name, { get });
  }
  return source;
}

async function* listOf(seeds: readonly number[]): AsyncGenerator {
  for (const seed of seeds) yield madeOf(seed);
}

const { selection } = fc.letrec<{ selection: string; field: string }>((tie) => ({
  field: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(
      'id',
      'colour',
      'age',
      'sure',
      'at',
      'numbers',
      'grid',
      '__typename',
      'a: age',
      'told',
      'told(text: $text)',
      't: told(text: "x")',
    ),
    fc
      .tuple(fc.constantFrom('child', 'c: child(size: $size)', 'must', 'children', 'all', 'd: must'), tie('selection'))
      .map(([name, inner]) => `${name} ${inner}`),
    tie('selection').map((inner) => `... on Tree ${inner}`),
    tie('selection').map((inner) => `... ${inner}`),
    fc.constant('...Known'),
  ),
  selection: fc.array(tie('field'), { minLength: 1, maxLength: 3 }).map((fields) => `{ ${fields.join(' ')} }`),
}));

const variables = fc.record(
  {
    text: fc.constantFrom(null, 'text', 3),
    size: fc.constantFrom(3, 1, null, 'x'),
    at: fc.constantFrom('2031-01-01T00:00:00Z', 'x'),
  },
  { requiredKeys: [] },
);

interface Outcome {
  readonly result: unknown;
  readonly faults: readonly string[];
}

describe('a plan', () => {
  let seed = 0;
  const resolvers = {
    Viewer: {
      tree: (_viewer: unknown, { size }: { size: number }) => madeOf(seed + size),
    },
  };
  const schema = executableSchema({ typeDefs, resolvers });
  const viewer = { id: 'sam', name: 'Sam', email: 'sam@example.com', roles: ['student'] };
  const context: CallContext = Object.assign(Object.create(null), { viewer });

  async function outcome(run: (onFault: (message: string) => void) => unknown): Promise<Outcome> {
    const faults: string[] = [];
    const result = await run((message) => faults.push(message));
    return { result: JSON.parse(JSON.stringify(result)), faults };
  }

  test('returns what the standard executor returns, for any operation and any data', async () => {
    const seen = { planned: 0, withErrors: 0, withData: 0 };
    await fc.assert(
      fc.asyncProperty(selection, fc.nat(), variables, async (selected, data, given) => {
        seed = data;
        const query = `query ($text: String, $size: Int! = 2, $at: DateTime) {
          viewer { id ...V tree(at: $at, names: ["a"]) ${selected} small: tree(size: 3) { told } }
        } fragment Known on Tree { age at told } fragment V on Viewer { name tree(at: $at, names: ["a"]) { id } }`;
        const document = parse(query);
        const standard = await outcome((onFault) => {
          const { execute } = createYoga({
            schema,
            logging: false,
            maskedErrors: { maskError: (error) => maskError(error, onFault) },
          }).getEnveloped({});
          return execute({ schema, document, contextValue: context, variableValues: given });
        });
        const plan = compile(schema, document);
        if (!plan) throw new Error('no plan');
        const planned = await outcome(async (onFault) => {
          const result: ExecutionResult | undefined = await runPlan(plan, given, context);
          return result?.errors
            ? { errors: result.errors.map((error) => maskError(error, onFault)), data: result.data }
            : (result ?? null);
        });
        // Variables that do not fit are for the standard executor.
        if (planned.result === null) {
          expect(standard.result).not.toHaveProperty('data');
          return;
        }
        seen.planned += 1;
        if (JSON.stringify(planned.result).includes('"errors"')) seen.withErrors += 1;
        if (!JSON.stringify(planned.result).includes('"viewer":null')) seen.withData += 1;
        expect(planned).toEqual(standard);
        expect(JSON.stringify(planned.result)).toBe(JSON.stringify(standard.result));
      }),
      cases(300),
    );
    expect(Math.min(seen.planned, seen.withErrors, seen.withData)).toBeGreaterThan(20);
  });

  test('a property is read once, and its error is at its own place', async () => {
    const document = parse('{ viewer { id tree(at: null, names: ["a"], size: 2) { id told } } }');
    const reads: string[] = [];
    const lazy = (name: string, get: () => unknown): PropertyDescriptor => ({
      get: () => {
        reads.push(name);
        return get();
      },
    });
    const source = Object.defineProperties(
      {},
      {
        id: lazy('id', () => Promise.resolve('later')),
        told: lazy('told', () => {
          throw new Error('told failed');
        }),
      },
    );
    const own = executableSchema({ typeDefs, resolvers: { Viewer: { tree: () => source } } });
    const plan = compile(own, document);
    const result = plan && (await runPlan(plan, {}, context));
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({
      data: { viewer: { tree: { id: 'later', told: null } } },
      errors: [{ message: 'told failed', path: ['viewer', 'tree', 'told'] }],
    });
    expect(reads).toEqual(['id', 'told']);
  });

  test.each([
    ['a mutation', 'mutation { markAllNotificationsRead { markedCount } }'],
    ['several operations', 'query a { viewer { id } } query b { viewer { id } }'],
    ['a directive', '{ viewer { id @include(if: true) } }'],
    ['introspection', '{ __schema { queryType { name } } }'],
    ['fragments inside of fragments that would make it large', doubled(12)],
    ['a result without prototype', '{ viewer { __proto__: id } }'],
  ])('there is none for %s', (_what, query) => {
    expect(compile(schema, parse(query))).toBeUndefined();
  });
});
