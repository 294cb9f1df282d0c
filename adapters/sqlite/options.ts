import { instance, methods } from '../../lib/kernel/option-schemas.ts';
import { readOptions } from '../../lib/kernel/validate.ts';

/** A value that SQLite stores. */
export type SqliteValue = string | number | null;

/** The part of a statement of `node:sqlite` that the store uses. */
export interface SqliteStatement {
  all(values: Record<string, SqliteValue>): unknown[];
}

/** The part of a `DatabaseSync` of `node:sqlite` that the store uses. You open, configure and close it. */
export interface SqliteDatabase {
  exec(text: string): void;
  prepare(text: string): SqliteStatement;
}

const databaseSchema = instance<SqliteDatabase>(
  methods(['exec', 'prepare'], 'be a function, as of a DatabaseSync of node:sqlite'),
  'be a DatabaseSync of node:sqlite',
);

/** @throws TypeError that names what is wrong */
export function checkDatabase(database: SqliteDatabase): void {
  readOptions(databaseSchema, database, 'database');
  // Families end with their grants.
  const [row] = database.prepare('pragma foreign_keys').all({});
  if (Object(row)['foreign_keys'] !== 1) {
    throw new TypeError('database must enforce foreign keys: run PRAGMA foreign_keys = ON');
  }
}
