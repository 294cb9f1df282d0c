import type { DatabaseSync } from 'node:sqlite';
import { InvalidRequest } from 'campus-oidc';
import type { DataPage, PageRequest } from 'campus-oidc/member-api';
import { integer, type Row, text } from './columns.ts';

/** Returns one page of a person's list at a school. */
type Pager<T> = (personId: string, schoolId: string, request: PageRequest) => DataPage<T>;

/**
 * Prepares the statements of a paginated list. In the SQL, `?1` is the person and `?2` the school, and the column
 * `cursor` is unique: it orders the list, and a page starts after it.
 */
export function createPager<T>(
  database: DatabaseSync,
  sql: string,
  toNode: (row: Row) => T,
  newestFirst = false,
): Pager<T> {
  const [comparison, order] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
  const page = database.prepare(
    `SELECT * FROM (${sql}) WHERE ?3 IS NULL OR cursor ${comparison} ?3 ORDER BY cursor ${order} LIMIT ?4`,
  );
  const known = database.prepare(`SELECT 1 FROM (${sql}) WHERE cursor = ?3`);
  const count = database.prepare(`SELECT count(*) AS count FROM (${sql})`);
  return (personId, schoolId, { first, after }) => {
    if (after !== undefined && !known.get(personId, schoolId, after)) throw unknownCursor();
    const rows = page.all(personId, schoolId, after ?? null, first + 1);
    const current = rows.slice(0, first);
    const last = current.at(-1);
    return {
      nodes: current.map(toNode),
      totalCount: integer(count.get(personId, schoolId) ?? {}, 'count'),
      hasNextPage: rows.length > first,
      endCursor: last && text(last, 'cursor'),
    };
  };
}

export function unknownCursor(): InvalidRequest {
  return new InvalidRequest('after is not a cursor of this list');
}
