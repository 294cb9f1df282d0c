import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { CatalogueRequest, PublicCourse } from 'campus-oidc/mcp';
import type { DataPage } from 'campus-oidc/member-api';
import { integer, type Row, text } from './columns.ts';
import { alienCursor } from './pager.ts';

/** The courses of the schools: what everybody may see of them, and adding one. */
export type Courses = ReturnType<typeof createCourses>;

/** Prepares every statement once. */
export function createCourses(database: DatabaseSync) {
  const matching = "FROM courses WHERE school_id = ? AND title LIKE ? ESCAPE '\\'";
  const page = database.prepare(`SELECT slug, title ${matching} AND slug > ? ORDER BY slug LIMIT ?`);
  const known = database.prepare(`SELECT 1 ${matching} AND slug = ?`);
  const count = database.prepare(`SELECT count(*) AS count ${matching}`);
  const add = database.prepare(
    'INSERT INTO courses (id, school_id, slug, title) VALUES (?, ?, ?, ?) ON CONFLICT (school_id, slug) DO NOTHING',
  );

  return {
    /** One page, in the order of the slugs; the cursor is the last slug. */
    page(schoolId: string, { search = '', first, after }: CatalogueRequest): DataPage<PublicCourse> {
      const words = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
      if (after !== undefined && !known.get(schoolId, words, after)) throw alienCursor();
      const rows = page.all(schoolId, words, after ?? '', first + 1);
      const nodes = rows.slice(0, first).map(toCourse);
      return {
        nodes,
        totalCount: integer(count.get(schoolId, words) ?? {}, 'count'),
        hasNextPage: rows.length > first,
        endCursor: nodes.at(-1)?.slug,
      };
    },
    /** Adds a course; false when the school has one with this slug. */
    add(schoolId: string, course: { readonly slug: string; readonly name: string }): boolean {
      return add.run(randomUUID(), schoolId, course.slug, course.name).changes > 0;
    },
  };
}

function toCourse(row: Row): PublicCourse {
  return { slug: text(row, 'slug'), name: text(row, 'title') };
}
