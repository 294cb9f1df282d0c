import { type GraphQLError, type GraphQLOutputType, isNonNullType, locatedError } from 'graphql';
import type { PlannedField } from './plan.ts';

export interface Path {
  readonly prev: Path | undefined;
  readonly key: string | number;
  readonly typename: string | undefined;
}

/**
 * Notes what a field, or an item of its list, failed with; the value is `null`, or the error goes on to what is around it. GraphQL section
 * 6.4.4.
 *
 * @throws GraphQLError if the value must not be `null`
 */
export function failed(
  errors: GraphQLError[],
  raw: unknown,
  { nodes }: PlannedField,
  path: Path,
  type: GraphQLOutputType,
): null {
  const error = locatedError(asError(raw), nodes, keysOf(path));
  if (isNonNullType(type)) throw error;
  errors.push(error);
  return null;
}

function keysOf(path: Path): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: Path | undefined = path; at; at = at.prev) keys.push(at.key);
  return keys.toReversed();
}

/** Resolvers can throw anything. */
function asError(raw: unknown): Error {
  if (raw instanceof Error) return raw;
  const hasMessage = typeof raw === 'object' && raw !== null && 'message' in raw && typeof raw.message === 'string';
  return new Error(hasMessage ? String(raw.message) : String(raw));
}
