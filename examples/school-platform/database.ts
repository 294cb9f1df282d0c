import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The text of a SQL file beside this one. */
export function sqlFile(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** An empty member database, gone when the process ends. */
export function openDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(sqlFile('schema.sql'));
  return database;
}
