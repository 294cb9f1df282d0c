import { type ASTNode, GraphQLError } from 'graphql';
import type { DataPage, PageRequest } from '../../contracts/member-data.ts';
import { cursorCap } from '../../host/platform-responses.ts';

/** The most nodes of one page. */
export const pageCap = 100;

/** The argument that says how many nodes a page has. */
export const pageArgument = 'first';

/** A page as the schema has it. */
export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | undefined };
  readonly totalCount: number;
}

/** A mistake of the caller; refused with 400 whatever the caller accepts, if nothing was run yet. */
function badInput(message: string, node?: ASTNode): GraphQLError {
  return new GraphQLError(message, {
    nodes: node,
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400, spec: false } },
  });
}

/** A page size that is none. */
export function pageSizeProblem(size: unknown, node?: ASTNode): GraphQLError {
  return badInput(`${pageArgument} must be 1 to ${pageCap}, not ${inWords(size)}`, node);
}

/** What was sent may be large, or nested without end. */
function inWords(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'object' && value !== null ? 'a list or object' : String(value);
}

/** Whether a page may have so many nodes. */
export function isPageSize(first: unknown): first is number {
  return typeof first === 'number' && Number.isInteger(first) && first >= 1 && first <= pageCap;
}

/**
 * The page that the arguments of a field ask for.
 *
 * @throws GraphQLError `BAD_USER_INPUT`
 */
export function pageRequest({ first, after }: Readonly<Record<string, unknown>>): PageRequest {
  if (!isPageSize(first)) throw pageSizeProblem(first);
  if (typeof after !== 'string') return { first };
  if (after.length > cursorCap) throw badInput('after must be the endCursor of the page before');
  return { first, after };
}

/** A page of the host as the schema has it. */
export function connectionOf<T>({ nodes, totalCount, hasNextPage, endCursor }: DataPage<T>): Connection<T> {
  return { nodes, totalCount, pageInfo: { hasNextPage, endCursor } };
}
