import { describe, expect, test } from '@jest/globals';
import { allScopes, catalogue, defaultScopes, isScope, scopeRow, splitScope } from '../../lib/scopes.ts';

describe('catalogue', () => {
  test('has 38 scopes, each once, each with an area and plain words', () => {
    expect(catalogue).toHaveLength(38);
    expect(new Set(allScopes).size).toBe(38);
    for (const { area, text } of catalogue) {
      expect(area).not.toBe('');
      expect(text).toMatch(/^[a-z].{8,}[^.]$/);
    }
  });

  test('says of each scope what its name says', () => {
    for (const { scope, access } of catalogue) {
      const suffix = scope.split(':')[1] ?? 'identity';
      expect(access).toBe(suffix);
    }
  });

  test('reserves account:read alone for member clients', () => {
    expect(allScopes.filter((scope) => scopeRow(scope)?.memberOnly)).toEqual(['account:read']);
  });
});

test('isScope knows the catalogue and nothing else', () => {
  expect(defaultScopes.every(isScope)).toBe(true);
  for (const foreign of ['', 'all', 'offline_access', 'courses', 'Courses:read', '__proto__'])
    expect(isScope(foreign)).toBe(false);
});

test('splitScope takes spaces as they come', () => {
  expect(splitScope(' openid  email ')).toEqual(['openid', 'email']);
  expect(splitScope(undefined)).toEqual([]);
});
