import type { GraphQLSchema } from 'graphql';
import { createSchema } from 'graphql-yoga';
import type { MemberApiOptions } from '../contracts/member-api.ts';
import { memberResolvers } from './resolvers.ts';
import { memberSchema } from './schema.ts';

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
  return schema;
}

function build({ typeDefs = '', resolvers = {} }: SchemaExtension): GraphQLSchema {
  try {
    return createSchema({ typeDefs: [memberSchema, typeDefs], resolvers: [memberResolvers, resolvers] });
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`memberApi.typeDefs and memberApi.resolvers must fit the schema: ${problem}`, { cause });
  }
}
