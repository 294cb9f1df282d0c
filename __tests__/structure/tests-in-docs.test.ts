import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
/** The last column of tables, and lines of lists: `file` › part of a test's name. */
const rows = [
  '__tests__/THREATS.md',
  '__tests__/GUARANTEES.md',
  'docs/security/asvs.md',
  'contributing/engine.md',
].flatMap((document) =>
  readFileSync(join(root, document), 'utf8')
    .split('\n')
    .filter((line) => /^(?:\| | {2}`)/.test(line) && line.includes('.test.ts'))
    .map((line): [string, string] => [document, (line.startsWith('|') ? line.split('|').at(-2) : line)?.trim() ?? '']),
);

test.each(rows)('%s names a test that exists: %s', (_document, row) => {
  const [files = '', title] = row.split(' › ');
  const texts = [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) =>
    readFileSync(join(root, '__tests__', file), 'utf8'),
  );
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) if (title !== undefined) expect(text).toContain(title);
});
