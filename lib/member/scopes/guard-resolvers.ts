import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import type { MemberContext } from '../../contracts/member-api.ts';
import type { CallContext } from '../execution/query-host.ts';
import type { FieldScopes } from './guarded-fields.ts';

/** In the Member API's own requests, the deadline says whether they were aborted, without making a signal. */
type GuardContext = MemberContext & Partial<Pick<CallContext, 'deadline'>>;

type Resolver = GraphQLFieldResolver<unknown, MemberContext, Record<string, unknown>>;

const thrown = new WeakSet();

/** Whether a resolver threw or returned this error. If not, graphql raised it, and its message is internal. */
export function isOfResolver(error: object): boolean {
  return thrown.has(error);
}

/**
 * Wraps the resolvers of a schema with a second check: no resolver starts after the request was aborted, and a guarded
 * resolver never runs without its scopes, even if the check of the whole operation missed it.
 */
export function guardResolvers(schema: GraphQLSchema, scopesOf: FieldScopes): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const scopes = scopesOf(type, field.name);
      const { resolve } = field;
      if (!resolve && scopes.length === 0) continue;
      const run = noting(resolve ?? defaultFieldResolver);
      field.resolve = (parent, args, context: GuardContext, info) => {
        (context.deadline ?? context.signal).throwIfAborted();
        const missing = scopes.find((scope) => !context.access.scopes.includes(scope));
        if (missing !== undefined) throw new Error(`${type.name}.${field.name} was reached without ${missing}`);
        return run(parent, args, context, info);
      };
    }
  }
}

function noting(resolve: Resolver): Resolver {
  return (parent, args, context, info) => {
    try {
      const result: unknown = resolve(parent, args, context, info);
      watch(result);
      return result;
    } catch (error) {
      note(error);
      throw error;
    }
  };
}

/** Notes the errors in a result. Thenables other than `Promise` are ignored, since calling `then` could start work. */
function watch(result: unknown): void {
  if (result instanceof Promise) result.then(watch, note);
  else if (Array.isArray(result)) result.forEach(watch);
  else note(result);
}

function note(error: unknown): void {
  if (error instanceof Error) thrown.add(error);
}
