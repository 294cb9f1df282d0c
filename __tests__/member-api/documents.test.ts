import { expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { createQueryCache } from '../../lib/member/preparation/query-cache.ts';

const mebibyte = 1024 * 1024;

/** How many of these texts are parsed again when they come a second time, the newest first. */
function forgotten(texts: readonly string[]): number {
  let parsed = 0;
  const prepare = createQueryCache({
    parse: (query) => {
      parsed += 1;
      return parse(query);
    },
    validate: () => [],
    compile: () => () => ({}),
  });
  for (const text of texts) prepare(text);
  parsed = 0;
  for (const text of texts.toReversed()) prepare(text);
  return parsed;
}

test('what clients send again and again is kept', () => {
  expect(forgotten(Array.from({ length: 1000 }, (_, i) => `query Q${i} { viewer { id name } }`))).toBe(0);
});

test.each<[string, number, (i: number) => string]>([
  ['tokens', 120, (i) => `query Q${i} { viewer { ${'id '.repeat(1900)} } }`],
  ['a comment', 800, (i) => `{ viewer { id } } # ${i} ${'x'.repeat(60_000)}`],
  ['a long text', 800, (i) => `{ viewer { id(a: "${i} ${'x'.repeat(60_000)}") } }`],
])('what has %s fills 64 MiB at most', (_what, length, text) => {
  const texts = Array.from({ length }, (_, i) => text(i));
  const kept = texts.length - forgotten(texts);
  expect(kept).toBeGreaterThan(10);
  expect(kept).toBeLessThan(length);
  // Two bytes a character, and 600 a token at least.
  const size = Math.max(2 * (texts[0]?.length ?? 0), (texts[0]?.startsWith('query') ? 1900 : 0) * 600);
  expect(kept * size).toBeLessThanOrEqual(64 * mebibyte);
});
