import {
  buildSchema,
  getNullableType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isListType,
  isObjectType,
} from 'graphql';
import { typeDefs } from './random-document.ts';

/** How an object says which type it is. */
export const ways = ['__typename', 'resolveType', 'isTypeOf'] as const;

/** What every value depends on, and whether some of them are promises. The values are the same either way. */
export interface Hostile {
  readonly seed: number;
  readonly later: boolean;
}

/** A schema whose resolvers return, throw and reject with everything, each depending on its seed alone. */
export function hostileSchema(way: (typeof ways)[number]): GraphQLSchema {
  const schema = buildSchema(typeDefs);
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isObjectType(type)) {
      if (way === 'isTypeOf')
        type.isTypeOf = (value, hostile: Hostile) => perhaps(value, hostile, kindOf(value) === type.name);
      for (const field of Object.values(type.getFields())) {
        field.resolve = (source, args, { seed, later }: Hostile) => {
          if (field.name === 'fine') return 'fine';
          if (field.name === 'broken') throw new Error('broken');
          const own = hash(seedOf(source) ?? seed, `${field.name} ${JSON.stringify(args)}`);
          return made(schema, way, field.type, { seed: own, later });
        };
      }
    } else if (isAbstractType(type) && way === 'resolveType') {
      type.resolveType = (value, hostile: Hostile) => perhaps(value, hostile, kindOf(value));
    }
  }
  return schema;
}

function hash(seed: number, text: string): number {
  let mixed = seed;
  for (let i = 0; i < text.length; i += 1) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x9e3779b1) ^ (mixed >>> 13);
  return mixed >>> 0;
}

const seedOf = (source: unknown): number | undefined => Reflect.get(Object(source), 'seed');
const kindOf = (source: unknown): string => String(Reflect.get(Object(source), 'kind'));

/** The answer about the type of a value: sometimes later, seldom an error. */
function perhaps<T>(value: unknown, { seed, later }: Hostile, answer: T): T | Promise<T> {
  const pick = hash(seedOf(value) ?? seed, 'type') % 16;
  if (pick === 0) throw new Error('no type');
  return later && pick < 6 ? after(pick, () => answer) : answer;
}

async function after<T>(turns: number, then: () => T): Promise<T> {
  for (let i = 0; i < turns; i += 1) await Promise.resolve();
  return then();
}

function fail(error: unknown): never {
  throw error;
}

type Way = (typeof ways)[number];

/** Right in two of three cases. */
function made(schema: GraphQLSchema, way: Way, type: GraphQLOutputType, { seed, later }: Hostile): unknown {
  const pick = hash(seed, 'made') % 30;
  const error = new Error(`failed ${seed % 1000}`);
  const right = (): unknown => rightValue(schema, way, type, { seed, later });
  if (pick === 0) return null;
  if (pick === 1) return fail(error);
  if (pick === 2) return fail('a text');
  if (pick === 3) return later ? after(pick, () => fail(error)) : fail(error);
  if (pick === 4) return error;
  if (pick === 5) return later ? after(pick, () => error) : error;
  if (pick === 6) return 7.5;
  return later && pick < 14 ? after(pick - 6, right) : right();
}

function rightValue(schema: GraphQLSchema, way: Way, given: GraphQLOutputType, { seed, later }: Hostile): unknown {
  const type = getNullableType(given);
  if (isListType(type)) {
    const items = Array.from({ length: hash(seed, 'length') % 4 }, (_, i) => {
      try {
        return made(schema, way, type.ofType, { seed: hash(seed, `item ${i}`), later });
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      }
    });
    return hash(seed, 'kind of list') % 3 === 0 ? items.values() : items;
  }
  if (isAbstractType(type) || isObjectType(type)) {
    const possible = isObjectType(type) ? [type] : schema.getPossibleTypes(type);
    const kind = possible[hash(seed, 'kind') % possible.length]?.name;
    return way === '__typename' ? { seed, kind, __typename: kind } : { seed, kind };
  }
  const leaves: Readonly<Record<string, unknown>> = { Int: seed % 9, Colour: 'RED', Any: { deep: [seed] } };
  return leaves[type.name] ?? `text ${seed % 9}`;
}
