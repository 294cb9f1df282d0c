import type { SQLOutputValue } from 'node:sqlite';

/** A row as node:sqlite returns it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`column ${column} is not a text`);
  return value;
}

/** `undefined` for NULL. */
export function optionalText(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : text(row, column);
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`column ${column} is not an integer`);
  return value;
}
