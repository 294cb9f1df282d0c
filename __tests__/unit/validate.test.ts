import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { group, instance, list, methods, shown, whole } from '../../lib/kernel/option-schemas.ts';
import { pathText, readOptions } from '../../lib/kernel/validate.ts';

const count = whole('whole number', 1, 5);
const schema = group({
  name: z.string().optional(),
  count: count.default(3),
  rows: list(group({ count }), 'be an array of rows').prefault([]),
}).prefault({});

function read(value: unknown): unknown {
  return readOptions(schema, value, 'thing');
}

describe('readOptions', () => {
  test('completes with defaults and returns a frozen copy', () => {
    const given = { rows: [{ count: 1 }] };
    const settings = readOptions(schema, given, 'thing');
    expect(settings).toEqual({ count: 3, rows: [{ count: 1 }] });
    expect([settings, settings.rows, settings.rows[0]].every(Object.isFrozen)).toBe(true);
    expect([given, given.rows, given.rows[0]].some(Object.isFrozen)).toBe(false);
    expect(readOptions(schema, undefined, 'thing')).toEqual({ count: 3, rows: [] });
  });

  test.each<[unknown, string]>([
    [null, 'thing must be an object'],
    [[], 'thing must be an object'],
    [Symbol('x'), 'thing must be an object'],
    ['x', 'thing must be an object'],
    [{ name: 1 }, 'thing.name must be a string'],
    [{ name: null }, 'thing.name must be a string'],
    [{ name: Symbol('x') }, 'thing.name must be a string'],
    [{ count: Symbol('x') }, 'thing.count must be a whole number, at least 1 and at most 5'],
    [{ count: 0 }, 'thing.count must be a whole number, at least 1 and at most 5'],
    [{ count: 6 }, 'thing.count must be a whole number, at least 1 and at most 5'],
    [{ count: 1.5 }, 'thing.count must be a whole number, at least 1 and at most 5'],
    [{ count: Number.NaN }, 'thing.count must be a whole number, at least 1 and at most 5'],
    [{ count: Infinity }, 'thing.count must be a whole number, at least 1 and at most 5'],
    [{ rows: {} }, 'thing.rows must be an array of rows'],
    [{ rows: [{ count: 1 }, { count: 9 }] }, 'thing.rows[1].count must be a whole number, at least 1 and at most 5'],
    [{ colour: 1 }, 'unknown option "thing.colour"; valid options: name, count, rows'],
    [{ 'not-a-name': 1 }, 'unknown option "thing[\\"not-a-name\\"]"; valid options: name, count, rows'],
    [JSON.parse('{ "__proto__": 1 }'), 'unknown option "thing.__proto__"; valid options: name, count, rows'],
    [{ rows: [{ count: 1, colour: 1 }] }, 'unknown option "thing.rows[0].colour"; valid options: count'],
  ])('refuses %p', (value, message) => {
    expect(() => read(value)).toThrow(new TypeError(message));
  });

  test('takes an object without a prototype, and ignores symbols as keys', () => {
    expect(read(Object.assign(Object.create(null), { count: 2 }))).toEqual({ count: 2, rows: [] });
    expect(read({ [Symbol('x')]: 1 })).toEqual({ count: 3, rows: [] });
  });

  test('names the first of several wrong options', () => {
    expect(() => read({ rows: 'x', count: 0, name: 5 })).toThrow('thing.name must be a string');
    expect(() => read({ rows: 'x', count: 0 })).toThrow('thing.count must be');
  });

  test('names an unknown option before one that is missing or wrong, because it is often that one misspelt', () => {
    expect(() => read({ count: 0, nmae: 'x' })).toThrow('unknown option "thing.nmae"; did you mean "thing.name"?');
    expect(() => read({ rows: [{ cuont: 1 }] })).toThrow(
      'unknown option "thing.rows[0].cuont"; did you mean "thing.rows[0].count"?',
    );
  });

  test('a getter that throws is a TypeError with its cause', () => {
    const cause = new Error('the database is away');
    const broken = {
      get count(): number {
        throw cause;
      },
    };
    expect(() => read(broken)).toThrow(new TypeError('thing must be readable, but a getter threw an error', { cause }));
  });

  test('reads a getter once', () => {
    let reads = 0;
    const given = {
      get count() {
        reads += 1;
        return 2;
      },
    };
    expect([read(given), reads]).toEqual([{ count: 2, rows: [] }, 1]);
  });
});

test('an instance of a class is checked and returned as it is', () => {
  class Counter {
    #count = 1;
    next(): number {
      this.#count += 1;
      return this.#count;
    }
  }
  const counter = new Counter();
  const counters = instance<Counter>(methods(['next']), 'be a counter');
  expect(readOptions(counters, counter, 'counter')).toBe(counter);
  expect(Object.isFrozen(counter)).toBe(false);
  expect(() => readOptions(counters, {}, 'counter')).toThrow('counter.next must be a function');
  expect(() => readOptions(counters, null, 'counter')).toThrow('counter must be a counter');
});

test.each<[PropertyKey[], string]>([
  [[], 'options'],
  [['keys', 'signing', 0, 'alg'], 'options.keys.signing[0].alg'],
  [['texts', 'zh-Hant', 'consent.allow'], 'options.texts["zh-Hant"]["consent.allow"]'],
  [[Symbol('x')], 'options["Symbol(x)"]'],
])('the path %p is written as JavaScript writes it', (path, text) => {
  expect(pathText(path, 'options')).toBe(text);
});

test.each<[unknown, string]>([
  ['all', '"all"'],
  [undefined, 'undefined'],
  [5n, '5n'],
  [Symbol('x'), 'Symbol(x)'],
  [Object.create(null), '[Object: null prototype] {}'],
])('%p can be shown in a message', (value, text) => {
  expect(shown(value)).toBe(text);
});
