import { describe, expect, test } from '@jest/globals';
import { createDocumentBudget } from '../../lib/metadata-documents/budget.ts';

describe('createDocumentBudget(limits, now)', () => {
  test('allows 60 fetches per host and 600 in total by default', () => {
    const budget = createDocumentBudget({}, () => 0);
    for (let i = 0; i < 60; i += 1) budget.consumeQuota('a.example');
    expect(() => budget.consumeQuota('a.example')).toThrow(
      expect.objectContaining({ error: 'slow_down', status: 429 }),
    );
    for (let i = 0; i < 540; i += 1) budget.consumeQuota(`${i}.example`);
    expect(() => budget.consumeQuota('b.example')).toThrow('too many metadata documents');
  });

  test('resets every minute, and Retry-After says when', () => {
    let now = 59_500;
    const budget = createDocumentBudget({ perHost: 1 }, () => now);
    budget.consumeQuota('a.example');
    expect(() => budget.consumeQuota('a.example')).toThrow(
      expect.objectContaining({ headers: { 'Retry-After': '1' } }),
    );
    now = 60_000;
    budget.consumeQuota('a.example');
    expect(() => budget.consumeQuota('a.example')).toThrow(
      expect.objectContaining({ headers: { 'Retry-After': '60' } }),
    );
  });

  test('many hosts together get the total and no more', () => {
    const budget = createDocumentBudget({ total: 5 }, () => 0);
    let fetched = 0;
    for (let i = 0; i < 10_000; i += 1) {
      try {
        budget.consumeQuota(`${i}.example`);
        fetched += 1;
      } catch {
        // Over budget.
      }
    }
    expect(fetched).toBe(5);
  });
});
