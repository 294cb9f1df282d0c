import { setImmediate } from 'node:timers/promises';
import { withoutControls } from '../../i18n/language.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { Translator } from './markup.ts';

/** A table to download. It has no credential. */
export interface CsvFile {
  /** Without an ending. */
  readonly name: string;
  readonly rows: (t: Translator) => Iterable<readonly (string | number)[]>;
}

/** The heading of a column, and what an entry has in it. */
type Column<T> = readonly [heading: TextKey, valueIn: (entry: T, t: Translator) => string | number];

export function csvFile<T>(name: string, entries: readonly T[], columns: readonly Column<T>[]): CsvFile {
  return {
    name,
    *rows(t) {
      yield columns.map(([heading]) => t.text(heading));
      for (const entry of entries) yield columns.map(([, valueIn]) => valueIn(entry, t));
    },
  };
}

/** After so many rows, other requests have a turn. */
const rowsAtOnce = 100;

/** RFC 4180, with the mark that spreadsheets need to read it as UTF-8. */
export async function csvText(rows: Iterable<readonly (string | number)[]>): Promise<string> {
  const lines = ['\u{FEFF}'];
  for (const row of rows) {
    lines.push(`${row.map(cell).join(',')}\r\n`);
    if (lines.length % rowsAtOnce === 0) await setImmediate();
  }
  return lines.join('');
}

/** What a spreadsheet takes for a formula, also in full width and after spaces or quotes. */
const formula = /^[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** A spreadsheet shows what follows an apostrophe as text. */
function harmless(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Some spreadsheets end a cell at each `;`, which no quotes prevent in a file that has commas. Tabs are no characters of a cell. */
function cell(value: string | number): string {
  const parts = withoutControls(String(value)).split(';');
  return `"${parts.map(harmless).join(';').replaceAll('"', '""')}"`;
}

/** A day, as spreadsheets and programs read it; nothing for no time. */
export function csvDay(seconds: number | undefined): string {
  return seconds === undefined ? '' : new Date(seconds * 1000).toISOString().slice(0, 10);
}
