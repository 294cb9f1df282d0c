import { hash } from 'node:crypto';
import { lineOf, type LineToken, nameOf, type RecordKind, siteName } from '../../lib/records/record.ts';

/** One row of a result, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** The text of a statement, with the name under which a connection prepares it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export function statement(text: string): Statement {
  return { name: `campus_${hash('sha1', text, 'hex').slice(0, 12)}`, text };
}

/** What one call of the store may do with its database. */
export interface Sql {
  /** Runs a statement that may also run late. */
  run(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>;
  /** Runs a statement that writes. Its text ends with `Dialect.inTime`, whose value is added here. */
  write(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>;
}

/** Does one call of the store. */
export type CallSql = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;

/** How a database says what all of them can. */
export interface Dialect {
  /** The time of the server, in seconds since the epoch. */
  readonly now: string;
  /** The type of a key: the first 128 bits of a SHA-256. */
  readonly keyType: string;
  /** Locks the rows that a subquery finds. */
  readonly forUpdate: string;
  /** The full name of a table. */
  readonly table: (name: string) => string;
  /** A condition that fails if the statement arrives after the moment in this parameter; nothing where none can. */
  readonly inTime: (parameter: number) => string;
  /** How full pages are filled, in percent: what is left has room for new versions of a row. */
  readonly fillfactor: (percent: number) => string;
  /** Tables whose column `value` has the elements of the JSON array in the first parameter. */
  readonly each: { readonly text: string; readonly object: string };
  /** The literal for no end. */
  readonly infinity: string;
  /** How rows of the log show the order in which they were written. */
  readonly written: WrittenOrder;
  /** What creates the triggers that keep the table `use`. */
  readonly triggers: readonly string[];
}

/** The column `written` of the log. A row that becomes visible has a greater one than all that were visible before, or waits until that is so. */
interface WrittenOrder {
  readonly column: string;
  /** What makes school, kind and id unique. */
  readonly key: 'primary key' | 'unique';
  /** A parameter with a place, as the column has it. */
  readonly place: (parameter: string) => string;
  /** The condition that nothing can become visible before this row from now on. */
  readonly isSettled: string;
  /** The condition that a place (the first parameter) is not one of this database. */
  readonly isAhead: string;
}

/** "No end", also as a time to live. */
export const never = Infinity;

/** As many seconds as JSON has for no end. */
export const almostNever = 1e300;

/** The keys of a site: the same that Redis has, digested. */
export class SiteRows {
  readonly site: string;

  constructor(siteId: string) {
    this.site = siteName(siteId);
  }

  record(kind: RecordKind, id: string): string {
    return rowKey(this.site, kind, nameOf(kind, id));
  }

  /** The names of a refresh token of a line, with the key of its stored response; nothing for every other id. */
  line(kind: RecordKind, id: string): (LineToken & { readonly replay: string }) | undefined {
    const names = lineOf(kind, id);
    return names && { ...names, replay: this.record(kind, id) };
  }

  /** The key of a family, by the names of both. */
  family(grant: string, family: string): string {
    return rowKey(this.site, 'family', `${grant} ${family}`);
  }

  counter(name: string): string {
    return rowKey(this.site, 'quota', name);
  }
}

/** A key, by the names that it is made of. */
export function rowKey(site: string, what: RecordKind | 'family' | 'quota', name: string): string {
  return hash('sha256', `${site}:${what}:${name}`, 'hex').slice(0, 32);
}
