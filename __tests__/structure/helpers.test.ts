import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const folder = join(import.meta.dirname, '../helpers');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** The names in the last column of the tables of helpers/README.md: exports and the file that has them. */
const rows = read('README.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('.ts`'))
  .map((line) => [...(line.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

test('helpers/README.md has a line for every helper', () => {
  const helpers = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  expect(helpers.filter((file) => !rows.flat().includes(file))).toEqual([]);
});

test('helpers/README.md names what the helpers export', () => {
  const missing = rows.flatMap((names) => {
    const text = read(names.at(-1) ?? '');
    const identifiers = names.filter((name) => /^\w+$/.test(name));
    return identifiers.filter((name) => !new RegExp(`^export .*\\b${name}\\b`, 'm').test(text));
  });
  expect(missing).toEqual([]);
});
