import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { notesOf, released } from '../../scripts/changelog.mjs';

const changelog = '# Changelog\n\n## Unreleased\n\n- **keys**: new\n\n## 0.2.0\n\n- old\n';

test('a release gets its unreleased entries, and its notes are these', () => {
  const after = released(changelog, '0.3.0', '2026-12-01');
  expect(after).toBe('# Changelog\n\n## 0.3.0 (2026-12-01)\n\n- **keys**: new\n\n## 0.2.0\n\n- old\n');
  expect(notesOf(after, '0.3.0')).toBe('- **keys**: new');
  expect(notesOf(after, '0.2.0')).toBe('- old');
  expect(() => notesOf(after, '0.2')).toThrow('CHANGELOG.md has nothing about 0.2');
  expect(() => released(after, '0.4.0', '2026-12-02')).toThrow('CHANGELOG.md has nothing about Unreleased');
});

test('the changelog is one list of what the package does, until 1.0.0-rc.1', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(61);
  const entries = notesOf(text, 'Unreleased').split('\n');
  expect(entries.filter((entry) => !/^- \*\*[^*]+\*\*: /.test(entry))).toEqual([]);
  const words = (entry: string): number => entry.replace(/ \(\[[^\]]*\]\([^)]*\)\)/, '').split(' ').length - 1;
  expect(entries.filter((entry) => words(entry) > 30)).toEqual([]);
});
