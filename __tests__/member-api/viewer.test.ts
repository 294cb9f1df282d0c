import { describe, expect, test } from '@jest/globals';
import { buildASTSchema, parse } from 'graphql';
import type { PartialMemberData } from '../../lib/member/index.ts';
import { memberSchema } from '../../lib/member/schema/sdl.ts';
import { servedSchema } from '../../lib/member/schema/served-schema.ts';
import type { Schools } from '../helpers/schools.ts';
import { AsSam } from './as-sam.ts';
import { testData } from './data.ts';
import { post, startMemberSchools, tokenOf } from './graphql.ts';

const sam = new AsSam();
const { ask } = sam;

describe('the viewer', () => {
  test('is the member whom the token stands for', async () => {
    const { body } = await ask('{ viewer { __typename id name email } }');
    expect(body).toEqual({
      data: { viewer: { __typename: 'Viewer', id: 'sam', name: 'Sam Student', email: 'sam@example.com' } },
    });
  });

  test('has every school at which they hold a role, with the role names', async () => {
    const { body } = await ask('{ viewer { schools { id name origin roles } } }');
    expect(body.data).toEqual({
      viewer: {
        schools: [
          { id: 'harbour', name: 'Harbour School', origin: 'https://harbour.example', roles: ['student'] },
          { id: 'summit', name: 'Summit School', origin: 'https://summit.example', roles: ['student'] },
        ],
      },
    });
  });

  test('has no school without a role there', async () => {
    const plain = await startMemberSchools({
      memberApi: {
        data: {
          ...sam.schools.data,
          schools: () => [{ id: 'harbour', name: 'Harbour School', origin: 'https://harbour.example', roles: [] }],
        },
      },
    });
    const response = await post(plain.harbour, await tokenOf(plain, plain.harbour), {
      query: '{ viewer { schools { id } } }',
    });
    expect(response.body.data).toEqual({ viewer: { schools: [] } });
    await plain.close();
  });

  test('has courses as the specification has them, and their name', async () => {
    const { body } = await ask(
      `{ viewer { enrolledCourses(first: 2) { nodes {
        slug name expireDate hasLifetimeAccess lastWatchedLecture { lectureId positionSeconds }
      } } } }`,
    );
    expect(body.data).toEqual({
      viewer: {
        enrolledCourses: {
          nodes: [
            {
              slug: 'harbour-course-1',
              name: 'Course 1',
              expireDate: null,
              hasLifetimeAccess: true,
              lastWatchedLecture: { lectureId: 'lecture-0', positionSeconds: 0 },
            },
            {
              slug: 'harbour-course-2',
              name: 'Course 2',
              expireDate: '2031-01-01T09:00:00.000Z',
              hasLifetimeAccess: false,
              lastWatchedLecture: null,
            },
          ],
        },
      },
    });
  });

  test('has what they bought, and no more than is needed to find it again', async () => {
    const { body } = await ask(`{ viewer {
      digitalProducts { nodes { id slug name purchasedAt } totalCount }
      consultingServices { nodes { id slug name purchasedAt } }
      eventRegistrations { nodes { id slug name registeredAt startsAt endsAt } }
    } }`);
    const bought = (what: string) => ({ id: `harbour-${what}`, slug: `a-${what}`, name: `The ${what} of harbour` });
    const day = (of: number) => `2031-01-0${of}T09:00:00.000Z`;
    expect(body.data).toEqual({
      viewer: {
        digitalProducts: { nodes: [{ ...bought('product'), purchasedAt: day(1) }], totalCount: 1 },
        consultingServices: { nodes: [{ ...bought('service'), purchasedAt: day(1) }] },
        eventRegistrations: {
          nodes: [{ ...bought('event'), registeredAt: day(1), startsAt: day(2), endsAt: day(3) }],
        },
      },
    });
    const fields = await ask('{ __type(name: "DigitalProduct") { fields { name } } }');
    expect(JSON.stringify(fields.body.data)).not.toMatch(/order|coupon|refund|invoice|price/i);
  });

  test('has an inbox, newest first, its count and subscriptions', async () => {
    const { body } = await ask(`{ viewer {
      notifications { nodes { id title body url createdAt readAt } totalCount }
      unreadNotificationCount
      notificationSubscriptions { topic channel subscribed }
    } }`);
    expect(body.data).toMatchObject({
      viewer: {
        notifications: {
          nodes: [
            { id: 'harbour-3', title: 'Title 3', url: 'https://harbour.example/news', readAt: null },
            { id: 'harbour-2', body: 'Body 2 at harbour', url: null, createdAt: '2031-01-02T09:00:00.000Z' },
            { id: 'harbour-1', readAt: '2031-01-04T09:00:00.000Z' },
          ],
          totalCount: 3,
        },
        unreadNotificationCount: 2,
        notificationSubscriptions: [
          { topic: 'course_updates', channel: 'email', subscribed: true },
          { topic: 'school_news', channel: 'in_app', subscribed: false },
        ],
      },
    });
  });

  test('is asked of the host once for each field and page, at the same time', async () => {
    const { calls } = sam.schools;
    await ask(`{ viewer {
      ten: enrolledCourses(first: 10) { nodes { slug name } pageInfo { hasNextPage } totalCount }
      next: enrolledCourses(first: 5, after: "10") { nodes { slug } }
      again: schools { id } schools { name } schools { roles }
    } }`);
    expect(calls).toEqual([
      { method: 'enrolledCourses', site: 'harbour', viewer: 'sam', args: [{ first: 10 }] },
      { method: 'enrolledCourses', site: 'harbour', viewer: 'sam', args: [{ first: 5, after: '10' }] },
      { method: 'schools', site: 'harbour', viewer: 'sam', args: [] },
      { method: 'schools', site: 'harbour', viewer: 'sam', args: [] },
    ]);
  });
});

