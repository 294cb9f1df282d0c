import { GraphQLError } from 'graphql';
import type { Page, PageRequest } from '../contracts/member-data.ts';

/** The most nodes of one page. */
export const pageCap = 100;

/** The longest cursor, in characters. */
const cursorCap = 1024;

/** A page as the schema has it. */
export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | undefined };
  readonly totalCount: number;
}

/** A mistake of the caller, at a field. */
export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } });
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
  if (typeof first !== 'number' || !isPageSize(first)) throw badInput(`first must be 1 to ${pageCap}, not ${String(first)}`);
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
