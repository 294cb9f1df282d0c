import { withoutControls } from '../../i18n/language.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { Translator } from './markup.ts';

type Row = readonly (string | number)[];

/** A table to download. It has no credential. */
export interface CsvFile {
  /** Without an ending. */
  readonly name: string;
  /** The rows, some at a time. */
  readonly rows: (t: Translator) => AsyncIterable<readonly Row[]>;
}

/** The heading of a column, and what an entry has in it. */
type Column<T> = readonly [heading: TextKey, valueIn: (entry: T, t: Translator) => string | number];

export function csvFile<T>(name: string, parts: AsyncIterable<readonly T[]>, columns: readonly Column<T>[]): CsvFile {
  return {
    name,
    async *rows(t) {
      let headings: readonly Row[] = [columns.map(([heading]) => t.text(heading))];
      for await (const entries of parts) {
        yield [...headings, ...entries.map((entry) => columns.map(([, valueIn]) => valueIn(entry, t)))];
        headings = [];
      }
      if (headings.length > 0) yield headings;
    },
  };
}

/** RFC 4180, with the mark that spreadsheets need to read it as UTF-8. */
export async function* csvText(rows: AsyncIterable<readonly Row[]>): AsyncGenerator<string, void> {
  let mark = '\u{FEFF}';
  for await (const some of rows) {
    yield mark + some.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
    mark = '';
  }
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

/** A day, as spreadsheets and apps read it; nothing for no time. */
export function csvDay(seconds: number | undefined): string {
  return seconds === undefined ? '' : new Date(seconds * 1000).toISOString().slice(0, 10);
}
