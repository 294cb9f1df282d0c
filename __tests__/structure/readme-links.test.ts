import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { pictures } from '../../scripts/pictures-of-docs.ts';
import { documents, isOfUsers } from './documents.ts';
import { anchorsOf, mentionedPaths, relativeLinks } from './readme-links.ts';
import { sourcesOf } from './sources.ts';

const root = join(import.meta.dirname, '../..');
function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

describe('the reader of links', () => {
  test('finds relative links and pictures with their anchors, outside of code', () => {
    const markdown =
      '[a](b.md)\n```\n[c](d.md)\n```\n`[e](f.md)` ![g](h.png) [i](#j), [k](l.md#m)\n[n](https://o.example)\n';
    expect(relativeLinks(markdown)).toEqual([
      { line: 1, path: 'b.md' },
      { line: 5, path: 'h.png' },
      { line: 5, path: '', anchor: 'j' },
      { line: 5, path: 'l.md', anchor: 'm' },
    ]);
  });

  test('makes the anchors of headings', () => {
    const markdown = '# A B\n```sh\n# not one\n```\n## `audit`: what was allowed, and why?\n';
    expect(anchorsOf(markdown)).toEqual(['a-b', 'audit-what-was-allowed-and-why']);
  });

  test('finds paths in code font', () => {
    expect(mentionedPaths('`lib/a.ts` and `lib/b/`, `libs/c.ts`, lib/d.ts')).toEqual(['lib/a.ts', 'lib/b/']);
  });
});

/** Whether a link of a file leads nowhere. */
function isBroken(file: string, path: string, anchor: string | undefined): boolean {
  const target = path === '' ? file : posix.join(posix.dirname(file), path);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
}

test.each(documents)('%s links only to files and headings that exist', (file) => {
  const broken = relativeLinks(read(file)).filter(({ path, anchor }) => isBroken(file, path, anchor));
  expect(broken).toEqual([]);
});

/** What neither the site nor the package has. */
const ofContributors = /^(?:CONTRIBUTING\.md|contributing|adapters|bench|policies|__tests__|lib|scripts|tools)\b/;

test.each(documents.filter(isOfUsers))('%s leads to no page of contributors', (file) => {
  const targets = relativeLinks(read(file)).map(({ path }) => posix.join(posix.dirname(file), path));
  expect(targets.filter((target) => ofContributors.test(target))).toEqual([]);
});

test('docs has a folder for each reason to come, and two pages to begin with', () => {
  const folders = ['concepts', 'guides', 'images', 'operate', 'reference', 'schools', 'security'];
  expect(readdirSync(join(root, 'docs')).sort()).toEqual([...folders, 'get-started.md', 'index.md'].sort());
});

// A security team asks for the tests; others have a package without them.
test.each(documents.filter((file) => isOfUsers(file) && !/^docs\/security\/|^SECURITY/.test(file)))(
  '%s names no file of the code or its tests',
  (file) => {
    expect(mentionedPaths(read(file)).filter((path) => ofContributors.test(path))).toEqual([]);
  },
);

test('comments and messages name only documents that exist', () => {
  const named = sourcesOf('lib', 'adapters', 'policies', 'examples').flatMap(({ path, text }) =>
    [...text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([document]) => ({ path, document })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ document }) => !existsSync(join(root, document)))).toEqual([]);
});

test.each(documents.filter((file) => file !== 'CHANGELOG.md'))('%s mentions only paths that exist', (file) => {
  // __tests__/THREATS.md names tests by their paths below __tests__.
  const folders = file === '__tests__/THREATS.md' ? [root, join(root, '__tests__')] : [root];
  const exists = (path: string): boolean => folders.some((folder) => existsSync(join(folder, path)));
  const missing = mentionedPaths(read(file)).filter((path) => !exists(path));
  expect(missing).toEqual([]);
});

test('`npm run pictures` draws every picture of the documentation, and each is shown', () => {
  const files = globSync('docs/images/*', { cwd: root }).map((file) => posix.basename(file.replaceAll('\\', '/')));
  const shown = documents.flatMap((document) => relativeLinks(read(document)).map(({ path }) => path));
  const names = shown.filter((path) => /\.(?:png|jpg)$/.test(path)).map((path) => posix.basename(path));
  const drawn = pictures.map(({ file }) => file).sort();
  expect(files.sort()).toEqual(drawn);
  expect([...new Set(names)].sort()).toEqual(drawn);
});

test('the pictures of the documentation are smaller than 80 kB', () => {
  const large = pictures.filter(({ file }) => statSync(join(root, 'docs/images', file)).size > 80_000);
  expect(large).toEqual([]);
});
