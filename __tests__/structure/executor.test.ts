import { expect, test } from '@jest/globals';
import { importsOf, sourcesOf } from './sources.ts';

const folder = 'lib/member/executor/';

const sources = sourcesOf('lib', '__tests__');

test('the executor imports graphql and Node, and nothing else of the house', () => {
  const files = sources.filter(({ path }) => path.startsWith(folder));
  expect(files.length).toBeGreaterThan(0);
  const imported = files.flatMap((file) => importsOf(file).map((to) => `${file.path} -> ${to}`));
  const isAllowed = (line: string): boolean =>
    / -> (?:graphql|node:[\w/]+|lib\/member\/executor\/[\w-]+\.ts)$/.test(line);
  expect(imported.filter((line) => !isAllowed(line))).toEqual([]);
});

test('the house and its tests enter the executor by its door', () => {
  const outside = sources.filter(({ path }) => !path.startsWith(folder));
  const doors = outside.flatMap(importsOf).filter((to) => to.startsWith(folder));
  expect([...new Set(doors)]).toEqual([`${folder}execute.ts`]);
});
