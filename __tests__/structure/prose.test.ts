import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { documentFigures } from '../../scripts/document-figures.ts';
import { documents, isOfUsers } from './documents.ts';
import { markdownPassages, sourcePassages } from './prose.ts';
import { problemsIn, rules, userRules } from './prose-rules.ts';
import { sourcesOf } from './sources.ts';

const root = join(import.meta.dirname, '../..');

/** All but the one that quotes the specification. */
const written = documents.filter((path) => path !== '__tests__/SPECIFICATION.md');

/** The changelog of a released version stays as it was. */
function read(path: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  return path === 'CHANGELOG.md' ? (text.split(/^## (?!Unreleased)/m)[0] ?? '') : text;
}

test('the figures of documents count words of sentences, cells and headings, without code', () => {
  const text =
    '# A page\n\n## One heading\n\nTwo words here. Nobody is `here` now.\n\n```ts\nconst a = 1;\n```\n\n| a cell | two |\n| --- | --- |\n';
  expect(documentFigures([text])).toEqual({
    words: 14,
    'percent of words in cells': 21,
    'words in a paragraph': 7,
    'words in a sentence': 3.5,
    'words for each heading': 14,
    'nothing, nobody, none in 10,000 words': 714,
  });
});

describe('the rules', () => {
  const found = (text: string, broken = rules) =>
    markdownPassages({ path: 'a.md', text }).flatMap((passage) => problemsIn(passage, broken));

  test.each([...rules, ...userRules])('$why: $example', (rule) => {
    expect(found(rule.example, [rule])).not.toEqual([]);
    expect(found(rule.better, [...rules, ...userRules])).toEqual([]);
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
      "/**\n * One\n * or two, too.\n */\nconst anew = 'it is anew'; // Of `anew`\n// it\n// is anew\nconst b = `one ${anew} is\nanew`;\n";
    const places = sourcePassages({ path: 'a.ts', text }).flatMap((passage) => problemsIn(passage));
    expect(places.map((place) => place.split(':')[1]?.split(' “')[0])).toEqual(['3', '5', '5', '7', '9']);
  });
});

test.each(written)('%s is in plain English', (path) => {
  const broken = isOfUsers(path) ? [...rules, ...userRules] : rules;
  const passages = markdownPassages({ path, text: read(path) });
  expect(passages.flatMap((passage) => problemsIn(passage, broken))).toEqual([]);
});

test('comments and messages of lib, adapters and policies are in plain English', () => {
  const sources = sourcesOf('lib', 'adapters', 'policies');
  const passages = sources.flatMap(sourcePassages);
  expect(passages.flatMap((passage) => problemsIn(passage))).toEqual([]);
});

/** What is in italics, which names a page, a button or another part of the interface; other products are in bold. */
function labelsIn(text: string): string[] {
  return markdownPassages({ path: '', text }).flatMap((passage) =>
    [...passage.text.matchAll(/(?<![\w*_])_([^_]+)_(?!\w)/g)].flatMap(([, label = '']) =>
      label.replaceAll(/\s+/g, ' ').split(' ▸ '),
    ),
  );
}

describe('what documents call the parts of pages', () => {
  const files = globSync(['lib/i18n/en.json', 'lib/features/*/en.json'], { cwd: root });
  const texts = files.flatMap((file) => Object.values<string>(JSON.parse(readFileSync(join(root, file), 'utf8'))));
  // A label may leave out what comes after a colon; a name in it is an example: “Connect Claude” for “Connect {client}”.
  const patterns = texts
    .flatMap((text) => [text, text.split(':', 1)[0] ?? ''])
    .map((text) => {
      const escaped = text.replaceAll(/[\\^$.*+?()[\]|]/g, '\\$&');
      return `^${escaped.replaceAll(/\{\w+\}/g, '.+').replaceAll(/[{}]/g, '\\$&')}$`;
    });
  const shown = patterns.filter((pattern) => /[a-z]{2}/i.test(pattern)).map((pattern) => new RegExp(pattern));
  const isShown = (label: string): boolean => shown.some((pattern) => pattern.test(label));

  test('the reader of labels finds italics, also over two lines, and neither bold text nor code', () => {
    const text = 'Open _Apps_, then\n_Connect\nClaude_. **_not_**, `_this_`, snake_case_name, [_New ▸ Copy_](a_b_c.md)';
    expect(labelsIn(text)).toEqual(['Apps', 'Connect Claude', 'New', 'Copy']);
    expect(['Your apps', 'Connect Claude', 'Connected apps'].map(isShown)).toEqual([true, true, false]);
  });

  test.each(written)('%s calls them as the pages do', (path) => {
    expect(labelsIn(read(path)).filter((label) => !isShown(label))).toEqual([]);
  });
});
