import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type DocumentNode,
  execute,
  getIntrospectionQuery,
  GraphQLError,
  type GraphQLSchema,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type Execute, executorOf, type Outcome } from '../../lib/member/executor/execute.ts';
import { Operation } from '../../lib/member/request/operation.ts';
import { type Hostile, hostileSchema, ways } from './executor/hostile-data.ts';
import { withoutEnd } from './executor/lifetime.ts';
import { randomDocument } from './executor/random-document.ts';
import { cases } from '../helpers/properties.ts';

type Variables = Readonly<Record<string, unknown>>;

const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule && rule !== NoUnusedVariablesRule);
const numbers = fc.array(fc.nat({ max: 999 }), { minLength: 10, maxLength: 60, size: 'max' });
const fitting = fc.record(
  {
    yes: fc.boolean(),
    no: fc.boolean(),
    size: fc.constantFrom(null, 3),
    some: fc.constant(5),
    text: fc.constantFrom(null, 't'),
  },
  { requiredKeys: ['yes'] },
);

function run(prepared: Execute, document: DocumentNode, variables: Variables, context?: Hostile) {
  const operation = Operation.of(document, { query: '', operationName: 'One', variables });
  if (!operation) throw new Error('no operation');
  return prepared(operation.definition, variables, context, withoutEnd);
}

/** Messages of graphql itself are masked, so ours may differ. */
function comparable({ data, errors = [] }: Outcome): unknown {
  const told = errors.map((error) => {
    const { path, locations, originalError, message } = error instanceof GraphQLError ? error : fail(error);
    const isOfHost = !path || /^(?:broken|failed|no type|Unexpected error value)/.test(originalError?.message ?? '');
    return { path, locations, message: isOfHost ? message : 'internal' };
  });
  return JSON.parse(JSON.stringify({ data, errors: told }));
}

function fail(error: unknown): never {
  throw error;
}

/** The places that are `null` because of an error. */
function failedPlaces({ data, errors = [] }: Outcome): string[] {
  const places = errors.map((error) => {
    const keys = (error instanceof GraphQLError ? error.path : undefined) ?? [];
    let value: unknown = data;
    const reached = keys.findIndex((key) => {
      if (value === null) return true;
      value = Reflect.get(Object(value), key);
      return false;
    });
    expect(reached >= 0 || value === null).toBe(true);
    return keys.slice(0, reached < 0 ? keys.length : reached).join('.');
  });
  return [...new Set(places)].sort();
}

describe.each(ways)('types by %s', (way) => {
  const schema: GraphQLSchema = hostileSchema(way);

  test.each(['query', 'mutation'] as const)('a %s returns what graphql returns', async (operation) => {
    await fc.assert(
      fc.asyncProperty(numbers, fc.nat(), fc.boolean(), fitting, async (choices, seed, withDirectives, variables) => {
        const document = parse(randomDocument(operation, choices, withDirectives));
        expect(validate(schema, document, rules)).toEqual([]);
        const atOnce = { seed, later: false };
        // Without promises, since graphql leaves rejections unhandled.
        const expected = await execute({
          schema,
          document,
          contextValue: atOnce,
          variableValues: variables,
          operationName: 'One',
        });
        const prepared = executorOf(schema, document, choices.length);
        for (let i = 0; i < 2; i += 1) {
          const result = await run(prepared, document, variables, atOnce);
          expect(comparable(result)).toEqual(comparable(expected));
          expect(JSON.stringify(result.data)).toBe(JSON.stringify(expected.data));
        }
        const result = await run(prepared, document, variables, { seed, later: true });
        expect(JSON.stringify(result.data)).toBe(JSON.stringify(expected.data));
        expect(failedPlaces(result)).toEqual(failedPlaces(expected));
        expect(failedPlaces(result)).toContain(result.data === null ? '' : 'broken');
      }),
      cases(50),
    );
  });
});

test('variables that do not fit are refused before anything is run, with the messages of graphql', async () => {
  const schema = hostileSchema('__typename');
  const document = parse(randomDocument('query', [], true));
  const prepared = executorOf(schema, document, 100);
  const wrong = [{}, { yes: null }, { yes: true, no: null }, { yes: 'x', size: 'y' }, { yes: true, some: null }];
  for (const variables of wrong) {
    const result = await run(prepared, document, variables, { seed: 0, later: false });
    const expected = await execute({ schema, document, variableValues: variables, operationName: 'One' });
    expect(comparable(result)).toEqual(comparable(expected));
    expect(result).not.toHaveProperty('data');
  }
});

test('introspection returns what graphql returns', async () => {
  const schema = hostileSchema('isTypeOf');
  const document = parse(getIntrospectionQuery().replace('IntrospectionQuery', 'One'));
  const result = await run(executorOf(schema, document, 100), document, {}, { seed: 0, later: false });
  expect(JSON.stringify(result)).toBe(JSON.stringify(await execute({ schema, document })));
});
