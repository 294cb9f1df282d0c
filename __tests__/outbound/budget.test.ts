import { describe, expect, test } from '@jest/globals';
import { createDocumentBudget, type DocumentBudget } from '../../lib/core/outbound/budget.ts';

const slowDown = expect.objectContaining({ error: 'slow_down', status: 429 });

/** How many of so many fetches are allowed. */
function allowed(budget: DocumentBudget, times: number, fetchOf: (i: number) => [string, string, boolean]): number {
  let count = 0;
  for (let i = 0; i < times; i += 1) {
    const [siteId, host, used] = fetchOf(i);
    try {
      budget.consumeQuota({ siteId, host, used });
      count += 1;
    } catch (error) {
      expect(error).toEqual(slowDown);
    }
  }
  return count;
}

describe('createDocumentBudget(limits, now)', () => {
  test('allows a school 60 fetches from a host; another school has its own', () => {
    const budget = createDocumentBudget({}, () => 0);
    expect(allowed(budget, 100, () => ['harbour', 'a.example', true])).toBe(60);
    expect(allowed(budget, 100, () => ['harbour', 'b.example', true])).toBe(60);
    expect(allowed(budget, 100, () => ['summit', 'a.example', true])).toBe(60);
  });

  test('allows 240 fetches from a host, however many the schools, and 600 in total', () => {
    const budget = createDocumentBudget({}, () => 0);
    expect(allowed(budget, 1000, (i) => [`site-${i}`, 'a.example', true])).toBe(240);
    expect(allowed(budget, 10_000, (i) => [`site-${i}`, `${i}.example`, true])).toBe(360);
  });

  test('allows a school 120 fetches, which is less than the reserve of the total', () => {
    const budget = createDocumentBudget({}, () => 0);
    expect(allowed(budget, 1000, (i) => ['harbour', `${i}.example`, false])).toBe(90);
    expect(allowed(budget, 1000, (i) => ['harbour', `${i}.example`, true])).toBe(30);
    expect(allowed(budget, 1000, (i) => ['harbour ', `${i}.example`, false])).toBe(90);
    expect(allowed(budget, 10_000, (i) => [`site-${i}`, `${i}.example`, false])).toBe(450 - 120 - 90);
    expect(allowed(budget, 1000, (i) => ['summit', `${i}.example`, true])).toBe(120);
    expect(allowed(budget, 1000, (i) => ['third', `${i}.example`, true])).toBe(30);
  });

  test('a school whose id is the name of a host has its own counters', () => {
    const budget = createDocumentBudget({ perHost: 1 }, () => 0);
    expect(allowed(budget, 2, () => ['b.example', 'a.example', true])).toBe(1);
    expect(allowed(budget, 2, () => ['harbour', 'b.example', true])).toBe(1);
  });

  test('leaves a quarter of each to used documents', () => {
    const budget = createDocumentBudget({}, () => 0);
    expect(allowed(budget, 100, () => ['harbour', 'a.example', false])).toBe(45);
    expect(allowed(budget, 100, () => ['harbour', 'a.example', true])).toBe(15);
    expect(allowed(budget, 1000, (i) => [`site-${i}`, 'a.example', false])).toBe(120);
    expect(allowed(budget, 1000, (i) => [`site-${i}`, 'a.example', true])).toBe(60);
    expect(allowed(budget, 1000, (i) => [`site-${i}`, `${i}.example`, false])).toBe(210);
    expect(allowed(budget, 1000, (i) => [`site-${i}`, `${i}.example`, true])).toBe(150);
  });

  test('resets every minute, and Retry-After says when', () => {
    let now = 500;
    const budget = createDocumentBudget({ perHost: 1 }, () => now);
    const consume = () => budget.consumeQuota({ siteId: 'harbour', host: 'a.example', used: true });
    consume();
    now = 60_499;
    expect(consume).toThrow(expect.objectContaining({ headers: { 'Retry-After': '1' } }));
    now = 60_500;
    consume();
    expect(consume).toThrow(expect.objectContaining({ headers: { 'Retry-After': '60' } }));
  });
});
