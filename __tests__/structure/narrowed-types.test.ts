import { expect, test } from '@jest/globals';
import { narrowedTypes } from './narrowed-types.ts';

const declared = 'interface Cache { find(): void; readonly name: string }\n';

test.each([
  ['function read(cache: Pick<Cache, "find">): void {}', 1, 0],
  ['export interface Named extends Omit<Cache, "find"> {}', 1, 0],
  ["interface Part {\n  readonly find: Cache['find'];\n}", 0, 1],
  ["function open({ find }: Cache['find'] | undefined): Cache['name'] {}", 0, 2],
  ["const find: Cache['find'] = () => undefined;", 0, 0],
  ["const find: NonNullable<Cache['find']> = () => undefined;", 0, 0],
  ["const policy: Configuration['policy'] = {}; type Policy = Configuration['policy'];", 0, 0],
  ["type Part<T, K extends keyof T> = Pick<T, K>;\nfunction read(cache: Part<Cache, 'find'>): void {}", 1, 1],
  ["// Pick<Cache, 'find'>", 0, 0],
])('%s', (text, picks, standIns) => {
  expect(narrowedTypes([{ path: 'lib/cache.ts', text: declared + text }])).toEqual({ picks, standIns });
});
