import { describe, expect, test } from '@jest/globals';
import { identityScopes, scopeCatalogue, splitScope } from '../../lib/core/scopes/scopes.ts';
import { allScopes, mayHave, standardScopes } from '../helpers/scopes.ts';

describe('catalogue', () => {
  test('has 38 scopes, each once, each with an area and plain words', () => {
    expect(scopeCatalogue).toHaveLength(38);
    expect(new Set(allScopes).size).toBe(38);
    for (const { area, text } of scopeCatalogue) {
      expect(area).not.toBe('');
      expect(text).toMatch(/^[A-Z].{8,}[^.]$/);
    }
  });

  test('says of each scope what its name says', () => {
    for (const { scope, access } of scopeCatalogue) {
      const suffix = scope.split(':')[1] ?? 'identity';
      expect(access).toBe(suffix);
    }
  });

  test('gives operator clients the Admin API, member clients an account, and both who a person is', () => {
    const personal = ['openid', 'profile', 'email'];
    const adminApi = allScopes.filter((scope) => !personal.includes(scope) && !scope.startsWith('account:'));
    expect(allScopes.filter((scope) => mayHave('member', scope))).toEqual([
      ...personal,
      'account:read',
      'account:write',
    ]);
    expect(allScopes.filter((scope) => mayHave('operator', scope))).toEqual([
      ...personal,
      ...adminApi,
      'account:write',
    ]);
    for (const scope of ['', 'courses', '__proto__']) {
      expect([mayHave('member', scope), mayHave('operator', scope)]).toEqual([false, false]);
    }
  });
});

test('has(scope) knows the catalogue and nothing else', () => {
  expect(identityScopes.every(standardScopes.has)).toBe(true);
  for (const foreign of ['', 'all', 'offline_access', 'courses', 'Courses:read', '__proto__'])
    expect(standardScopes.has(foreign)).toBe(false);
});

test('splitScope takes spaces as they come', () => {
  expect(splitScope(' openid  email ')).toEqual(['openid', 'email']);
  expect(splitScope(undefined)).toEqual([]);
});
