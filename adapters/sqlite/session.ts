import { types } from 'node:util';
import { notMigrated, type Texts } from '../sql/migrate.ts';
import type { Dialect, Row, Sql, Statement } from '../sql/sql.ts';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './options.ts';

const table = (name: string): string => `campus_${name}`;

export const dialect: Dialect = {
  now: `unixepoch('subsec')`,
  keyType: 'text',
  forUpdate: '',
  table,
  inTime: () => '',
  fillfactor: () => '',
  each: { text: 'json_each($1) e', object: 'json_each($1) e' },
  infinity: '9e999',
  // One process writes at a time, so rows become visible in the order of their numbers.
  written: {
    column: 'integer primary key autoincrement',
    key: 'unique',
    place: (parameter) => `cast(${parameter} as integer)`,
    isSettled: 'true',
    isAhead: `cast($1 as integer) > coalesce((select seq from sqlite_sequence where name = '${table('log')}'), 0)`,
  },
  triggers: [
    `create trigger campus_use_insert after insert on ${table('grant')} begin
      insert into ${table('use')} (site, name, grants, hidden_id)
        values (new.site, coalesce(new.app, new.client), 1, new.hidden_id)
        on conflict (site, name) do update set grants = grants + 1;
    end`,
    `create trigger campus_use_delete after delete on ${table('grant')} begin
      update ${table('use')} set grants = grants - 1 where site = old.site and name = coalesce(old.app, old.client);
      delete from ${table('use')} where site = old.site and name = coalesce(old.app, old.client) and grants <= 0;
    end`,
  ],
};

/** A database in this process: it replies at once, so nothing is late. */
export class Session implements Sql {
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<string, SqliteStatement>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  readonly run = async (statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> =>
    this.now(statement, values);

  readonly write = this.run;

  /** The rows of a statement, without a promise. */
  now({ name, text }: Statement, values: readonly unknown[]): readonly Row[] {
    const known = this.#prepared.get(name) ?? this.#prepare(text);
    this.#prepared.set(name, known);
    return rowsOf(known.all(Object.fromEntries(values.map((value, i) => [`$${i + 1}`, valueOf(value)]))));
  }

  #prepare(text: string): SqliteStatement {
    try {
      return this.#database.prepare(text);
    } catch (error) {
      const isMissing =
        types.isNativeError(error) && /^no such (?:table|column)|has no column named/.test(error.message);
      throw isMissing ? notMigrated(error) : error;
    }
  }

  #text(text: string): readonly Row[] {
    try {
      return rowsOf(this.#database.prepare(text).all({}));
    } catch (error) {
      if (types.isNativeError(error) && error.message.startsWith('no such table')) return [];
      throw error;
    }
  }

  /** Does everything or nothing. No other process writes meanwhile. */
  transaction<T>(work: () => T): T {
    this.#database.exec('begin immediate');
    try {
      const result = work();
      this.#database.exec('commit');
      return result;
    } catch (error) {
      // A full disk has ended the transaction already.
      if (Reflect.get(this.#database, 'isTransaction') !== false) this.#database.exec('rollback');
      throw error;
    }
  }

  /** Begins to write and takes that back. @throws Error of SQLite, if the database cannot be written */
  tryToWrite(): void {
    const [version] = this.#text('pragma user_version');
    this.#database.exec('begin immediate');
    try {
      this.#database.exec(`pragma user_version = ${Number(version?.['user_version'])}`);
    } finally {
      if (Reflect.get(this.#database, 'isTransaction') !== false) this.#database.exec('rollback');
    }
  }

  /** Runs texts. One whose table is missing has no rows. */
  texts<T>(texts: Texts<T>): T {
    let step = texts.next();
    while (!step.done) step = texts.next(this.#text(step.value));
    return step.value;
  }
}

function valueOf(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw new TypeError(`SQLite cannot store a ${typeof value}`);
}

function rowsOf(rows: readonly unknown[]): readonly Row[] {
  return [...rows].filter((row): row is Row => typeof row === 'object' && row !== null);
}
