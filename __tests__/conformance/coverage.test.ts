import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { coverage, coverageFile, headingOf } from './coverage.ts';
import { rows } from './rows/index.ts';

test('every row id is four hex digits', () => {
  expect(rows.map(({ id }) => id).filter((id) => !/^[\da-f]{4}$/.test(id))).toEqual([]);
});

test('every row id is unique', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
});

test('every sentence begins with MUST, SHOULD or MAY and belongs to a heading of the specification', () => {
  const wrong = rows.filter((row) => !/^(MUST|SHOULD|MAY)( NOT)? \S/.test(row.sentence) || headingOf(row) < 0);
  expect(wrong).toEqual([]);
});

test('no section or sentence contains a pipe or line break', () => {
  expect(rows.filter(({ section, sentence }) => /[|\n]/.test(section + sentence))).toEqual([]);
});

test(`${coverageFile} is up to date (npm run spec-coverage)`, () => {
  expect(readFileSync(coverageFile, 'utf8')).toBe(coverage());
});