describe('two schools', () => {
  test('never see each other’s data, whatever both are asked at once', async () => {
    const other = await tokenOf(sam.schools, sam.schools.summit, {
      client: {
        id: 'web-member-app',
        redirectUri: 'https://buddy.example/callback',
        secret: 'buddy-secret',
        scope: 'openid account:read',
      },
    });
    const query =
      '{ viewer { schools { id } enrolledCourses { nodes { slug } } notifications { nodes { id body } } digitalProducts { nodes { id } } } }';
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        i % 2 === 0 ? post(sam.schools.harbour, sam.token, { query }) : post(sam.schools.summit, other, { query }),
      ),
    );
    responses.forEach(({ body }, i) => {
      const { schools: all, ...own } = Object(body.data).viewer;
      expect(all).toEqual([{ id: 'harbour' }, { id: 'summit' }]);
      const [here, elsewhere] = i % 2 === 0 ? ['harbour', 'summit'] : ['summit', 'harbour'];
      expect(JSON.stringify(own)).toContain(here);
      expect(JSON.stringify(own)).not.toContain(elsewhere);
    });
  });

  test('share what was parsed, and not who may ask', async () => {
    const query = '{ viewer { unreadNotificationCount } }';
    expect((await post(sam.schools.harbour, sam.token, { query })).status).toBe(200);
    expect((await post(sam.schools.summit, sam.token, { query })).status).toBe(401);
    const narrow = await tokenOf(sam.schools, sam.schools.harbour, { scope: 'openid' });
    expect((await post(sam.schools.harbour, narrow, { query })).status).toBe(403);
    expect((await post(sam.schools.harbour, sam.token, { query })).status).toBe(200);
  });
});

