import type { DataPage } from './member-data.ts';
import { isObject, check } from './checked-platform.ts';

export const cursorCap = 1024;

/** A larger page than the `first` nodes requested would exceed the limits. */
export function checkPage<T>(method: string, first: number, page: DataPage<T>): DataPage<T> {
  const what = `${method}()`;
  check(isObject(page), what, '', 'be an object with nodes', page);
  const { nodes, totalCount, hasNextPage, endCursor } = page;
  checkList(method, nodes, 'nodes');
  check(nodes.length <= first, what, 'nodes.length', `be at most ${first}, the requested number`, nodes.length);
  check(Number.isInteger(totalCount), what, 'totalCount', 'be a whole number', totalCount);
  check(typeof hasNextPage === 'boolean', what, 'hasNextPage', 'be true or false', hasNextPage);
  const isCursor = endCursor === undefined || (typeof endCursor === 'string' && endCursor.length <= cursorCap);
  check(isCursor, what, 'endCursor', `be a string of at most ${cursorCap} characters`, endCursor);
  return page;
}

export function checkList<T>(method: string, list: readonly T[], member = ''): readonly T[] {
  check(Array.isArray(list), `${method}()`, member, 'be an array', list);
  return list;
}
