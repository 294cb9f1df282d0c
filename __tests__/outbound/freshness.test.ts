import { describe, expect, test } from '@jest/globals';
import { freshness } from '../../lib/core/outbound/read-document.ts';

describe('freshness(cacheControl, age)', () => {
  test.each<[string | undefined, string | undefined, number]>([
    [undefined, undefined, 300],
    ['', undefined, 300],
    ['public', undefined, 300],
    ['max-age=600', undefined, 600],
    ['public, max-age=600, must-revalidate', undefined, 600],
    ['Max-Age=600', undefined, 600],
    ['max-age="600"', undefined, 600],
    ['max-age=600', '100', 500],
    ['max-age=600', '600', 30],
    ['max-age=600', 'soon', 600],
    ['max-age=0', undefined, 30],
    ['max-age=29', undefined, 30],
    ['max-age=86400', undefined, 86_400],
    ['max-age=31536000', undefined, 86_400],
    ['max-age=99999999999999999999', undefined, 86_400],
    ['max-age=-1', undefined, 30],
    ['max-age=1e9', undefined, 30],
    ['max-age', undefined, 30],
    ['no-store', undefined, 30],
    ['no-cache, max-age=600', undefined, 30],
    ['x-max-age=600', undefined, 300],
  ])('Cache-Control: %j with Age: %j is cached for %d seconds', (cacheControl, age, seconds) => {
    expect(freshness(cacheControl, age)).toBe(seconds);
  });
});
