import * as z from 'zod';
import type { PurgeReport } from '../../lib/contracts/maintenance.ts';
import { flag, func, group, instance, type Members, methods } from '../../lib/protocol/option-schemas.ts';
import { readOptions } from '../../lib/protocol/validate.ts';

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

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /** Whether this process removes expired rows now and then. @default true */
  readonly purge?: boolean | undefined;
  /** Learns of each purge that removed something. @default nobody */
  readonly onPurge?: ((report: PurgeReport) => void) | undefined;
}

export type SqliteSettings = SqliteStoreOptions & { readonly purge: boolean };

const databaseSchema = instance<SqliteDatabase>(
  methods(['exec', 'prepare'], 'be a function, as of a DatabaseSync of node:sqlite'),
  'be a DatabaseSync of node:sqlite',
);

/** @internal */
export const sqliteStoreSchema: z.ZodType<SqliteSettings> = group({
  purge: flag.default(true),
  onPurge: func<(report: PurgeReport) => void>().optional(),
} satisfies Members<SqliteStoreOptions>).prefault({});

/** @throws TypeError that names what is wrong */
export function readSqliteOptions(database: SqliteDatabase, options: SqliteStoreOptions): SqliteSettings {
  readOptions(databaseSchema, database, 'database');
  const settings = readOptions(sqliteStoreSchema, options, 'options');
  // Families end with their grants.
  const [row] = database.prepare('pragma foreign_keys').all({});
  if (Object(row)['foreign_keys'] !== 1)
    throw new TypeError('database must enforce foreign keys: PRAGMA foreign_keys = ON');
  return settings;
}
