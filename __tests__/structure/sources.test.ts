import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Source, sourcesOf, withoutComments } from './sources.ts';
import { publicExports } from './sources-exports.ts';
import { functionsOf } from './sources-functions.ts';

const published = sourcesOf('lib', 'adapters', 'policies');
const all = [...published, ...sourcesOf('examples', 'scripts')];

/** The entry points: the sources of the types that the package's exports map names. */
function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const types = Object.values<{ types?: string }>(exports).flatMap((entry) => entry.types ?? []);
  return types.map((path) => path.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts'));
}

/** The lines that match, as `path:line text`. */
function linesOf(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : [])),
  );
}

describe('the reader of public exports', () => {
  const problems = (...files: readonly [path: string, text: string][]) =>
    publicExports(
      files.map(([path, text]) => ({ path, text })),
      ['lib/index.ts'],
    );

  test('accepts a TSDoc block that ends on the line above, and nothing else', () => {
    const documented = '/** A. */\nexport const a = 1;\n/**\n * B.\n */\nexport async function b(): Promise<void> {}\n';
    const bare =
      '// C.\nexport type C = 1;\n/** Too far. */\n\nexport interface D {}\n/* Not it. */\nexport class E {}\n';
    expect(problems(['lib/index.ts', documented + bare])).toEqual([
      { place: 'lib/index.ts:2 a' },
      { place: 'lib/index.ts:6 b' },
      { place: 'lib/index.ts:8 C', problem: 'no TSDoc' },
      { place: 'lib/index.ts:11 D', problem: 'no TSDoc' },
      { place: 'lib/index.ts:13 E', problem: 'no TSDoc' },
    ]);
  });

  test('follows re-exports, renamed and imported names to the declaration', () => {
    expect(
      problems(
        ['lib/index.ts', "import { c } from './c.ts';\nexport { type A as B, d } from './a/a.ts';\nexport { c };\n"],
        ['lib/a/a.ts', "export { d } from '../d.ts';\nexport type A = 1;\ntype AB = 2;\n"],
        ['lib/c.ts', '/** C. */\nfunction inner(): void {}\nexport { inner as c };\n'],
        ['lib/d.ts', '/** D. */\nexport const d = 1;\nexport const hidden = 2;\n'],
      ),
    ).toEqual([
      { place: 'lib/a/a.ts:2 A', problem: 'no TSDoc' },
      { place: 'lib/d.ts:2 d' },
      { place: 'lib/c.ts:2 inner' },
    ]);
  });

  test('reports an export without a declaration, and an entry point without a file', () => {
    const text = "export { a } from './gone.ts';\nexport { b } from 'koa';\n";
    expect(problems(['lib/index.ts', text]).map(({ problem }) => problem)).toEqual([
      'no declaration',
      'no declaration',
    ]);
    expect(problems(['lib/other.ts', ''])).toEqual([{ place: 'lib/index.ts', problem: 'no declaration' }]);
  });
});

describe('the reader of functions', () => {
  const spans = (text: string) => functionsOf({ path: 'a.ts', text });

  test.each([
    ['function a(): void {\n}\n', [{ line: 1, lines: 2 }]],
    ['function a(\n  b: { c: string },\n): { d: 1 } {\n  return { d: 1 };\n}\n', [{ line: 1, lines: 5 }]],
    ['const a = async (b: string): Promise<void> => {\n  await b;\n};\n', [{ line: 1, lines: 3 }]],
    [
      'const a = (b) => ({\n  b,\n});\nconst c = d\n  .map((e) => e)\n',
      [
        { line: 1, lines: 3 },
        { line: 5, lines: 1 },
      ],
    ],
    ['class A {\n  b(): void {\n    if (1) {\n    } else {\n    }\n  }\n}\n', [{ line: 2, lines: 5 }]],
    ['for await (const a of b) {\n}\ntry {\n} catch (c) {\n}\nwhile (d) {\n}\n', []],
    ["const a = /[{'\"`]/.test(b);\nfunction c() {\n  return '{' + `{` + 4 / 2; // {\n}\n", [{ line: 2, lines: 3 }]],
    ['function a() {\n  return `one {\n  two\n  three ${b({ c: 1 })}\n  four`;\n}\n', [{ line: 1, lines: 3 }]],
    ['const a = `${b.map((c) => {\n  return `${c}\n`;\n})}`;\n', [{ line: 1, lines: 3 }]],
  ])('reads %j', (text, expected) => {
    expect(spans(text)).toEqual(expected);
  });
});

test('there are sources to check', () => {
  expect(published.length).toBeGreaterThan(50);
  expect(publicExports(published, entryPoints()).length).toBeGreaterThan(100);
});

test('the scopes of the specification are handed down, not imported', () => {
  const importing = published.filter(({ text }) =>
    /import[^;]*\bscopeCatalogue\b[^;]*(?:core\/scopes\/|\.\/|\/)scopes\.ts'/.test(text),
  );
  expect(importing.map(({ path }) => path)).toEqual([
    'lib/i18n/texts.ts',
    'lib/options/scopes.ts',
    'policies/client-metadata.ts',
  ]);
});

test('no file has a default export', () => {
  expect(linesOf(published, /^export default\b|\bas default\b/)).toEqual([]);
});

test('no file re-exports everything of another', () => {
  expect(linesOf(published, /^export \*/)).toEqual([]);
});

test('every property test takes its seed and its number of cases from cases()', () => {
  const tests = sourcesOf('__tests__').filter(({ text }) => /^import .*'fast-check'/m.test(text));
  expect(tests.length).toBeGreaterThan(0);
  for (const { path, text } of tests)
    expect([path, text.match(/\bcases\(/g)?.length]).toEqual([path, text.match(/\bfc\.assert\(/g)?.length]);
});

test('no type is any', () => {
  const code = published.map(({ path, text }) => ({ path, text: withoutComments(text) }));
  expect(linesOf(code, /(?:[:<|&,(=]\s*|\bas |\bextends |=> )any\b(?!\s+\w)/)).toEqual([]);
});

test('no file has a TODO, FIXME, XXX or HACK comment', () => {
  expect(linesOf(all, /\b(?:TODO|FIXME|XXX|HACK)\b/)).toEqual([]);
});

test('no file contains an absolute path of a machine', () => {
  const withoutShebang = all.map(({ path, text }) => ({ path, text: text.replace(/^#!\/usr\/bin\/env node$/m, '') }));
  expect(linesOf(withoutShebang, /(?<![\w.}])\/(?:home|Users|root|work|mnt|opt|usr|var|tmp)\/|\b[A-Z]:\\/)).toEqual([]);
});

test('every export that users of the package can reach has TSDoc', () => {
  expect(publicExports(published, entryPoints()).filter(({ problem }) => problem !== undefined)).toEqual([]);
});
