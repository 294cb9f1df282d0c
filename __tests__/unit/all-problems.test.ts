import { beforeAll, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { createCampus, type CampusKeys, type SchoolPlatform, type StaticClient } from '../../lib/index.ts';
import { checkEach } from '../../lib/kernel/check-each.ts';
import { defineTool, mcp } from '../../lib/mcp/index.ts';
import { memberApi } from '../../lib/member/index.ts';
import { fakePlatform } from '../../lib/testing/index.ts';
import { vendorPlatforms } from '../../policies/index.ts';
import { signingKey } from '../helpers/keys.ts';

// Whoever starts a campus learns at once what is wrong in a list, and not after each correction the next one.

let keys: CampusKeys;
let platform: SchoolPlatform;
beforeAll(async () => {
  keys = { signing: [await signingKey('k')], cookies: ['a secret of the tests'] };
  platform = fakePlatform({ schools: [], people: {} });
});

const client: StaticClient = {
  clientId: 'timer',
  clientName: 'Timer',
  audience: 'member',
  redirectUris: ['https://timer.example/callback'],
  scopes: ['openid'],
};
const boundary = {
  type: 'class',
  name: 'Classes',
  scopes: ['courses:read'],
  list: async () => ({ items: [] }),
};
const tool = (name: string, scopes: readonly string[], honours: readonly string[] = []) =>
  defineTool({ name, description: 'Does something.', access: { scopes, honours }, run: () => '' });

test.each<[string, () => object, string | RegExp]>([
  [
    'members of options',
    () => ({
      clients: [
        { ...client, scopes: 1 },
        { ...client, clientId: 'other', redirectUris: 'x' },
      ],
      siteCache: -1,
    }),
    'clients[0].scopes must be an array of scopes; also clients[1].redirectUris must be an array',
  ],
  [
    'misspelt options',
    () => ({ platfrom: 1, clients: [{ ...client, clientname: 'x' }] }),
    'unknown option "clients[0].clientname"; did you mean "clients[0].clientName"?; also unknown option "platfrom"',
  ],
  [
    'scopes of clients',
    () => ({
      clients: [
        { ...client, scopes: ['a:b', 'openid', 'c:d'] },
        { ...client, clientId: 'o', scopes: ['e:f'] },
      ],
    }),
    'clients[0].scopes[0] must be a scope of the catalogue, not "a:b"; also clients[0].scopes[2] must be a scope of the catalogue, not "c:d"; also clients[1].scopes[0] must',
  ],
  [
    'types of boundaries',
    () => ({ boundaries: [boundary], mcp: mcp({ tools: [tool('a', ['courses:read'], ['clas', 'grade'])] }) }),
    'mcp.tools[0].access.honours must have types of the option boundaries (class), not "clas", "grade"',
  ],
  [
    'scopes of boundaries',
    () => ({ boundaries: [{ ...boundary, scopes: ['openid', 'courses:read', 'email'] }] }),
    'boundaries[0].scopes[0] must not be openid, which says who the person is; also boundaries[0].scopes[2] must not be email',
  ],
  [
    'scopes of tools',
    () => ({ mcp: mcp({ tools: [tool('a', ['x:y']), tool('b', ['v:w'])] }) }),
    'mcp.tools[0].access.scopes[0] must be a scope of the catalogue, not "x:y"; also mcp.tools[1].access.scopes[0] must',
  ],
  [
    'fields beside boundaries',
    () => ({
      boundaries: [boundary],
      memberApi: memberApi({
        typeDefs: 'extend type Viewer { house: String, room: String }',
        resolvers: { Viewer: { house: () => 'red', room: () => '7' } },
      }),
    }),
    'memberApi must not serve Viewer.house, Viewer.room without a scope if boundaries is set; add @requiresScopes',
  ],
  [
    'scopes of fields',
    () => ({
      memberApi: memberApi({
        typeDefs:
          'extend type Viewer { house: String @requiresScopes(scopes: ["a:b"]), room: String @requiresScopes(scopes: ["c:d"]) }',
      }),
    }),
    'memberApi.typeDefs must name scopes of the catalogue; @requiresScopes of Viewer.house has "a:b"; also memberApi.typeDefs must name scopes of the catalogue; @requiresScopes of Viewer.room has "c:d"',
  ],
  [
    'fields without a resolver',
    () => ({ memberApi: memberApi({ typeDefs: 'extend type Query { house: String, room: String }' }) }),
    'memberApi.resolvers.Query.house must be given, since no other resolver exists for it; also memberApi.resolvers.Query.room must',
  ],
  [
    'names of types',
    () => ({ memberApi: memberApi({ typeDefs: 'type Viewer { a: Int } type Query { b: Int }' }) }),
    'Viewer is already defined; extend it or choose another name; also Query is already defined',
  ],
  [
    'texts',
    () => ({ pages: { texts: { en: { 'scope.a:b': 'A' }, 'zh-Hant': { 'scope.c:d': 'C' } } } }),
    /^pages\.texts\.en\["scope\.a:b"\] must .*; also pages\.texts\["zh-Hant"\]\["scope\.c:d"\] must/,
  ],
  [
    'texts of tools',
    () => ({ pages: { texts: { en: { 'did.fly': 'Flew', 'did.swim': 'Swam' } } } }),
    'pages.texts must not have did.fly: the tool does not exist; also pages.texts must not have did.swim',
  ],
  [
    'texts of fields',
    () => ({ pages: { texts: { en: { 'sees.Viewer.a': 'A', 'sees.Viewer.b': 'B' } } } }),
    'pages.texts must not have sees.Viewer.a, sees.Viewer.b, but only fields and tools that need no scope',
  ],
  [
    'scopes of vendors',
    () => ({
      registration: [
        vendorPlatforms([
          {
            clientId: 'v',
            clientName: 'V',
            redirectUris: ['https://v.example/callback'],
            names: ['V'],
            scopes: ['a:b', 'c:d'],
          },
        ]),
      ],
    }),
    'be an operator scope of the catalogue, not "a:b"; also ',
  ],
])('all wrong %s are named', (_what, change, message) => {
  const options = () => ({ platform, store: memoryStore(), keys, ...change() });
  expect(() => Reflect.apply(createCampus, undefined, [options()])).toThrow(message);
});

test('more than ten are counted, the same text is said once, and what is no TypeError comes at once', () => {
  const failing = (n: number) => () =>
    checkEach(Array(n).keys(), (i) => {
      throw new TypeError(`a[${i}] must go`);
    });
  expect(failing(1)).toThrow(/^a\[0\] must go$/);
  expect(failing(12)).toThrow(/^a\[0\] must go; also .*; also a\[9\] must go; and 2 more$/);
  expect(() =>
    checkEach([1, 2], () => {
      throw new TypeError('no');
    }),
  ).toThrow(/^no$/);
  expect(() =>
    checkEach([1, 2], (n) => {
      throw new RangeError(`${n}`);
    }),
  ).toThrow(/^1$/);
});
