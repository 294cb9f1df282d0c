import { withoutControls } from '../../i18n/language.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { Translator } from './markup.ts';

/** A table to download. It has no credential. */
export interface CsvFile {
  /** Without an ending. */
  readonly name: string;
  readonly rows: (t: Translator) => readonly (readonly (string | number)[])[];
}

/** The heading of a column, and what an entry has in it. */
type Column<T> = readonly [heading: TextKey, valueIn: (entry: T, t: Translator) => string | number];

export function csvFile<T>(name: string, entries: readonly T[], columns: readonly Column<T>[]): CsvFile {
  return {
    name,
    rows: (t) => [
      columns.map(([heading]) => t.text(heading)),
      ...entries.map((entry) => columns.map(([, valueIn]) => valueIn(entry, t))),
    ],
  };
}

/** RFC 4180, with the mark that spreadsheets need to read it as UTF-8. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return `\u{FEFF}${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/**
 * Before what a spreadsheet takes for a formula, also in full width and after spaces or quotes. It may read `;` as the end of a cell, which
 * no quotes prevent in a file that has commas. Tabs are no characters of a cell.
 */
const beforeFormula = /(^|;)(?=[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** A spreadsheet shows what follows an apostrophe as text. */
function cell(value: string | number): string {
  return `"${withoutControls(String(value)).replaceAll(beforeFormula, "$1'").replaceAll('"', '""')}"`;
}

/** A day, as spreadsheets and programs read it; nothing for no time. */
export function csvDay(seconds: number | undefined): string {
  return seconds === undefined ? '' : new Date(seconds * 1000).toISOString().slice(0, 10);
}
