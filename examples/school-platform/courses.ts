import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { CatalogueRequest, PublicCourse } from 'campus-oidc/mcp';
import type { DataPage } from 'campus-oidc/member-api';
import { integer, type Row, text } from './columns.ts';
import { unknownCursor } from './pager.ts';

export type Courses = ReturnType<typeof createCourses>;

/** The public course catalogues of the schools. Every statement is prepared once. */
export function createCourses(database: DatabaseSync) {
  const matching = "FROM courses WHERE school_id = ? AND title LIKE ? ESCAPE '\\'";
  const page = database.prepare(`SELECT slug, title ${matching} AND slug > ? ORDER BY slug LIMIT ?`);
  const known = database.prepare(`SELECT 1 ${matching} AND slug = ?`);
  const count = database.prepare(`SELECT count(*) AS count ${matching}`);
  const add = database.prepare(
    'INSERT INTO courses (id, school_id, slug, title) VALUES (?, ?, ?, ?) ON CONFLICT (school_id, slug) DO NOTHING',
  );

  return {
    /** One page, ordered by slug; the cursor is the last slug of a page. */
    page(schoolId: string, { search = '', first, after }: CatalogueRequest): DataPage<PublicCourse> {
      const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
      if (after !== undefined && !known.get(schoolId, pattern, after)) throw unknownCursor();
      const rows = page.all(schoolId, pattern, after ?? '', first + 1);
      const nodes = rows.slice(0, first).map(toCourse);
      return {
        nodes,
        totalCount: integer(count.get(schoolId, pattern) ?? {}, 'count'),
        hasNextPage: rows.length > first,
        endCursor: nodes.at(-1)?.slug,
      };
    },
    /** Returns false if the school already has a course with this slug. */
    add(schoolId: string, course: { readonly slug: string; readonly name: string }): boolean {
      return add.run(randomUUID(), schoolId, course.slug, course.name).changes > 0;
    },
  };
}

function toCourse(row: Row): PublicCourse {
  return { slug: text(row, 'slug'), name: text(row, 'title') };
}
