import { expect, test } from '@jest/globals';
import { takeRandom } from '../../lib/kernel/crypto.ts';

test('each is as long as asked, and none comes twice, also beyond the end of the stock', () => {
  const taken = Array.from({ length: 1000 }, () => takeRandom(17));
  expect(taken.every(({ length }) => length === 17)).toBe(true);
  expect(new Set(taken.map((bytes) => bytes.toString('hex'))).size).toBe(1000);
  // What was taken is the caller's: the stock that goes on does not change it.
  const [first = Buffer.alloc(0)] = taken;
  const before = first.toString('hex');
  for (let i = 0; i < 10; i += 1) takeRandom(4096);
  expect(first.toString('hex')).toBe(before);
});

test('no byte is more likely than others', () => {
  const counts = new Uint32Array(256);
  for (let i = 0; i < 1000; i += 1) for (const byte of takeRandom(100)) counts[byte] = (counts[byte] ?? 0) + 1;
  // 100,000 bytes: 391 of each, and the chance of a deviation by 10 standard deviations is nil.
  expect(Math.min(...counts)).toBeGreaterThan(391 - 198);
  expect(Math.max(...counts)).toBeLessThan(391 + 198);
});

test('more than the stock has is refused, not cut short', () => {
  expect(() => takeRandom(4097)).toThrow(new RangeError('4097 random bytes at once; at most 4096'));
});
