import { describe, expect, test } from '@jest/globals';
import { type Source, sourcesOf, withoutComments } from './sources.ts';
import { functionsOf } from './sources-functions.ts';

const published = sourcesOf('lib', 'adapters', 'policies');
const all = [...published, ...sourcesOf('examples', 'scripts')];

/** The lines that match, as `path:line text`. */
function linesOf(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : [])),
  );
}

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
