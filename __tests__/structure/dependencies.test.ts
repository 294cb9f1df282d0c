import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

/** The rows of the table under a heading: cells by column. */
function rowsUnder(heading: string): Record<string, string>[] {
  const [, section = ''] = read('docs/security/dependencies.md').split(`## ${heading}\n`);
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

/** The packages that some packages are, with all that they need, as `package-lock.json` has them. */
function packagesOf(names: readonly string[]): ReadonlySet<string> {
  const { packages }: { readonly packages: Record<string, { readonly dependencies?: object }> } = JSON.parse(
    read('package-lock.json'),
  );
  const found = new Set<string>();
  const add = (name: string, from: string): void => {
    // A package inside of the one that needs it comes before one beside it.
    const places = from.split('/node_modules/').map((_, i, all) => all.slice(0, all.length - i).join('/node_modules/'));
    const place = [
      ...places.filter(Boolean).map((each) => `${each}/node_modules/${name}`),
      `node_modules/${name}`,
    ].find((each) => packages[each]);
    if (place === undefined) throw new Error(`${name} is not in package-lock.json`);
    if (found.has(place)) return;
    found.add(place);
    for (const each of Object.keys(packages[place]?.dependencies ?? {})) add(each, place);
  };
  for (const name of names) add(name, '');
  return found;
}

test('docs/security/dependencies.md and README.md count the packages of an install', () => {
  const engine = packagesOf(['oidc-provider', 'koa', 'koa-compose']);
  const texts = packagesOf(['intl-messageformat']).size;
  const alone = ['zod', 'lru-cache', 'uqr'].map((name) => packagesOf([name]).size);
  const all = packagesOf(Object.keys(manifest.dependencies)).size + 1;
  const rows = [...read('docs/security/dependencies.md').matchAll(/^\| [^|]+ \| (\d+) +\|$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(rows).toEqual([engine.size, texts, alone.reduce((sum, count) => sum + count), 1]);
  expect(rows.reduce((sum, count) => sum + count)).toBe(all);
  expect(read('docs/security/dependencies.md')).toContain(`with Koa are ${all} packages in all`);
  expect(read('README.md')).toMatch(new RegExp(`^\\| \`npm install campus-oidc koa\` +\\| ${all} `, 'm'));
});

describe.each<[string, Record<string, string>]>([
  ['Production dependencies', manifest.dependencies],
  ['Peer dependencies', manifest.peerDependencies],
])('docs/security/dependencies.md, %s', (heading, declared) => {
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
