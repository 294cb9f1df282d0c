import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

interface Entry {
  readonly name: string;
  readonly versions: string | undefined;
  readonly licence: string;
}

/** The entries of the list under a heading, each with the size, what its import costs, its licence and a reason. */
function entriesUnder(heading: string): Entry[] {
  const [, section = ''] = read('docs/security/dependencies.md').split(`## ${heading}\n`);
  const entry = /^- \*\*`([^`]+)`\*\*(?: `([^`]+)`)? \((?:< )?\d+\.\d MB, (?:\d+ ms|none), ([\w.-]+)\): .{15,}$/gm;
  const list = section.split('\n## ')[0] ?? '';
  return [...list.matchAll(entry)].map(([, name = '', versions, licence = '']) => ({ name, versions, licence }));
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
  const rows = [...read('docs/security/dependencies.md').matchAll(/^- .*: (\d+) packages?$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(rows).toEqual([engine.size, texts, alone.reduce((sum, count) => sum + count), 1]);
  expect(rows.reduce((sum, count) => sum + count)).toBe(all);
  expect(read('docs/security/dependencies.md')).toContain(`with Koa are ${all} packages in all`);
  expect(read('README.md').replaceAll(/\s+/g, ' ')).toContain(
    `\`npm install campus-oidc koa\` installs ${all} packages`,
  );
});

describe.each<[string, Record<string, string>]>([
  ['Production dependencies', manifest.dependencies],
  ['Peer dependencies', manifest.peerDependencies],
])('docs/security/dependencies.md, %s', (heading, declared) => {
  const entries = entriesUnder(heading);

  test('has an entry for each of package.json, and no other', () => {
    expect(entries.map(({ name }) => name).sort()).toEqual(Object.keys(declared).sort());
  });

  test('gives each the licence that it has', () => {
    const licences = entries.map(({ name }) => JSON.parse(read(`node_modules/${name}/package.json`)).license);
    expect(entries.map(({ licence }) => licence)).toEqual(licences);
  });

  test('gives the versions that package.json does', () => {
    const versions = entries.map(({ versions: given }) => given);
    if (heading === 'Peer dependencies') expect(versions).toEqual(entries.map(({ name }) => declared[name]));
  });
});