describe('a platform that has a part of the data', () => {
  const { enrolledCourses, notifications, markNotificationRead } = testData().data;

  /** The types of the schema, each with its fields, by introspection. */
  async function typesOf({ harbour }: Schools, token: string): Promise<Record<string, string[]>> {
    const query = '{ schema: __schema { types { name fields { name } } } }';
    const { body } = await post(harbour, token, { query });
    const { types } = Object(body.data).schema;
    const named = types.map(({ name, fields }: { name: string; fields: { name: string }[] | null }) => [
      name,
      fields?.map((field) => field.name) ?? [],
    ]);
    return Object.fromEntries(named.filter(([name]: [string]) => !/^(?:__|(?:String|Int|ID|Boolean)$)/.test(name)));
  }

  test.each<[string, PartialMemberData | undefined, object]>([
    ['none', undefined, { Viewer: ['id', 'name', 'email'] }],
    ['an empty object', {}, { Viewer: ['id', 'name', 'email'] }],
    [
      'courses',
      { enrolledCourses },
      {
        Viewer: ['id', 'name', 'email', 'enrolledCourses'],
        EnrolledCourseConnection: ['nodes', 'pageInfo', 'totalCount'],
        EnrolledCourse: ['slug', 'name', 'expireDate', 'hasLifetimeAccess', 'lastWatchedLecture'],
        WatchedLecture: ['lectureId', 'positionSeconds'],
        PageInfo: ['hasNextPage', 'endCursor'],
        DateTime: [],
      },
    ],
    [
      'a mutation alone',
      { markNotificationRead },
      {
        Viewer: ['id', 'name', 'email'],
        Mutation: ['markNotificationRead'],
        MarkNotificationReadPayload: ['notification', 'userErrors'],
        Notification: ['id', 'title', 'body', 'url', 'createdAt', 'readAt'],
        UserError: ['code', 'message'],
        UserErrorCode: [],
        DateTime: [],
      },
    ],
  ])('has its fields and their types in the schema, and no others: %s', async (_name, data, types) => {
    const part = await startMemberSchools({ memberApi: { data } });
    const token = await tokenOf(part, part.harbour);
    expect(await typesOf(part, token)).toEqual({ Query: ['viewer'], ...types });
    const sdl = await (await fetch(`${part.harbour}/member/graphql/schema.graphql`)).text();
    const published = Object.keys(buildASTSchema(parse(sdl)).getTypeMap());
    expect(published.filter((name) => !/^(?:__|(?:String|Int|ID|Boolean|Float)$)/.test(name)).sort()).toEqual(
      ['Query', ...Object.keys(types)].sort(),
    );
    const { status, body } = await post(part.harbour, token, { query: '{ viewer { id schools { id } } }' });
    expect([status, body.errors?.[0]?.message]).toEqual([200, 'Cannot query field "schools" on type "Viewer".']);
    expect(part.faults).toEqual([]);
    await part.close();
  });

  test('serves what it has, from an instance of a class as well', async () => {
    class Courses {
      readonly #served = enrolledCourses;
      enrolledCourses(...query: Parameters<typeof enrolledCourses>) {
        return this.#served(...query);
      }
      school = 'a member of its own';
    }
    const part = await startMemberSchools({ memberApi: { data: new Courses() } });
    const query = '{ viewer { name enrolledCourses(first: 1) { totalCount } } }';
    expect((await post(part.harbour, await tokenOf(part, part.harbour), { query })).body).toEqual({
      data: { viewer: { name: 'Sam Student', enrolledCourses: { totalCount: 25 } } },
    });
    await part.close();
  });

  test('can add mutations, types of the built-in schema and resolvers for fields without a function', async () => {
    const part = await startMemberSchools({
      memberApi: {
        data: { notifications },
        typeDefs: `
          extend type Mutation { go(at: DateTime): School }
          extend type School { motto: String }
        `,
        resolvers: {
          Mutation: { go: () => ({ id: 'harbour', name: 'Harbour School', origin: '', roles: [], motto: 'Ahoy' }) },
          Viewer: { unreadNotificationCount: () => 7 },
        },
      },
    });
    const token = await tokenOf(part, part.harbour);
    const types = await typesOf(part, token);
    expect(types).toMatchObject({ Mutation: ['go'], School: ['id', 'name', 'origin', 'roles', 'motto'] });
    expect(types['Viewer']).toEqual(['id', 'name', 'email', 'notifications', 'unreadNotificationCount']);
    expect((await post(part.harbour, token, { query: 'mutation { go { motto } }' })).body).toEqual({
      data: { go: { motto: 'Ahoy' } },
    });
    expect((await post(part.harbour, token, { query: '{ viewer { unreadNotificationCount } }' })).body).toEqual({
      data: { viewer: { unreadNotificationCount: 7 } },
    });
    await part.close();
  });

  test('publishes the whole schema word for word if it has all', () => {
    expect(servedSchema({ data: testData().data })).toBe(memberSchema);
  });

  test('lists in the metadata of the resource the scopes that are left', async () => {
    const supported = async (data: PartialMemberData): Promise<unknown> => {
      const part = await startMemberSchools({ memberApi: { data } });
      const metadata = await fetch(`${part.harbour}/.well-known/oauth-protected-resource/member/graphql`);
      await part.close();
      return Object(await metadata.json()).scopes_supported;
    };
    expect(await supported({ enrolledCourses })).toEqual(['openid', 'profile', 'email']);
    expect(await supported({ notifications })).toEqual(['openid', 'profile', 'email', 'account:read']);
  });
});
