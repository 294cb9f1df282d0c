import { expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type CampusOptions, createCampus, type ScopeRow, scopeCatalogue } from '../../lib/index.ts';
import { signingKey } from '../helpers/keys.ts';

const key = await signingKey('key-1');
const platform = {
  findSite: () => undefined,
  signedInMember: () => undefined,
  signInUrl: () => '',
  findMember: () => undefined,
};
const base: CampusOptions = { platform, store: memoryStore(), keys: { signing: [key], cookies: ['0123456789abcdef'] } };
const lessons = { scope: 'lessons:write', area: 'Lessons', access: 'write', text: 'Book lessons' } as const;

/** What plain JavaScript can hand over, whatever the types say. */
const create = (options: object) => Reflect.apply(createCampus, undefined, [{ ...base, ...options }]);
const one = (change: object): object => ({ scopes: [{ ...lessons, ...change }] });
const token = 'scopes[0].scope must be 1 to 100 characters of printable ASCII, without a space, " and \\';
const omit = 'must be a scope of the specification other than openid, profile, email, not';

test.each<[object, string]>([
  [{ scopes: {} }, 'scopes must be an array of scopes'],
  [{ scopes: ['lessons:write'] }, 'scopes[0] must be an object'],
  [one({ scpoe: 'x' }), 'unknown option "scopes[0].scpoe"; did you mean "scopes[0].scope"?'],
  [one({ scope: undefined }), token],
  [one({ scope: '' }), token],
  [one({ scope: 'lessons write' }), token],
  [one({ scope: 'lessons"write' }), token],
  [one({ scope: 'lessons\\write' }), token],
  [one({ scope: 'lessons:schreiben-für-alle' }), token],
  [one({ scope: 'lessons\n' }), token],
  [one({ scope: 'x'.repeat(101) }), token],
  [
    one({ scope: 'offline_access' }),
    'scopes[0].scope must not be "offline_access", which OpenID Connect has given a meaning',
  ],
  [{ scopes: [lessons, lessons] }, 'scopes[1].scope must be unique; "lessons:write" is duplicated'],
  [one({ area: '' }), 'scopes[0].area must be one line of 1 to 60 characters, without { and }'],
  [one({ area: ' ' }), 'scopes[0].area must be one line of 1 to 60 characters, without { and }'],
  [one({ area: undefined }), 'scopes[0].area must be one line of 1 to 60 characters, without { and }'],
  [one({ access: 'admin' }), 'scopes[0].access must be "read" or "write"'],
  [one({ access: 'identity' }), 'scopes[0].access must be "read" or "write"'],
  [one({ access: undefined }), 'scopes[0].access must be "read" or "write"'],
  [one({ audience: 'all' }), 'scopes[0].audience must be "operator" or "member" or "any"'],
  [one({ text: undefined }), 'scopes[0].text must be one line of 1 to 200 characters, without { and }'],
  [one({ text: '' }), 'scopes[0].text must be one line of 1 to 200 characters, without { and }'],
  [one({ text: 'book\nlessons' }), 'scopes[0].text must be one line of 1 to 200 characters, without { and }'],
  [one({ text: 'book {lessons}' }), 'scopes[0].text must be one line of 1 to 200 characters, without { and }'],
  [one({ text: 'x'.repeat(201) }), 'scopes[0].text must be one line of 1 to 200 characters, without { and }'],
  [
    one({ scope: 'courses:read' }),
    'scopes[0].scope must not be "courses:read", which the specification has; pages.texts can replace its text',
  ],
  [{ omitScopes: ['openid'] }, `omitScopes[0] ${omit} "openid"`],
  [{ omitScopes: ['orders:read', 'lessons:write'] }, `omitScopes[1] ${omit} "lessons:write"`],
  [{ omitScopes: [7] }, `omitScopes[0] ${omit} 7`],
  [{ omitScopes: 'orders:read' }, 'omitScopes must be an array of scopes'],
  [{ omitScopes: ['orders:read', 'orders:read'] }, 'omitScopes[1] must be unique; "orders:read" is duplicated'],
  [
    { pages: { texts: { en: { 'scope.lessons:read': 'a' } } } },
    'pages.texts.en["scope.lessons:read"] must not be given',
  ],
  [
    { pages: { texts: { en: { 'area.Lessons': 'a' } } } },
    'pages.texts.en["area.Lessons"] must not be given: there is no',
  ],
  [
    { ...one({}), pages: { texts: { de: { 'scope.lessons:write': '{x}' } } } },
    'pages.texts.de["scope.lessons:write"] must not have the placeholder {x}; there are none',
  ],
])('%j is refused: %s', (options, message) => {
  expect(() => create(options)).toThrow(TypeError);
  expect(() => create(options)).toThrow(message);
});

test('all scopes together have at most 2,000 characters', () => {
  const standard = scopeCatalogue.map(({ scope }) => scope).join(' ').length;
  // Each has 100 characters, with the space before it.
  const many = Array.from({ length: Math.floor((2000 - standard) / 100) }, (_, i) => ({
    ...lessons,
    scope: `${i}`.padEnd(99, 'x'),
  }));
  const rest = { ...lessons, scope: 'r'.repeat(2000 - standard - 100 * many.length - 1) };
  expect(() => create({ scopes: [...many, rest] })).not.toThrow();
  const message =
    'scopes must have names of at most 2000 characters together; with those of the specification they have 2001';
  expect(() => create({ scopes: [...many, { ...rest, scope: `${rest.scope}r` }] })).toThrow(message);
});

test('the rows are copied, in order, and not changed', () => {
  const scopes: ScopeRow[] = [lessons];
  const before = structuredClone(scopes);
  const texts = { en: { 'scope.email': "View\nyour '{'own'}' address" } };
  const campus = createCampus({ ...base, scopes, pages: { texts } });
  scopes.pop();
  expect(scopes).toEqual(before.slice(0, 0));
  expect(campus.scopes).toHaveLength(39);
  expect(campus.scopes[2]).toEqual({ ...scopeCatalogue[2], text: 'View your {own} address' });
  expect(campus.scopes[38]).toEqual({ ...lessons, audience: 'operator' });
});

test('the types know the scopes of the specification, and accept others', () => {
  // @ts-expect-error a new scope needs an access
  const withoutAccess: ScopeRow = { scope: 'lessons:write', area: 'Lessons', text: 'Book lessons' };
  // @ts-expect-error a scope that is omitted is one of the specification
  const omitted: CampusOptions = { ...base, omitScopes: ['lessons:write'] };
  const texts: CampusOptions['pages'] = {
    texts: { de: { 'scope.lessons:write': 'Stunden buchen', 'consent.allow': 'Ja' } },
  };
  // @ts-expect-error there is no such text
  const misspelt: CampusOptions['pages'] = { texts: { de: { 'consent.alow': 'Ja' } } };
  expect([withoutAccess, omitted, texts, misspelt]).toHaveLength(4);
});
