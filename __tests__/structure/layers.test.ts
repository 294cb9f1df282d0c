import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { layers } from './layers.ts';

/** The names in code font before the colon of each numbered item under this heading. */
function listUnder(heading: string, markdown: string): string[][] {
  const [, section = ''] = markdown.split(`\n## ${heading}\n`);
  const items = section.split('\n## ')[0]?.matchAll(/^\d+\. ([^:]*):/gm) ?? [];
  return [...items].map(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

test('the layers that CONTRIBUTING.md lists are those that the tests check', () => {
  const contributing = readFileSync(join(import.meta.dirname, '../../CONTRIBUTING.md'), 'utf8');
  expect(listUnder('Layers of `lib`', contributing)).toEqual(layers);
});
