import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const folder = join(import.meta.dirname, '../../contributing/decisions');
const files = readdirSync(folder).filter((file) => file !== 'README.md');
function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}

test.each(files)('%s has a number, a title and the three sections', (file) => {
  expect(file).toMatch(/^\d{3}-[a-z\d-]+\.md$/);
  const [title, ...sections] = read(file).split(/^#+ /m).slice(1);
  expect(title?.trim()).not.toBe('');
  const texts = sections.map((section) => section.split('\n\n', 1)[0]);
  expect(texts).toEqual(['Context', 'Decision', 'Consequences']);
  for (const section of sections) expect(section).toMatch(/^\w+\n\n\S/);
});

test('the index has each decision once, with its number and title', () => {
  const entries = read('README.md')
    .match(/^- .+$/gm)
    ?.toSorted();
  expect(entries).toEqual(
    files.toSorted().map((file) => `- [${file.slice(0, 3)}](${file}) ${read(file).split('\n')[0]?.slice(2)}`),
  );
  expect(new Set(files.map((file) => file.slice(0, 3))).size).toBe(files.length);
});
