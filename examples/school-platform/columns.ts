import type { SQLOutputValue } from 'node:sqlite';

/** A row as the database gives it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** A text column. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`column ${column} holds no text`);
  return value;
}

/** A text column that may be NULL. */
export function optionalText(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : text(row, column);
}

/** An integer column. */
export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`column ${column} holds no integer`);
  return value;
}
