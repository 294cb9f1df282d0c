import { GraphQLError } from 'graphql';
import { InvalidRequest, OAuthError, ServerError } from '../../protocol/errors.ts';
import type { OnFault } from '../../contracts/fault.ts';
import { isOfResolver } from '../scopes/guard-resolvers.ts';

/**
 * An error as the caller may read it: a `GraphQLError` and an error of ours as they are, with a code; of anything else
 * only that it happened, and the rest is told by the event `fault`.
 */
export function maskError(error: unknown, onFault: OnFault): GraphQLError {
  const cause = causeOf(error);
  const place = error instanceof GraphQLError ? error : undefined;
  if (cause instanceof GraphQLError && !(place?.path && isFault(cause))) return place ?? cause;
  if (cause instanceof OAuthError) return at(place, cause.message, codeOf(cause));
  onFault(`the Member API failed${place?.path ? ` at ${place.path.join('.')}` : ''}`, cause);
  return at(place, new ServerError().message, 'INTERNAL_SERVER_ERROR');
}

/**
 * Whether the engine says this, of an answer of a resolver that does not fit the schema. What it says of an argument is
 * meant for the caller.
 */
function isFault(error: GraphQLError): boolean {
  return !isOfResolver(error) && !error.message.startsWith('Argument ');
}

/** What was thrown, under the places that were added on the way. */
function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError !== undefined ? causeOf(error.originalError) : error;
}

function codeOf(error: OAuthError): string {
  return error instanceof InvalidRequest ? 'BAD_USER_INPUT' : error.error.toUpperCase();
}

function at(place: GraphQLError | undefined, message: string, code: string): GraphQLError {
  return new GraphQLError(message, {
    nodes: place?.nodes,
    source: place?.source,
    positions: place?.positions,
    path: place?.path,
    extensions: { code },
  });
}
