import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'docs/threats.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('.test.ts'))
  .map((line) => line.split('|').at(-2)?.trim() ?? '');

test.each(rows)('docs/threats.md names a test that exists: %s', (row) => {
  const [files = '', title] = row.split(' › ');
  const texts = [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) =>
    readFileSync(join(root, '__tests__', file), 'utf8'),
  );
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) if (title !== undefined) expect(text).toContain(title);
});
