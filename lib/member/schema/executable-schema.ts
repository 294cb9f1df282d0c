import { GraphQLError, type GraphQLSchema, isTypeSystemDefinitionNode, parse, specifiedScalarTypes } from 'graphql';
import { createSchema } from 'graphql-yoga';
import type { MemberApiOptions } from '../../contracts/member-api.ts';
import { memberResolvers } from './resolvers.ts';
import { memberSchema } from './sdl.ts';

/** What a host adds to the schema. */
export type SchemaExtension = Pick<MemberApiOptions, 'typeDefs' | 'resolvers'>;

/**
 * Our schema and what the host adds, ready to run.
 *
 * @throws TypeError that names the option and says what is wrong with it
 */
export function executableSchema(extension: SchemaExtension): GraphQLSchema {
  const schema = build(extension);
  if (schema.getSubscriptionType()) {
    throw new TypeError('memberApi.typeDefs must not have subscriptions: an answer is one answer');
  }
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    const idle = Object.values(root?.getFields() ?? {}).find(({ resolve }) => !resolve);
    if (idle)
      throw new TypeError(`memberApi.resolvers.${root?.name}.${idle.name} must be given: nothing else answers it`);
  }
  return schema;
}

function build({ typeDefs = '', resolvers = {} }: SchemaExtension): GraphQLSchema {
  try {
    if (typeDefs.trim() !== '') checkNames(typeDefs);
    const engines = Object.keys(resolvers).find((name) => specifiedScalarTypes.some((scalar) => scalar.name === name));
    if (engines !== undefined) throw new Error(`${engines} is GraphQL’s own; make a scalar with another name`);
    return createSchema({ typeDefs: [memberSchema, typeDefs], resolvers: [memberResolvers, resolvers] });
  } catch (cause) {
    const problem = `${cause instanceof Error ? cause.message : String(cause)}${placeOf(cause)}`;
    throw new TypeError(`memberApi.typeDefs and memberApi.resolvers must fit the schema: ${problem}`, { cause });
  }
}

function placeOf(cause: unknown): string {
  const place = cause instanceof GraphQLError ? cause.locations?.[0] : undefined;
  return place ? ` (typeDefs, line ${place.line}, column ${place.column})` : '';
}

/** Directives that the engine gives a meaning to, whoever defines them. */
const engineDirectives = ['skip', 'include', 'defer', 'stream'];

/** What has our name is ours: a type that is written again would be merged with it in silence. */
function checkNames(typeDefs: string): void {
  const ours = new Set([...namesIn(memberSchema), ...engineDirectives]);
  const taken = namesIn(typeDefs).find((name) => ours.has(name));
  if (taken !== undefined) throw new Error(`there is ${taken} already; extend it, or choose another name`);
}

/** The names of the types and directives that a text defines. */
function namesIn(sdl: string): string[] {
  const { definitions } = parse(sdl);
  return definitions.flatMap((node) => (isTypeSystemDefinitionNode(node) && 'name' in node ? node.name.value : []));
}
