import { type ASTNode, GraphQLError } from 'graphql';
import type { Page, PageRequest } from '../contracts/member-data.ts';

/** The most nodes of one page. */
export const pageCap = 100;

/** The argument that says how many nodes a page has. */
export const pageArgument = 'first';

/** The longest cursor, in characters. */
const cursorCap = 1024;

/** A page as the schema has it. */
export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | undefined };
  readonly totalCount: number;
}

/** A mistake of the caller; refused with 400 whatever the caller accepts, if nothing was run yet. */
export function badInput(message: string, node?: ASTNode): GraphQLError {
  return new GraphQLError(message, {
    nodes: node,
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400, spec: false } },
  });
}

/** A page size that is none. */
export function pageSizeProblem(size: unknown, node?: ASTNode): GraphQLError {
  return badInput(`${pageArgument} must be 1 to ${pageCap}, not ${String(size)}`, node);
}

/** Whether a page may have so many nodes. */
export function isPageSize(first: number): boolean {
  return Number.isInteger(first) && first >= 1 && first <= pageCap;
}

/**
 * The page that the arguments of a field ask for.
 *
 * @throws GraphQLError `BAD_USER_INPUT`
 */
export function pageRequest({ first, after }: Readonly<Record<string, unknown>>): PageRequest {
  if (typeof first !== 'number' || !isPageSize(first)) throw pageSizeProblem(first);
  if (typeof after !== 'string') return { first };
  if (after.length > cursorCap) throw badInput('after must be the endCursor of the page before');
  return { first, after };
}

/**
 * What the host answered, checked: too large a page would go past every limit.
 *
 * @throws TypeError that says what the platform has to change
 */
export function connectionOf<T>(method: string, { first }: PageRequest, page: Page<T>): Connection<T> {
  const { nodes, totalCount, hasNextPage, endCursor } = page;
  if (nodes.length > first) {
    throw new TypeError(`platform.memberData.${method} answered ${nodes.length} nodes where ${first} were asked for`);
  }
  return { nodes, totalCount, pageInfo: { hasNextPage, endCursor } };
}
