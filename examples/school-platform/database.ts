import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Reads a SQL file of this directory. */
export function sqlFile(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** An empty in-memory database, lost when the process ends. */
export function openDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(sqlFile('schema.sql'));
  return database;
}
