import {
  buildASTSchema,
  GraphQLError,
  type GraphQLSchema,
  isObjectType,
  isScalarType,
  isTypeSystemDefinitionNode,
  parse,
  specifiedScalarTypes,
} from 'graphql';
import { createSchema } from 'graphql-yoga';
import { memberResolvers } from './resolvers.ts';
import { memberSchema } from './sdl.ts';
import { servedSchema, type ServedParts } from './served-schema.ts';
import { checkEach } from '../../kernel/check-each.ts';
import { optionError } from '../../kernel/validate.ts';
import type { MemberResolvers } from '../../plugin-contract/member-api.ts';

/** A schema, and the text of its built-in part. */
export interface MemberSchema {
  readonly schema: GraphQLSchema;
  readonly builtIn: string;
}

/**
 * What the platform serves of the built-in schema, with the platform's additions.
 *
 * @throws TypeError that names the option and what is wrong with it
 */
export function executableSchema(served: ServedParts): MemberSchema {
  const { schema, builtIn } = build(served);
  if (schema.getSubscriptionType()) {
    throw new TypeError('memberApi.typeDefs must not define subscriptions, which are not supported');
  }
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const fields = roots.flatMap((root) => Object.values(root?.getFields() ?? {}).map((field) => ({ root, field })));
  checkEach(fields, ({ root, field: { name, resolve } }) => {
    if (resolve) return;
    throw optionError(`memberApi.resolvers.${root?.name}.${name}`, 'be given, since no other resolver exists for it');
  });
  return { schema, builtIn };
}

function build(served: ServedParts): MemberSchema {
  const { typeDefs = '', resolvers = {} } = served;
  try {
    const builtIn = servedSchema(served);
    if (typeDefs.trim() !== '') checkNames(typeDefs);
    checkEach(Object.keys(resolvers), (name) => {
      if (specifiedScalarTypes.every((scalar) => scalar.name !== name)) return;
      throw new TypeError(`${name} is a built-in scalar; define a scalar with another name`);
    });
    const resolversHere = resolversOf(buildASTSchema(parse(builtIn)));
    const schema = createSchema({ typeDefs: [builtIn, typeDefs], resolvers: [resolversHere, resolvers] });
    return { schema, builtIn };
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

/** The built-in resolvers of a schema. */
function resolversOf(schema: GraphQLSchema): MemberResolvers {
  const types = Object.entries(memberResolvers).filter(([type]) => schema.getType(type));
  return Object.fromEntries(
    types.map(([name, resolvers]) => {
      const type = schema.getType(name);
      if (!isObjectType(type) || isScalarType(resolvers)) return [name, resolvers];
      return [name, Object.fromEntries(Object.entries(resolvers).filter(([field]) => field in type.getFields()))];
    }),
  );
}

/**
 * A type that is defined again would be merged with the built-in one without an error: now, or when the platform serves more of the data.
 */
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
