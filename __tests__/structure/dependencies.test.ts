import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

/** The rows of the table under a heading: cells by column. */
function rowsUnder(heading: string): Record<string, string>[] {
  const [, section = ''] = read('docs/dependencies.md').split(`## ${heading}\n`);
  const [head = [], , ...rows] = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
  return rows.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ''])));
}

describe.each<[string, Record<string, string>]>([
  ['Production dependencies', manifest.dependencies],
  ['Peer dependencies', manifest.peerDependencies],
])('docs/dependencies.md, %s', (heading, declared) => {
  const rows = rowsUnder(heading);
  const nameOf = (row: Record<string, string>): string => (row['package'] ?? '').replaceAll('`', '');

  test('has a row for each of package.json, and no other', () => {
    expect(rows.map(nameOf).sort()).toEqual(Object.keys(declared).sort());
  });

  test('gives each a reason, a size and what its import costs', () => {
    const reasons = rows.map(({ why = '' }) => why.length > 15);
    const sizes = rows.map(({ size = '' }) => /^(?:< )?\d+\.\d MB$/.test(size));
    const imports = rows.map((row) => /^(?:\d+ ms|none)$/.test(row['import'] ?? ''));
    expect([...reasons, ...sizes, ...imports]).not.toContain(false);
  });

  test('gives each the licence that it has', () => {
    const licences = rows.map((row) => JSON.parse(read(`node_modules/${nameOf(row)}/package.json`)).license);
    expect(rows.map(({ licence }) => licence)).toEqual(licences);
  });

  test('gives the versions that package.json does', () => {
    const versions = rows.map(({ versions: given }) => given?.replaceAll('`', '').replaceAll('\\|', '|'));
    if (heading === 'Peer dependencies') expect(versions).toEqual(rows.map((row) => declared[nameOf(row)]));
  });
});
