import { GraphQLError } from 'graphql';
import { InvalidRequest, OAuthError, ServerError } from '../../kernel/errors.ts';
import type { OnFault } from '../../observe/events.ts';

/**
 * The error that is sent to the caller. A `GraphQLError` or `OAuthError` keeps its message and gets a code. Any other error
 * is masked and reported by the event `fault`.
 */
export function maskError(error: unknown, onFault: OnFault): GraphQLError {
  const cause = causeOf(error);
  const place = error instanceof GraphQLError ? error : undefined;
  if (cause instanceof GraphQLError) return place ?? cause;
  if (cause instanceof OAuthError) {
    return at(place, cause.message, cause instanceof InvalidRequest ? 'BAD_USER_INPUT' : cause.error.toUpperCase());
  }
  onFault(`the Member API failed${place?.path ? ` at ${place.path.join('.')}` : ''}`, cause);
  return at(place, new ServerError().message, 'INTERNAL_SERVER_ERROR');
}

/** What was thrown, without the place where it was caught. */
export function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError !== undefined ? causeOf(error.originalError) : error;
}

export function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions['code'] ??= code;
  return error;
}

/** A suggestion names parts of the schema, which a caller without introspection must not learn. */
export function withoutSuggestion(error: Error): void {
  error.message = error.message.replace(/ Did you mean .*$/s, '');
}

function at(place: GraphQLError | undefined, message: string, code: string): GraphQLError {
  const { nodes, source, positions, path } = place ?? {};
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { code } });
}
