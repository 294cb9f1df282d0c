import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { scopeCatalogue } from '../../lib/index.ts';
import { commentsOf } from '../../scripts/reference/comment-text.ts';
import { type Option, optionSections } from '../../scripts/reference/options.ts';
import { referencePages } from '../../scripts/reference/pages.ts';
import { type Declaration, type PublicApi, readPublicApi } from '../../scripts/reference/public-api.ts';
import { ReflectionKind } from '../../tools/docs/json.ts';

// TypeDoc compiles the declarations.
jest.setTimeout(120_000);

const root = join(import.meta.dirname, '../..');

function isPage(path: string): boolean {
  return path.endsWith('.md');
}

let api: PublicApi;
let declarations: readonly Declaration[];
let options: readonly Option[];
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  api = await readPublicApi();
  declarations = [...new Set([...api.entryPoints.flatMap((entry) => entry.exports), ...api.reached])];
  options = optionSections(api).flatMap((section) => section.options);
  pages = await referencePages(api);
});

describe('docs/reference', () => {
  test('is what `npm run reference` writes: a change of a public type is seen in its diff', () => {
    const written = [...pages.keys()].map((file) => [file, readFileSync(join(root, file), 'utf8')]);
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(pages));
  });

  test('has no other page', () => {
    expect([...pages.keys()].sort()).toEqual(globSync('docs/reference/**', { cwd: root }).filter(isPage).sort());
  });
});

describe('the public API', () => {
  test('has every value that an entry point exports', async () => {
    const isValue = ({ kind }: Declaration): boolean =>
      [ReflectionKind.Function, ReflectionKind.Variable, ReflectionKind.Class].includes(kind);
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const files = Object.values<{ default?: string }>(exports).flatMap((entry) => entry.default ?? []);
    const imported = await Promise.all(files.map(async (file) => Object.keys(await import(join(root, file))).sort()));
    const read = api.entryPoints.map((entry) => entry.exports.filter(isValue).map(({ name }) => name));
    expect(read.map((names) => names.sort())).toEqual(imported);
  });

  test('has TSDoc on every export, and on every type that exports lead to', () => {
    expect(declarations.length).toBeGreaterThan(200);
    const isSilent = (each: Declaration): boolean => commentsOf(each).every(({ summary }) => summary === '');
    expect(declarations.filter(isSilent).map(({ name }) => name)).toEqual([]);
  });

  test('has one declaration of each name', () => {
    const names = declarations.map(({ name }) => name);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

describe('the reference of options', () => {
  test('has a meaning in TSDoc for every option, and no type "any"', () => {
    expect(options.length).toBeGreaterThan(60);
    expect(options.filter(({ type, meaning }) => type === 'any' || meaning === '')).toEqual([]);
  });

  test('has the `@default` of TSDoc as it is in the schema, or as words', () => {
    const plain = (text: string): string => text.replace(/ \(.*\)$/, '').replaceAll(/['"\s]/g, '');
    const wrong = options.flatMap(({ path, isGroup, standard, saidStandard = '' }) => {
      if (standard === undefined) return /^(?:['"\d[{]|true|false)/.test(saidStandard) ? [{ path, saidStandard }] : [];
      const expected = JSON.stringify(standard);
      return isGroup || plain(saidStandard) === plain(expected) ? [] : [{ path, saidStandard, expected }];
    });
    expect(wrong).toEqual([]);
  });

  test('has every scope and who may have it', () => {
    const [, scopes = ''] = (pages.get('docs/reference/options.md') ?? '').split('\n## Scopes\n');
    expect(scopes.match(/^### /gm)).toHaveLength(scopeCatalogue.length);
    expect(scopes).toContain('### `account:read`\n\nmember\n');
  });
});
