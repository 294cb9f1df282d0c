import type { DatabaseSync } from 'node:sqlite';
import { InvalidRequest } from 'campus-oidc';
import type { DataPage, PageRequest } from 'campus-oidc/member-api';
import { integer, type Row, text } from './columns.ts';

/** A list of one person at one school, in pages. */
export type Pager<T> = (personId: string, schoolId: string, request: PageRequest) => DataPage<T>;

/**
 * Prepares a list. Its SQL has the person as `?1`, the school as `?2`, and a column `cursor` that no two rows share: the
 * list is in its order, and a page begins behind it.
 */
export function createPager<T>(
  database: DatabaseSync,
  sql: string,
  toNode: (row: Row) => T,
  newestFirst = false,
): Pager<T> {
  const [behind, order] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
  const page = database.prepare(
    `SELECT * FROM (${sql}) WHERE ?3 IS NULL OR cursor ${behind} ?3 ORDER BY cursor ${order} LIMIT ?4`,
  );
  const known = database.prepare(`SELECT 1 FROM (${sql}) WHERE cursor = ?3`);
  const count = database.prepare(`SELECT count(*) AS count FROM (${sql})`);
  return (personId, schoolId, { first, after }) => {
    if (after !== undefined && !known.get(personId, schoolId, after)) throw alienCursor();
    const rows = page.all(personId, schoolId, after ?? null, first + 1);
    const shown = rows.slice(0, first);
    const last = shown.at(-1);
    return {
      nodes: shown.map(toNode),
      totalCount: integer(count.get(personId, schoolId) ?? {}, 'count'),
      hasNextPage: rows.length > first,
      endCursor: last && text(last, 'cursor'),
    };
  };
}

/** The error for a cursor that is of no row of the list. */
export function alienCursor(): InvalidRequest {
  return new InvalidRequest('after is no cursor of this list');
}
