import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import type { MemberContext } from '../../contracts/member-api.ts';
import type { FieldScopes } from './guarded-fields.ts';

type Resolver = GraphQLFieldResolver<unknown, MemberContext, Record<string, unknown>>;

/** What resolvers have thrown, or answered as an error: it may be meant for the caller. */
const thrown = new WeakSet();

/** Whether a resolver has thrown this; else the engine has, and says what only we should know. */
export function isOfResolver(error: object): boolean {
  return thrown.has(error);
}

/**
 * Puts a last look in front of the resolvers of a schema. Once nobody waits for the answer nothing new is begun, and what
 * is guarded is not run without its scopes, even if an operation was let through that should not have been.
 */
export function guardResolvers(schema: GraphQLSchema, scopesOf: FieldScopes): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const scopes = scopesOf(type, field.name);
      const { resolve } = field;
      if (!resolve && scopes.length === 0) continue;
      const run = noting(resolve ?? defaultFieldResolver);
      field.resolve = (parent, args, context: MemberContext, info) => {
        context.signal.throwIfAborted();
        const missing = scopes.find((scope) => !context.access.scopes.includes(scope));
        if (missing !== undefined) throw new Error(`${type.name}.${field.name} was reached without ${missing}`);
        return run(parent, args, context, info);
      };
    }
  }
}

function noting(resolve: Resolver): Resolver {
  return (...call) => {
    try {
      const answer: unknown = resolve(...call);
      watch(answer);
      return answer;
    } catch (error) {
      note(error);
      throw error;
    }
  };
}

/** Notes the errors in an answer, now or when it comes. What is no promise of the language is not asked. */
function watch(answer: unknown): void {
  if (answer instanceof Promise) answer.then(watch, note);
  else if (Array.isArray(answer)) answer.forEach(watch);
  else note(answer);
}

function note(error: unknown): void {
  if (error instanceof Error) thrown.add(error);
}
