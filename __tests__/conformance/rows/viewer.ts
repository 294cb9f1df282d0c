import assert from 'node:assert/strict';
import { post } from '../../member-api/graphql.ts';
import { viewerOf, viewerToken, withData } from '../member-probes.ts';
import type { CheckContext, Row } from '../row.ts';

const section = 'Resources: Viewer';

/** A row about a field of the viewer, read by sam. */
function field(id: string, name: string, sentence: string, selection: string, expected: unknown): Row {
  const check = async (context: CheckContext): Promise<void> => {
    const { harbour, token } = await viewerToken(context);
    assert.deepEqual(await viewerOf(harbour, token, `{ ${selection} }`), expected);
  };
  return { id, section: `${section}, ${name}`, sentence, check };
}

/** The same for a field that requires a scope. */
function scoped(id: string, name: string, sentence: string, selection: string, expected: unknown): Row {
  const row = field(id, name, sentence, selection, expected);
  return {
    ...row,
    check: async (context) => {
      await row.check(context);
      const { harbour, token } = await viewerToken(context, 'openid');
      const { status, body } = await post(harbour, token, { query: `{ viewer { id ${selection} } }` });
      assert.deepEqual([status, body.error, body.data], [403, 'insufficient_scope', undefined]);
    },
  };
}

const course = 'enrolledCourses(first: 2) { nodes';

/** The viewer and its fields. */
export const viewerRows: readonly Row[] = [
  {
    id: 'b4cc',
    section,
    sentence: 'MUST be the signed-in member',
    check: async (context) => {
      const schools = await withData(context);
      for (const person of ['sam', 'olivia']) {
        const { harbour, token } = await viewerToken({ start: async () => schools }, undefined, person);
        assert.deepEqual(await viewerOf(harbour, token, '{ id }'), { id: person });
      }
    },
  },
  field('75f3', 'id', 'MUST be the member’s identifier', 'id', { id: 'sam' }),
  field('ddb2', 'name', 'MUST be the member’s name', 'name', { name: 'Sam Student' }),
  field('fd81', 'email', 'MUST be the member’s e-mail address', 'email', { email: 'sam@example.com' }),
  field(
    '1bdb',
    'schools',
    'MUST be every site at which the viewer has a role, with the role names',
    'schools { id roles }',
    {
      schools: [
        { id: 'harbour', roles: ['student'] },
        { id: 'summit', roles: ['student'] },
      ],
    },
  ),
  field(
    'd7d3',
    'enrolledCourses',
    'MUST be a connection that takes `first` and has `nodes`',
    'enrolledCourses(first: 3) { nodes { name } }',
    { enrolledCourses: { nodes: [{ name: 'Course 1' }, { name: 'Course 2' }, { name: 'Course 3' }] } },
  ),
  field('bc0b', 'enrolledCourses.slug', 'MUST be the course’s slug', `${course} { slug } }`, {
    enrolledCourses: { nodes: [{ slug: 'harbour-course-1' }, { slug: 'harbour-course-2' }] },
  }),
  field(
    '168e',
    'enrolledCourses.expireDate',
    'MUST be the date when access to the course ends',
    `${course} { expireDate } }`,
    {
      enrolledCourses: { nodes: [{ expireDate: null }, { expireDate: '2031-01-01T09:00:00.000Z' }] },
    },
  ),
  field(
    'a1a0',
    'enrolledCourses.hasLifetimeAccess',
    'MUST say whether access has no expiry',
    `${course} { hasLifetimeAccess } }`,
    { enrolledCourses: { nodes: [{ hasLifetimeAccess: true }, { hasLifetimeAccess: false }] } },
  ),
  field(
    'f58a',
    'enrolledCourses.lastWatchedLecture',
    'MUST have `lectureId`, and `positionSeconds` in seconds',
    `enrolledCourses(first: 1) { nodes { lastWatchedLecture { lectureId positionSeconds } } }`,
    { enrolledCourses: { nodes: [{ lastWatchedLecture: { lectureId: 'lecture-0', positionSeconds: 0 } }] } },
  ),
  field(
    'eb04',
    'digitalProducts',
    'MUST be a connection of the purchased digital products',
    'digitalProducts { nodes { id } }',
    { digitalProducts: { nodes: [{ id: 'harbour-product' }] } },
  ),
  field(
    'f51b',
    'consultingServices',
    'MUST be a connection of the purchased consulting services',
    'consultingServices { nodes { id } }',
    { consultingServices: { nodes: [{ id: 'harbour-service' }] } },
  ),
  field(
    'c40c',
    'eventRegistrations',
    'MUST be a connection of the event registrations',
    'eventRegistrations { nodes { id } }',
    { eventRegistrations: { nodes: [{ id: 'harbour-event' }] } },
  ),
  scoped(
    '8ba5',
    'notifications',
    'MUST be the member’s inbox and require `account:read`',
    'notifications { nodes { title } }',
    { notifications: { nodes: [{ title: 'Title 3' }, { title: 'Title 2' }, { title: 'Title 1' }] } },
  ),
  scoped(
    'ce18',
    'unreadNotificationCount',
    'MUST be the number of unread notifications and require `account:read`',
    'unreadNotificationCount',
    { unreadNotificationCount: 2 },
  ),
  scoped(
    'bdb4',
    'notificationSubscriptions',
    'MUST be the member’s notification subscriptions and require `account:read`',
    'notificationSubscriptions { topic subscribed }',
    {
      notificationSubscriptions: [
        { topic: 'course_updates', subscribed: true },
        { topic: 'school_news', subscribed: false },
      ],
    },
  ),
  {
    id: '01c5',
    section: `${section}, rules 1`,
    sentence: 'MUST NOT include an order number, coupon code, refund status or invoice in the purchases',
    check: async (context) => {
      const { harbour, token } = await viewerToken(context);
      const query = '{ schema: __schema { types { fields { name } } } }';
      const { body } = await post(harbour, token, { query });
      const types: { fields: { name: string }[] | null }[] = Object(body.data).schema.types;
      const names = types.flatMap(({ fields }) => (fields ?? []).map(({ name }) => name));
      assert.ok(names.includes('purchasedAt'));
      assert.deepEqual(
        names.filter((name) => /order|coupon|refund|invoice|payment|price/i.test(name)),
        [],
      );
    },
  },
];
