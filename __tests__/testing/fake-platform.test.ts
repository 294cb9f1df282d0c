import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type Campus, createCampus } from '../../lib/index.ts';
import { builtInTools, mcp } from '../../lib/mcp/index.ts';
import { memberApi } from '../../lib/member/index.ts';
import {
  type FakePlatform,
  type FakePlatformOptions,
  fakePlatform,
  issueTokens,
  startAuthorization,
  walkConsent,
  WalkStopped,
} from '../../lib/testing/index.ts';
import { jsonResponse } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { listen, type TestServer } from '../helpers/server.ts';
import Koa from 'koa';

const course = (slug: string) => ({ slug, name: slug.toUpperCase(), hasLifetimeAccess: true });
const notification = (id: string) => ({ id, title: id, body: '', createdAt: '2031-03-10T09:00:00Z' });

function optionsAt(harbour: string, summit: string) {
  return {
    schools: [
      { id: 'harbour', origin: harbour, name: 'Harbour School' },
      { id: 'summit', origin: summit, name: 'Summit School', connectionsEnabled: false },
    ],
    people: {
      harbour: {
        'sam & co': { name: 'Sam', roles: ['student'] },
        olivia: { roles: ['owner'] },
      },
      summit: { 'sam & co': { roles: ['teacher'] }, nora: { roles: [] } },
    },
    data: {
      members: {
        harbour: {
          'sam & co': {
            enrolledCourses: ['a', 'b', 'c'].map(course),
            notifications: ['new', 'old'].map(notification),
            notificationSubscriptions: [{ topic: 'news', channel: 'email', subscribed: true }],
          },
        },
      },
      courses: {
        harbour: [
          { slug: 'knots', name: 'Knots' },
          { slug: 'maps', name: 'Maps', summary: 'Without knots' },
          { slug: 'sails', name: 'Sails' },
        ],
      },
    },
  } satisfies FakePlatformOptions;
}

const redirectUri = 'https://buddy.example/callback';
let server: TestServer;
let campus: Campus;
let platform: FakePlatform;
let origin: string;
beforeAll(async () => {
  const signing = await signingKey('key-1');
  server = await listen((port) => {
    origin = `http://localhost:${port}`;
    platform = fakePlatform(optionsAt(origin, `http://127.0.0.1:${port}`));
    const { memberData: data, catalogue } = platform;
    campus = createCampus({
      platform,
      store: memoryStore(),
      keys: { signing: [signing], cookies: ['a secret of the tests'] },
      clients: [
        {
          clientId: 'buddy',
          clientName: 'Study Buddy',
          audience: 'member',
          redirectUris: [redirectUri],
          clientSecret: 'buddy-secret',
          scopes: ['openid', 'profile', 'account:read', 'account:write'],
        },
      ],
      memberApi: memberApi({ data }),
      mcp: mcp({ tools: builtInTools({ data, catalogue }) }),
    });
    const handle = new Koa().use(campus.middleware()).callback();
    return (req, res) => void handle(req, res);
  });
});
afterAll(async () => {
  await campus.close();
  await server.close();
});

const buddy = () =>
  startAuthorization({
    origin,
    clientId: 'buddy',
    redirectUri,
    scopes: ['openid', 'profile', 'account:read'],
    clientSecret: 'buddy-secret',
  });

test('roles are those of every school, and not known without the option', () => {
  const options = optionsAt(origin, 'https://summit.example');
  const [school] = platform.schools;
  if (!school) throw new Error('no school');
  const roles = [{ role: 'owner', name: 'Owner' }, { role: 'student' }];
  expect(fakePlatform({ ...options, roles }).roles(school)).toBe(roles);
  expect(fakePlatform(options).roles(school)).toBeUndefined();
  expect(() => fakePlatform({ ...options, roles: [{ role: '' }] })).toThrow('fakePlatform.roles[0].role must be');
});

