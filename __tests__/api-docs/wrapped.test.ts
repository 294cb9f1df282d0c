import { expect, test } from '@jest/globals';
import { wrapped } from '../../lib/describe/guide/wrapped.ts';

const words = (count: number, word = 'word'): string => Array.from({ length: count }, () => word).join(' ');

test('paragraphs are filled, up to 120 characters', () => {
  const lines = wrapped(`${words(3)}\n${words(40)}\nend`).split('\n');
  expect(lines.map((line) => line.length <= 120)).toEqual([true, true]);
  expect(lines.join(' ')).toBe(`${words(43)} end`);
});

test('list items stand alone, and their lines are indented', () => {
  const [first, second, third] = wrapped(`- ${words(30)}\n1. one`).split('\n');
  expect(first).toMatch(/^- word/);
  expect(second).toMatch(/^ {2}word/);
  expect(third).toBe('1. one');
});

test('what stands in backticks is not broken, and a lone backtick is kept', () => {
  const code = `\`${words(10)}\``;
  expect(wrapped(`${words(20)} ${code}`)).toBe(`${words(20)}\n${code}`);
  expect(wrapped('a lone ` here')).toBe('a lone ` here');
});

test('code, tables, headings and blank lines stay as they are', () => {
  const text = `# ${words(40)}\n\n\`\`\`sh\na  b\nc\n\`\`\`\n| ${words(40)} |\n| x |\n`;
  expect(wrapped(text)).toBe(text);
});
