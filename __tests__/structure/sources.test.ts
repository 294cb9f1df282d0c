import { describe, expect, test } from '@jest/globals';
import { type Source, sourcesOf, withoutComments } from './sources.ts';

const published = sourcesOf('lib', 'adapters', 'policies');
const all = [...published, ...sourcesOf('examples', 'scripts')];

/** The lines that match, as `path:line text`. */
function linesOf(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : [])),
  );
}

/** Exported declarations without a TSDoc block directly above. */
function undocumented({ path, text }: Source): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const isDeclaration = /^export (?!\{|\*|type \{)/.test(line);
    return isDeclaration && !endsTsDoc(lines, i - 1) ? [`${path}:${i + 1} ${line}`] : [];
  });
}

function endsTsDoc(lines: readonly string[], end: number): boolean {
  if (lines[end]?.trimEnd().endsWith('*/') !== true) return false;
  const start = lines.slice(0, end + 1).findLastIndex((line) => line.trimStart().startsWith('/*'));
  return lines[start]?.startsWith('/**') === true;
}

describe('the reader of TSDoc', () => {
  const documented = '/** Says it. */\nexport const a = 1;\n/**\n * Says it.\n */\nexport function b(): void {}\n';
  const bare =
    '// Says it.\nexport const a = 1;\n/** Too far. */\n\nexport type B = 1;\n/* Not it. */\nexport class C {}\n';

  test('takes a block that ends on the line above, and nothing else', () => {
    expect(undocumented({ path: 'a.ts', text: documented })).toEqual([]);
    expect(undocumented({ path: 'a.ts', text: bare })).toHaveLength(3);
  });

  test('asks nothing of a re-export', () => {
    const text = "export { a } from './a.ts';\nexport type { B } from './b.ts';\n";
    expect(undocumented({ path: 'index.ts', text })).toEqual([]);
  });
});

test('there are sources to look at', () => {
  expect(published.length).toBeGreaterThan(50);
});

test('no file of lib, adapters or policies is longer than 200 lines', () => {
  const lengths = published.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  expect(lengths.filter(({ lines }) => lines > 200)).toEqual([]);
});

test('no file has a default export', () => {
  expect(linesOf(published, /^export default\b|\bas default\b/)).toEqual([]);
});

test('no file re-exports everything of another', () => {
  expect(linesOf(published, /^export \*/)).toEqual([]);
});

test('no type is any', () => {
  const code = published.map(({ path, text }) => ({ path, text: withoutComments(text) }));
  expect(linesOf(code, /(?:[:<|&,(=]\s*|\bas |\bextends |=> )any\b(?!\s+\w)/)).toEqual([]);
});

test('nothing is left to be done', () => {
  expect(linesOf(all, /\b(?:TODO|FIXME|XXX|HACK)\b/)).toEqual([]);
});

test('no file names a path of the machine it was written on', () => {
  expect(linesOf(all, /(?<![\w.}])\/(?:home|Users|root|work|mnt|opt|usr|var|tmp)\/|\b[A-Z]:\\/)).toEqual([]);
});

test('every export of lib, adapters and policies says what it is', () => {
  expect(published.flatMap(undocumented)).toEqual([]);
});
