import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { version } from '../../lib/kernel/version.ts';

const root = join(import.meta.dirname, '../..');

/** Major and minor version as one number. */
const rank = (text: string): number =>
  text.split('.').reduce((all, part, i) => (i < 2 ? all * 1000 + Number(part) : all), 0);

/** What is wrong with each `@deprecated` of a text: it says what to use, and the later version that no longer has the name. */
function wrongDeprecations(text: string): string[] {
  return [...text.matchAll(/@deprecated\b([^]*?)(?=\n *\* @|\*\/)/g)].flatMap(([tag, said = '']) => {
    const [, removed = '0.0'] =
      /\buse `[^`]+`; removed in (\d+\.\d+)\b/i.exec(said.replaceAll(/\s*\n\s*\*\s*/g, ' ')) ?? [];
    return rank(removed) > rank(version) ? [] : [tag];
  });
}

test('a deprecation says what to use instead and which later version removes the name', () => {
  expect(wrongDeprecations(`/** @deprecated Use \`status\`;\n * removed in 99.0 */`)).toEqual([]);
  expect(
    wrongDeprecations('/** @deprecated Use `status` */ /** @deprecated Use `status`; removed in 0.1 */'),
  ).toHaveLength(2);
  const files = globSync('{lib,adapters,policies}/**/*.ts', { cwd: root });
  expect(files.flatMap((file) => wrongDeprecations(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
