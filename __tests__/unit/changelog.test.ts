import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { named, notesOf, released } from '../../scripts/changelog.mjs';

const changelog = '# Changelog\n\n## Unreleased\n\n- **keys**: new\n\n## 0.2.0\n\n- old\n';

test('a release gets its unreleased entries, and its notes are these', () => {
  const after = released(changelog, '0.3.0', '2026-12-01');
  expect(after).toBe('# Changelog\n\n## 0.3.0 (2026-12-01)\n\n- **keys**: new\n\n## 0.2.0\n\n- old\n');
  expect(notesOf(after, '0.3.0')).toBe('- **keys**: new');
  expect(notesOf(after, '0.2.0')).toBe('- old');
  expect(() => notesOf(after, '0.2')).toThrow('CHANGELOG.md has nothing about 0.2');
  expect(() => released(after, '0.4.0', '2026-12-02')).toThrow('CHANGELOG.md has nothing about Unreleased');
});

test('the guide to upgrades, and links to it, name the release', () => {
  const page = '## From 0.2 to the next release\n\n[Upgrading](docs/upgrading.md#from-02-to-the-next-release)\n';
  expect(named(page, '0.3.0')).toBe('## From 0.2 to 0.3\n\n[Upgrading](docs/upgrading.md#from-02-to-03)\n');
});

test('the changelog has notes of the version of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(notesOf(readFileSync('CHANGELOG.md', 'utf8'), version)).not.toBe('');
});
