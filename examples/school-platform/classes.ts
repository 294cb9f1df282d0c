import type { DatabaseSync } from 'node:sqlite';
import type { BoundaryPage, BoundaryQuery, Member } from 'campus-oidc';
import { integer, type Row, text } from './columns.ts';

export type Classes = ReturnType<typeof createClasses>;

/** A class with its students. */
export interface SchoolClass {
  readonly id: string;
  readonly name: string;
  readonly term: string;
  readonly students: readonly { readonly name: string }[];
}

/** Owners and admins see every class of their school, teachers their own. */
const everyClass = ['owner', 'admin'];

/** The classes of the schools. Every statement is prepared once. */
export function createClasses(database: DatabaseSync) {
  const seen = `FROM classes WHERE school_id = ?1
    AND (?2 OR EXISTS (SELECT 1 FROM class_teachers WHERE class_id = classes.id AND person_id = ?3))`;
  const asked = `${seen} AND name LIKE ?4 ESCAPE '\\' AND (?5 IS NULL OR id IN (SELECT value FROM json_each(?5)))`;
  const page = database.prepare(`SELECT * ${asked} ORDER BY name LIMIT ?6 OFFSET ?7`);
  const count = database.prepare(`SELECT count(*) AS count ${asked}`);
  const all = database.prepare(`SELECT * ${seen} ORDER BY name`);
  const students = database.prepare('SELECT name FROM class_students WHERE class_id = ? ORDER BY name');
  const studentCount = database.prepare(
    'SELECT count(DISTINCT class_students.name) AS count FROM class_students JOIN classes ON classes.id = class_id WHERE school_id = ?',
  );

  return {
    /** The classes to which this person can limit an app. */
    page(schoolId: string, member: Member, { search = '', ids, offset, limit }: BoundaryQuery): BoundaryPage {
      const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
      const question = [...whose(schoolId, member), pattern, ids ? JSON.stringify(ids) : null] as const;
      const items = page.all(...question, limit, offset).map((row) => {
        const { id, name, term } = toClass(row);
        return { id, name, detail: term };
      });
      return { items, total: integer(count.get(...question) ?? {}, 'count') };
    },
    /** The classes of this person, those of the ids alone if there are some. What is in `ids` gives nothing: the person must have it. */
    of(schoolId: string, member: Member, ids?: readonly string[]): SchoolClass[] {
      const own = all.all(...whose(schoolId, member)).map(toClass);
      return own
        .filter(({ id }) => !ids || ids.includes(id))
        .map((each) => ({ ...each, students: students.all(each.id).map((row) => ({ name: text(row, 'name') })) }));
    },
    /** How many students the school has in all its classes. */
    countStudents: (schoolId: string): number => integer(studentCount.get(schoolId) ?? {}, 'count'),
  };
}

function whose(schoolId: string, { id, roles }: Member) {
  return [schoolId, Number(roles.some((role) => everyClass.includes(role))), id] as const;
}

function toClass(row: Row): Omit<SchoolClass, 'students'> {
  return { id: text(row, 'id'), name: text(row, 'name'), term: text(row, 'term') };
}
