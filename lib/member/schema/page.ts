import { type ASTNode, GraphQLError, type GraphQLErrorExtensions } from 'graphql';
import type { PageRequest } from '../../host/member-data.ts';
import { cursorCap } from '../../host/paged-data.ts';

export const pageCap = 100;

export const pageArgument = 'first';

export function isPageSize(first: unknown): first is number {
  return typeof first === 'number' && Number.isInteger(first) && first >= 1 && first <= pageCap;
}

export function pageSizeProblem(size: unknown, node?: ASTNode): GraphQLError {
  return refused(`${pageArgument} must be 1 to ${pageCap}, not ${inWords(size)}`, { code: 'BAD_USER_INPUT' }, node);
}

/** A short text for a value, which may be large or deeply nested. */
function inWords(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'object' && value !== null ? 'a list or object' : String(value);
}

/**
 * The page that the arguments of a field request.
 *
 * @throws GraphQLError `BAD_USER_INPUT`
 */
export function pageRequest({ first, after }: Readonly<Record<string, unknown>>): PageRequest {
  if (!isPageSize(first)) throw pageSizeProblem(first);
  if (typeof after !== 'string') return { first };
  if (after.length <= cursorCap) return { first, after };
  throw refused('after must be the endCursor of the previous page', { code: 'BAD_USER_INPUT' });
}

/** Status 400 in both media types if nothing has been run yet. */
export function refused(message: string, extensions: GraphQLErrorExtensions, nodes?: ASTNode): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { ...extensions, http: { status: 400, spec: false } } });
}