describe('walkConsent and startAuthorization, over HTTP', () => {
  test('a person who is signed in allows, and the client redeems the code', async () => {
    const request = buddy();
    const redirect = await walkConsent({ authorizeUrl: request.url, cookie: platform.signIn('sam & co') });
    const tokens = await request.redeem(redirect);
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid profile account:read' });
    const site = platform.findSite(origin);
    if (!site) throw new Error('no site');
    expect(await campus.verify(site, tokens.access_token)).toMatchObject({ member: { id: 'sam & co', name: 'Sam' } });
    await expect(request.redeem(redirect)).rejects.toThrow(/^the token endpoint refused: invalid_grant \(/);
  });

  test('the time of the sign-in reaches the ID token', async () => {
    const request = buddy();
    request.url.searchParams.set('max_age', '100000');
    const authTime = Math.floor(Date.now() / 1000) - 500;
    const cookie = platform.signIn('sam & co', { authTime });
    const { id_token: idToken = '' } = await request.redeem(await walkConsent({ authorizeUrl: request.url, cookie }));
    expect(JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      auth_time: authTime,
    });
  });

  test('a person allows what the page ticks, which is not what they refused before, or all', async () => {
    const cookie = platform.signIn('olivia');
    const walk = async (scopes?: readonly string[] | 'all'): Promise<string> => {
      const request = buddy();
      request.url.searchParams.set('prompt', 'consent');
      const redirect = await walkConsent({ authorizeUrl: request.url, cookie, scopes });
      return (await request.redeem(redirect)).scope;
    };
    expect(await walk()).toBe('openid profile account:read');
    expect(await walk(['openid', 'profile'])).toBe('openid profile');
    expect(await walk()).toBe('openid profile');
    expect(await walk('all')).toBe('openid profile account:read');
  });

  test('a person leaves some scopes ticked, or denies', async () => {
    const cookie = platform.signIn('sam & co');
    const some = buddy();
    some.url.searchParams.set('prompt', 'consent');
    const tokens = await some.redeem(
      await walkConsent({ authorizeUrl: some.url, cookie, scopes: ['openid', 'profile'] }),
    );
    expect(tokens.scope).toBe('openid profile');
    const none = buddy();
    none.url.searchParams.set('prompt', 'consent');
    const denied = await walkConsent({ authorizeUrl: none.url.href, cookie, decision: 'deny' });
    expect(denied.searchParams.get('error')).toBe('access_denied');
    await expect(none.redeem(denied)).rejects.toThrow('the authorization endpoint refused: access_denied');
  });

  test.each<[string, () => { readonly authorizeUrl: URL; readonly cookie?: string }, RegExp]>([
    [
      'no one is signed in',
      () => ({ authorizeUrl: buddy().url }),
      /stopped at http:\/\/localhost:\d+\/sign-in \(if this is a sign-in page, cookie signs no one in\), status 404/,
    ],
    [
      'an unknown client',
      () => ({ authorizeUrl: new URL(buddy().url.href.replace('buddy&', 'body&')), cookie: platform.signIn('olivia') }),
      /\/oauth\/authorize, status 400: .*invalid_client/,
    ],
  ])('%s: says where the walk has stopped', async (_what, walk, message) => {
    const error: unknown = await walkConsent(walk()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WalkStopped);
    expect(String(error)).toMatch(message);
  });

  test('a redirect with another state is not redeemed', async () => {
    await expect(buddy().redeem(`${redirectUri}?code=x&state=other`)).rejects.toThrow('the redirect has another state');
  });
});

