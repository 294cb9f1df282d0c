import { GraphQLError, type GraphQLSchema, isTypeSystemDefinitionNode, parse, specifiedScalarTypes } from 'graphql';
import { createSchema } from 'graphql-yoga';
import { memberResolvers } from './resolvers.ts';
import { memberSchema } from './sdl.ts';
import { checkEach } from '../../kernel/check-each.ts';
import { optionError } from '../../kernel/validate.ts';
import type { MemberResolvers } from '../../plugin-contract/member-api.ts';

interface SchemaExtension {
  readonly typeDefs?: string | undefined;
  readonly resolvers?: MemberResolvers | undefined;
}

/**
 * The built-in schema with the platform's additions.
 *
 * @throws TypeError that names the option and what is wrong with it
 */
export function executableSchema(extension: SchemaExtension): GraphQLSchema {
  const schema = build(extension);
  if (schema.getSubscriptionType()) {
    throw new TypeError('memberApi.typeDefs must not define subscriptions, which are not supported');
  }
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const fields = roots.flatMap((root) => Object.values(root?.getFields() ?? {}).map((field) => ({ root, field })));
  checkEach(fields, ({ root, field: { name, resolve } }) => {
    if (resolve) return;
    throw optionError(`memberApi.resolvers.${root?.name}.${name}`, 'be given, since no other resolver exists for it');
  });
  return schema;
}

function build({ typeDefs = '', resolvers = {} }: SchemaExtension): GraphQLSchema {
  try {
    if (typeDefs.trim() !== '') checkNames(typeDefs);
    checkEach(Object.keys(resolvers), (name) => {
      if (specifiedScalarTypes.every((scalar) => scalar.name !== name)) return;
      throw new TypeError(`${name} is a built-in scalar; define a scalar with another name`);
    });
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

/** Directives that graphql implements, even if a schema defines them differently. */
const engineDirectives = ['skip', 'include', 'defer', 'stream'];

/** A type that is defined again would be merged with the built-in one without an error. */
function checkNames(typeDefs: string): void {
  const reserved = [...namesIn(memberSchema), ...engineDirectives];
  checkEach(namesIn(typeDefs), (name) => {
    if (reserved.includes(name)) throw new TypeError(`${name} is already defined; extend it or choose another name`);
  });
}

function namesIn(sdl: string): string[] {
  const { definitions } = parse(sdl);
  return definitions.flatMap((node) => (isTypeSystemDefinitionNode(node) && 'name' in node ? node.name.value : []));
}
