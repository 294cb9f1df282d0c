import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of a table of docs/reference/metrics.md: what each column has in code font. */
type Row = Readonly<Record<string, readonly string[]>>;

/** The table under a heading of docs/reference/metrics.md. */
export function documented(heading: 'Spans' | 'Metrics'): Row[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/reference/metrics.md'), 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [head = [], , ...rows] = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  return rows.map((cells) => Object.fromEntries(head.map((name, i) => [name, coded(cells[i] ?? '')])));
}

/** The code of a cell; the whole cell if it has none. */
function coded(cell: string): string[] {
  const codes = [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return codes.length === 0 && cell !== '' ? [cell] : codes;
}
