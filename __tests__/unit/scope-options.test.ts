import { expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import {
  type CampusOptions,
  type ChoosableScope,
  createCampus,
  type ScopeRow,
  scopeCatalogue,
} from '../../lib/index.ts';
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
const one = (change: object): object => ({ scopes: { own: [{ ...lessons, ...change }] } });
const token = 'scopes.own[0].scope must be 1 to 100 characters of printable ASCII, without a space, " and \\';
const choose = (...only: readonly unknown[]): object => ({ scopes: { only } });
const known = 'must be a scope of the specification, not';

test.each<[object, string]>([
  [{ scopes: [lessons] }, 'scopes must be an object with only and own'],
  [{ scopes: { own: {} } }, 'scopes.own must be an array of scopes'],
  [{ scopes: { own: ['lessons:write'] } }, 'scopes.own[0] must be an object'],
  [one({ scpoe: 'x' }), 'unknown option "scopes.own[0].scpoe"; did you mean "scopes.own[0].scope"?'],
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
    'scopes.own[0].scope must not be "offline_access", which OpenID Connect has given a meaning',
  ],
  [{ scopes: { own: [lessons, lessons] } }, 'scopes.own[1].scope must be unique; "lessons:write" is duplicated'],
  [one({ area: '' }), 'scopes.own[0].area must be one line of 1 to 60 characters, without { and }'],
  [one({ area: ' ' }), 'scopes.own[0].area must be one line of 1 to 60 characters, without { and }'],
  [one({ area: undefined }), 'scopes.own[0].area must be one line of 1 to 60 characters, without { and }'],
  [one({ access: 'admin' }), 'scopes.own[0].access must be "read" or "write"'],
  [one({ access: 'identity' }), 'scopes.own[0].access must be "read" or "write"'],
  [one({ access: undefined }), 'scopes.own[0].access must be "read" or "write"'],
  [one({ audience: 'all' }), 'scopes.own[0].audience must be "operator" or "member" or "any"'],
  [one({ text: undefined }), 'scopes.own[0].text must be one line of 1 to 200 characters, without { and }'],
  [one({ text: '' }), 'scopes.own[0].text must be one line of 1 to 200 characters, without { and }'],
  [one({ text: 'book\nlessons' }), 'scopes.own[0].text must be one line of 1 to 200 characters, without { and }'],
  [one({ text: 'book {lessons}' }), 'scopes.own[0].text must be one line of 1 to 200 characters, without { and }'],
  [one({ text: 'x'.repeat(201) }), 'scopes.own[0].text must be one line of 1 to 200 characters, without { and }'],
  [
    one({ scope: 'courses:read' }),
    'scopes.own[0].scope must not be "courses:read", which the specification has; pages.texts can replace its text',
  ],
  [choose('openid', 'courses:read'), 'scopes.only[0] must not be "openid", which is always included'],
  [choose('courses:read', 'orders:raed'), `scopes.only[1] ${known} "orders:raed"; did you mean "orders:read"?`],
  [choose('lessons:write'), `scopes.only[0] ${known} "lessons:write"; declare your own in scopes.own`],
  [choose(7), `scopes.only[0] ${known} 7`],
  [choose('orders:read', 'orders:read'), 'scopes.only[1] must be unique; "orders:read" is duplicated'],
  [{ scopes: { only: 'orders:read' } }, 'scopes.only must be an array of scopes of the specification'],
  [{ scopes: { omly: [] } }, 'unknown option "scopes.omly"; did you mean "scopes.only"?'],
  [{ pages: { texts: { en: { 'scope.lessons:read': 'a' } } } }, 'pages.texts.en["scope.lessons:read"] must not be set'],
  [
    { pages: { texts: { en: { 'area.Lessons': 'a' } } } },
    'pages.texts.en["area.Lessons"] must not be set: the text does not exist',
  ],
  [
    { ...one({}), pages: { texts: { de: { 'scope.lessons:write': '{x}' } } } },
    'pages.texts.de["scope.lessons:write"] must not have the placeholder {x}; the text has no placeholders',
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
  expect(() => create({ scopes: { own: [...many, rest] } })).not.toThrow();
  const message =
    'scopes.own must have names of at most 2000 characters together; with the scopes of the specification they have 2001';
  expect(() => create({ scopes: { own: [...many, { ...rest, scope: `${rest.scope}r` }] } })).toThrow(message);
});

test('the rows are copied, in order, and not changed', () => {
  const own: ScopeRow[] = [lessons];
  const before = structuredClone(own);
  const texts = { en: { 'scope.email': "View\nyour '{'own'}' address" } };
  const campus = createCampus({ ...base, scopes: { own }, pages: { texts } });
  own.pop();
  expect(own).toEqual(before.slice(0, 0));
  expect(campus.scopes).toHaveLength(39);
  expect(campus.scopes[2]).toEqual({ ...scopeCatalogue[2], text: 'View your {own} address' });
  expect(campus.scopes[38]).toEqual({ ...lessons, audience: 'operator' });
});

test('only keeps the identity scopes, in the order of the catalogue, and own ones follow', () => {
  const scopesOf = (only: readonly ChoosableScope[]) =>
    createCampus({ ...base, scopes: { only, own: [lessons] } }).scopes.map(({ scope }) => scope);
  expect(scopesOf(['orders:read', 'courses:read'])).toEqual([
    'openid',
    'profile',
    'email',
    'courses:read',
    'orders:read',
    'lessons:write',
  ]);
  expect(scopesOf([])).toEqual(['openid', 'profile', 'email', 'lessons:write']);
});

test('the types know the scopes of the specification, and accept others', () => {
  // @ts-expect-error a new scope needs an access
  const withoutAccess: ScopeRow = { scope: 'lessons:write', area: 'Lessons', text: 'Book lessons' };
  // @ts-expect-error a scope that is chosen is one of the specification
  const chosen: CampusOptions = { ...base, scopes: { only: ['lessons:write'] } };
  // @ts-expect-error an identity scope always stays
  const identity: CampusOptions = { ...base, scopes: { only: ['openid'] } };
  const texts: CampusOptions['pages'] = {
    texts: { de: { 'scope.lessons:write': 'Stunden buchen', 'consent.allow': 'Ja' } },
  };
  // @ts-expect-error there is no such text
  const misspelt: CampusOptions['pages'] = { texts: { de: { 'consent.alow': 'Ja' } } };
  expect([withoutAccess, chosen, identity, texts, misspelt]).toHaveLength(5);
});
