import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { documents } from './documents.ts';
import { markdownPassages, sourcePassages } from './prose.ts';
import { problemsIn, rules } from './prose-rules.ts';
import { sourcesOf } from './sources.ts';

const root = join(import.meta.dirname, '../..');

/** All but the one that quotes the specification. */
const written = documents.filter((path) => path !== '__tests__/SPECIFICATION.md');

/** The changelog of a released version stays as it was. */
function read(path: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  return path === 'CHANGELOG.md' ? (text.split(/^## (?!Unreleased)/m)[0] ?? '') : text;
}

describe('the rules', () => {
  const found = (text: string) => markdownPassages({ path: 'a.md', text }).flatMap(problemsIn);

  test.each(rules)('$why: $example', ({ pattern, example, better }) => {
    expect(example).toMatch(pattern);
    expect(found(better)).toEqual([]);
  });

  test('read paragraphs, list items and cells of Markdown, without code', () => {
    const text = 'One\nor two\nis, too.\n\n- Of three\n\n```\nanew\n```\n| `anew` | Of four |\n';
    expect(found(text)).toEqual([
      'a.md:3 “, too”: no comma before “too”',
      'a.md:5 “- Of”: inverted: begin with the subject',
      'a.md:10 “Of”: inverted: begin with the subject',
    ]);
  });

  test('read comments and messages of sources, without code', () => {
    const text =
      "/**\n * One\n * or two, too.\n */\nconst anew = 'it is anew'; // Of `anew`\n// it\n// is told\nconst b = `one ${anew} is\ntold`;\n";
    const places = sourcePassages({ path: 'a.ts', text }).flatMap(problemsIn);
    expect(places.map((place) => place.split(':')[1]?.split(' “')[0])).toEqual(['3', '5', '5', '7', '8']);
  });
});

test.each(written)('%s is in plain English', (path) => {
  expect(markdownPassages({ path, text: read(path) }).flatMap(problemsIn)).toEqual([]);
});

test('comments and messages of lib, adapters and policies are in plain English', () => {
  const sources = sourcesOf('lib', 'adapters', 'policies');
  expect(sources.flatMap(sourcePassages).flatMap(problemsIn)).toEqual([]);
});
