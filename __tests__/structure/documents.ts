import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The documents of users, which the site shows and the package has: `docs`, and what is at the root. */
const ofUsers = ['*.md', 'docs/**/*.md'];

/** Those of contributors, which are next to what they are about. */
const ofContributors = ['contributing/**/*.md', 'adapters/README.md', 'bench/*.md', '__tests__/*.md'];

/** Every document but the report of the public API, which is generated code, by its path below the repository. */
export const documents: readonly string[] = globSync([...ofUsers, ...ofContributors], { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path !== 'docs/reference/api.md')
  .sort();

/** Documents for people who use the package, not for those who change it. */
export const isOfUsers = (path: string): boolean => /^docs\/|^(?:README|SECURITY)\.md$/.test(path);
