import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { honouring } from '../../core/bearer/verified-token.ts';
import type { MemberContext } from '../../plugin-contract/member-api.ts';
import type { FieldScopes } from './guarded-fields.ts';
import type { Deadline } from '../request/deadline.ts';

/** In the Member API's own requests, the deadline says whether they were aborted, without making a signal. */
type GuardContext = MemberContext & { readonly deadline?: Deadline };

/**
 * Wraps the resolvers of a schema with a second check: no resolver starts after the request was aborted, and a guarded
 * resolver never runs without its scopes, even if the check of the whole operation missed it.
 */
export function guardResolvers(schema: GraphQLSchema, scopesOf: FieldScopes): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const scopes = scopesOf(type, field.name);
      if (!field.resolve && scopes.length === 0) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = (parent, args, context: GuardContext, info) => {
        (context.deadline ?? context.signal).throwIfAborted();
        const { token } = context;
        const missing = scopes.find(({ scope, honours }) => !honouring(token, honours).scopes.includes(scope));
        if (missing) throw new Error(`${type.name}.${field.name} was reached without ${missing.scope}`);
        return resolve(parent, args, context, info);
      };
    }
  }
}