describe('the data', () => {
  async function asSam(query: string): Promise<Readonly<Record<string, unknown>>> {
    const { access_token: token } = await issueTokens(campus, {
      site: origin,
      memberId: 'sam & co',
      clientId: 'buddy',
      scopes: ['openid', 'account:read', 'account:write'],
    });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return (
      await jsonResponse(
        await fetch(`${origin}/member/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) }),
      )
    ).body;
  }

  test('has pages, and the schools of a person', async () => {
    expect(
      await asSam(
        '{ viewer { schools { id roles } enrolledCourses(first: 2) { nodes { slug } totalCount pageInfo { hasNextPage endCursor } } } }',
      ),
    ).toEqual({
      data: {
        viewer: {
          schools: [
            { id: 'harbour', roles: ['student'] },
            { id: 'summit', roles: ['teacher'] },
          ],
          enrolledCourses: {
            nodes: [{ slug: 'a' }, { slug: 'b' }],
            totalCount: 3,
            pageInfo: { hasNextPage: true, endCursor: '2' },
          },
        },
      },
    });
    expect(await asSam('{ viewer { enrolledCourses(first: 2, after: "2") { nodes { slug } } } }')).toEqual({
      data: { viewer: { enrolledCourses: { nodes: [{ slug: 'c' }] } } },
    });
    expect(
      JSON.stringify(await asSam('{ viewer { enrolledCourses(first: 2, after: "9") { nodes { slug } } } }')),
    ).toMatch('there is no cursor');
  });

  test('remembers what a member changes, and leaves the options as they are', async () => {
    const { memberData } = platform;
    const site = platform.findSite(origin);
    const sam = site && platform.findMember(site, 'sam & co');
    if (!site || !sam) throw new Error('no member');
    const call = { signal: new AbortController().signal };
    expect(await memberData.unreadNotificationCount(sam, site, call)).toBe(2);
    expect(await memberData.markNotificationRead(sam, site, { id: 'old' }, call)).toMatchObject({
      id: 'old',
      readAt: expect.any(Date),
    });
    expect(await memberData.markNotificationRead(sam, site, { id: 'none' }, call)).toBeUndefined();
    expect(await memberData.markAllNotificationsRead(sam, site, call)).toBe(1);
    const change = { topic: 'news', channel: 'email', subscribed: false };
    expect(await memberData.updateNotificationSubscription(sam, site, change, call)).toEqual(change);
    expect(await memberData.updateNotificationSubscription(sam, site, { ...change, topic: 'x' }, call)).toBeUndefined();
    expect(await memberData.notificationSubscriptions(sam, site, call)).toEqual([change]);
    const again = fakePlatform(optionsAt(origin, 'https://summit.example')).memberData;
    expect(await again.unreadNotificationCount(sam, site, call)).toBe(2);
  });

  test('finds courses by name and summary', async () => {
    const site = platform.findSite(origin);
    if (!site) throw new Error('no site');
    const { nodes } = await platform.catalogue.courses(
      site,
      { first: 10, search: ' KNOTS ' },
      { signal: new AbortController().signal },
    );
    expect(nodes.map(({ slug }) => slug)).toEqual(['knots', 'maps']);
  });
});

describe('a fake platform', () => {
  const options = optionsAt('https://harbour.example', 'https://summit.example');

  test('completes schools and people, and reads them at each call', () => {
    const people: Record<string, { roles: string[] }> = { ...options.people.harbour };
    const fake = fakePlatform({ ...options, people: { harbour: people } });
    expect(fake.findSite('https://harbour.example')).toEqual({ ...options.schools[0], connectionsEnabled: true });
    expect(fake.findSite('https://summit.example')?.connectionsEnabled).toBe(false);
    expect(fake.findSite('https://other.example')).toBeUndefined();
    expect(fake.findMember({ id: 'harbour' }, 'olivia')).toEqual({
      id: 'olivia',
      name: 'olivia',
      email: 'olivia@example.com',
      roles: ['owner'],
    });
    for (const id of ['nobody', 'constructor']) expect(fake.findMember({ id: 'harbour' }, id)).toBeUndefined();
    people['olivia'] = { roles: ['student'] };
    expect(fake.findMember({ id: 'harbour' }, 'olivia')?.roles).toEqual(['student']);
    delete people['olivia'];
    expect(fake.findMember({ id: 'harbour' }, 'olivia')).toBeUndefined();
  });

  test('can be spread, with a method replaced', async () => {
    const fake = { ...fakePlatform(options), findMember: () => undefined };
    const keys = { signing: [await signingKey('k')], cookies: ['a secret of the tests'] };
    expect(() => createCampus({ platform: fake, store: memoryStore(), keys })).not.toThrow();
  });

  const fakeOf = (given: unknown) => () => Reflect.apply(fakePlatform, undefined, [given]);

  test.each<[string, () => unknown, string]>([
    [
      'a misspelt option',
      fakeOf({ school: [], people: {} }),
      'unknown option "fakePlatform.school"; did you mean "fakePlatform.schools"?',
    ],
    ['nothing', fakeOf(undefined), 'fakePlatform must be an object'],
    ['a school alone', fakeOf({ schools: options.schools[0], people: {} }), 'fakePlatform.schools must be an array'],
    [
      'a school without origin',
      fakeOf({ schools: [{ id: 'harbour', name: 'Harbour School' }], people: {} }),
      'fakePlatform.schools[0].origin must be a non-empty string',
    ],
    ['no people', fakeOf({ schools: [] }), 'fakePlatform.people must be an object by school'],
    ['data of another kind', fakeOf({ ...options, data: { course: {} } }), '"fakePlatform.data.courses"?'],
    [
      'people at no school',
      () => fakePlatform({ ...options, people: { hill: {} } }),
      'people.hill is for a school that is not in schools; there are harbour, summit',
    ],
    ['data at no school', () => fakePlatform({ ...options, data: { members: { hill: {} } } }), 'data.members.hill'],
    ['courses at no school', () => fakePlatform({ ...options, data: { courses: { hill: [] } } }), 'data.courses.hill'],
    [
      'a sign-in of no one',
      () => fakePlatform(options).signIn('nobody'),
      'memberId must be a person of one of the schools, not "nobody"',
    ],
  ])('refuses %s', (_what, run, message) => {
    expect(run).toThrow(TypeError);
    expect(run).toThrow(message);
  });
});

test('passes on what schools and people have beyond the types of the package', async () => {
  const own = fakePlatform({
    schools: [{ id: 'harbour', origin: 'https://harbour.example', name: 'Harbour School', plan: 'pro' }],
    people: { harbour: { sam: { roles: ['student'], birthYear: 2012 } } },
  });
  const site = own.findSite('https://harbour.example');
  expect([site?.plan, site?.connectionsEnabled]).toEqual(['pro', true]);
  const member = site && own.findMember(site, 'sam');
  expect([member?.birthYear, member?.name]).toEqual([2012, 'sam']);
});
