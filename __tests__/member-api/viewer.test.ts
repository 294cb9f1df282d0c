import { describe, expect, test } from '@jest/globals';
import { AsSam } from './as-sam.ts';
import { codesOf, post, startMemberSchools, tokenOf } from './graphql.ts';

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

test('without data the API says who the viewer is, and that the rest is not served', async () => {
  const bare = await startMemberSchools({ memberApi: { data: undefined } });
  const response = await post(bare.harbour, await tokenOf(bare, bare.harbour), {
    query: '{ viewer { id name email schools { id } enrolledCourses { totalCount } unreadNotificationCount } }',
  });
  expect(response.status).toBe(200);
  expect(response.body.data).toEqual({
    viewer: {
      id: 'sam',
      name: 'Sam Student',
      email: 'sam@example.com',
      schools: null,
      enrolledCourses: null,
      unreadNotificationCount: null,
    },
  });
  expect(codesOf(response)).toEqual(['NOT_SERVED', 'NOT_SERVED', 'NOT_SERVED']);
  expect(bare.faults).toEqual([]);
  await bare.close();
});
