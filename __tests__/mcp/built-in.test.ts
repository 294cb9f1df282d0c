import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { buildASTSchema, parse } from 'graphql';
import { InvalidRequest, type MaybePromise } from '../../lib/index.ts';
import { builtInTools, myCourses, type PublicCatalogue, type PublicCourse } from '../../lib/mcp/index.ts';
import type { MemberData, DataPage, PartialMemberData } from '../../lib/member/index.ts';
import { enrolledCourse, eventRegistration, notification, purchase } from '../../lib/mcp/built-in/nodes.ts';
import { memberSchema } from '../../lib/member/schema/sdl.ts';
import { memberApp, reports } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { testData } from '../member-api/data.ts';
import { accessToken, callTool, listedNames, type Params, resultOf, textOf } from './rpc.ts';

const courses: readonly PublicCourse[] = ['Knots', 'Charts', 'Weather at sea'].map((name) => ({
  slug: name.toLowerCase().replaceAll(' ', '-'),
  name,
  summary: `About ${name.toLowerCase()}`,
}));

const publicCatalogue: PublicCatalogue = {
  courses: (site, { search = '', first, after = '0' }) => {
    if (!/^\d+$/.test(after)) throw new InvalidRequest('after is not a cursor of this list');
    const found =
      site.id === 'harbour' ? courses.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())) : [];
    const end = Number(after) + first;
    return {
      nodes: found.slice(Number(after), end),
      totalCount: found.length,
      hasNextPage: end < found.length,
      endCursor: String(end),
    };
  },
};

const { data, calls } = testData();
let schools: Schools;
let token: string;
beforeAll(async () => {
  schools = await startSchools({ mcp: { tools: builtInTools({ catalogue: publicCatalogue, data }) } });
  token = await accessToken(schools, 'sam', memberApp);
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(() => schools.close());

const result = async (name: string, args: Params = {}, known: string | undefined = token): Promise<unknown> =>
  resultOf((await callTool(schools.harbour, name, args, { token: known })).body)['structuredContent'];

test('school_info says which school it is, and needs no token', async () => {
  expect(await result('school_info', {}, undefined)).toEqual({
    name: 'Harbour School',
    origin: schools.harbour,
    guide: `${schools.harbour}/auth.md`,
  });
});

test('list_courses goes page by page, and shows the courses of this school alone', async () => {
  expect(await result('list_courses', { first: 2 })).toEqual({
    courses: courses.slice(0, 2),
    totalCount: 3,
    hasNextPage: true,
    endCursor: '2',
  });
  expect(await result('list_courses', { first: 2, after: '2' })).toMatchObject({
    courses: courses.slice(2),
    hasNextPage: false,
  });
  const there = await callTool(schools.summit, 'list_courses');
  expect(resultOf(there.body)['structuredContent']).toMatchObject({ courses: [] });
});

test('search_courses finds by words, and needs some', async () => {
  expect(await result('search_courses', { query: 'SEA' })).toMatchObject({ courses: [courses[2]], totalCount: 1 });
  for (const args of [{}, { query: '' }, { query: 'x'.repeat(201) }, { query: 'a', other: 1 }]) {
    expect(resultOf((await callTool(schools.harbour, 'search_courses', args)).body)['isError']).toBe(true);
  }
});

test.each([0, 101, 1.5, '10', null])('a page of %j is refused', async (first) => {
  for (const name of ['list_courses', 'my_courses', 'my_notifications', 'my_purchases']) {
    expect(resultOf((await callTool(schools.harbour, name, { first }, { token })).body)['isError']).toBe(true);
  }
  expect(calls).toEqual([]);
});

test('a cursor that is not the platform’s is the caller’s mistake, in the platform’s words', async () => {
  const { body } = await callTool(schools.harbour, 'list_courses', { after: 'nonsense' });
  expect([resultOf(body)['isError'], textOf(body)]).toEqual([true, 'after is not a cursor of this list']);
  expect(schools.faults).toEqual([]);
});

test('my_courses, my_purchases and my_notifications are the member’s own, at this school', async () => {
  expect(await result('my_courses', { first: 1 })).toMatchObject({
    courses: [{ slug: expect.any(String) }],
    totalCount: 25,
  });
  expect(await result('my_purchases')).toMatchObject({
    digitalProducts: { totalCount: 1 },
    consultingServices: { totalCount: 1 },
    eventRegistrations: { totalCount: 1 },
  });
  expect(await result('my_notifications')).toMatchObject({
    unreadCount: expect.any(Number),
    notifications: expect.any(Array),
  });
});

test('my_purchases of one kind goes page by page; a cursor alone belongs to nothing', async () => {
  const only = await result('my_purchases', { kind: 'digital_products' });
  expect(Object.keys(Object(only))).toEqual(['digitalProducts']);
  const { body } = await callTool(schools.harbour, 'my_purchases', { after: 'x' }, { token });
  expect(textOf(body)).toContain('after requires kind');
});

test('mark_notification_read marks one of the member’s own, and needs account:write', async () => {
  const unread = async (): Promise<unknown> => Object(await result('my_notifications'))['unreadCount'];
  const { notifications } = Object(await result('my_notifications'));
  const id: unknown = notifications.find((one: object) => !('readAt' in one)).id;
  const before = Number(await unread());
  const readOnly = await accessToken(schools, 'sam', memberApp, 'account:read');
  expect((await callTool(schools.harbour, 'mark_notification_read', { id }, { token: readOnly })).status).toBe(403);
  expect(await unread()).toBe(before);
  expect(await result('mark_notification_read', { id })).toMatchObject({
    notification: { id, readAt: expect.anything() },
  });
  expect(await unread()).toBe(before - 1);
  const missing = await callTool(schools.harbour, 'mark_notification_read', { id: 'nobody-has-this' }, { token });
  expect(textOf(missing.body)).toBe('the person has no notification with this id');
});

test('an operator client neither sees nor reaches what is of the member audience', async () => {
  const operator = await accessToken(schools, 'olivia', reports);
  expect(await listedNames(schools.harbour, { token: operator })).toEqual([
    'school_info',
    'list_courses',
    'search_courses',
    'mark_notification_read',
  ]);
  expect((await callTool(schools.harbour, 'my_courses', {}, { token: operator })).status).toBe(403);
});

test('only what the platform has data for is there', () => {
  const names = (platform: Parameters<typeof builtInTools>[0]): string[] =>
    builtInTools(platform).map(({ name }) => name);
  expect(names({})).toEqual(['school_info']);
  expect(names({ catalogue: publicCatalogue })).toEqual(['school_info', 'list_courses', 'search_courses']);
  expect(names({ data })).toEqual([
    'school_info',
    'my_courses',
    'my_purchases',
    'my_notifications',
    'mark_notification_read',
  ]);
});

/** A row with members that must not leave the server. */
function withMore<T extends object>(row: T): T {
  const more = { orderNumber: 'ORD-42', couponCode: 'FREE', refundStatus: 'none', invoice: 'INV-1', passwordHash: 'x' };
  return { ...row, ...more };
}

test('of a row of the platform, only what the specification names leaves', async () => {
  const page = async <T extends object>(asked: MaybePromise<DataPage<T>>): Promise<DataPage<T>> => {
    const { nodes, ...rest } = await asked;
    return { ...rest, nodes: nodes.map(withMore) };
  };
  const memberData: MemberData = {
    ...data,
    enrolledCourses: (...args) => page(data.enrolledCourses(...args)),
    digitalProducts: (...args) => page(data.digitalProducts(...args)),
    consultingServices: (...args) => page(data.consultingServices(...args)),
    eventRegistrations: (...args) => page(data.eventRegistrations(...args)),
    notifications: (...args) => page(data.notifications(...args)),
    markNotificationRead: async (...args) => {
      const marked = await data.markNotificationRead(...args);
      return marked && withMore(marked);
    },
  };
  const catalogue: PublicCatalogue = { courses: (...args) => page(publicCatalogue.courses(...args)) };
  const tools = builtInTools({ catalogue, data: memberData });
  const wide = await startSchools({ mcp: { tools } });
  try {
    const known = await accessToken(wide, 'sam', memberApp);
    const results = [
      await callTool(wide.harbour, 'list_courses'),
      await callTool(wide.harbour, 'search_courses', { query: 'o' }),
      await callTool(wide.harbour, 'my_courses', {}, { token: known }),
      await callTool(wide.harbour, 'my_purchases', {}, { token: known }),
      await callTool(wide.harbour, 'my_notifications', {}, { token: known }),
      await callTool(wide.harbour, 'mark_notification_read', { id: 'harbour-2' }, { token: known }),
    ].map(({ body }) => JSON.stringify(resultOf(body)['structuredContent']));
    for (const text of results) {
      expect(text).toMatch(/"(slug|id)":"/);
      expect(text).not.toMatch(/ORD-42|couponCode|refund|invoice|passwordHash/);
    }
  } finally {
    await wide.close();
  }
});

test('who may mark a notification does not thereby read it', async () => {
  const writer = await accessToken(schools, 'sam', memberApp, 'openid account:write');
  expect(await result('mark_notification_read', { id: 'harbour-3' }, writer)).toEqual({
    notification: { id: 'harbour-3', createdAt: expect.any(String), readAt: expect.any(String) },
  });
});

test.each([
  ['EnrolledCourse', enrolledCourse],
  ['DigitalProduct', purchase],
  ['ConsultingService', purchase],
  ['EventRegistration', eventRegistration],
  ['Notification', notification],
])('of a %s, what leaves is what the Member API shows', (type, node) => {
  const shown = buildASTSchema(parse(memberSchema), { assumeValidSDL: true }).getType(type);
  const fields = shown && 'getFields' in shown ? Object.keys(shown.getFields()) : [];
  expect(Object.keys(Reflect.apply(node, undefined, [{}])).sort()).toEqual(fields.sort());
});

test('a page that is larger than asked for is a fault of the platform', async () => {
  const greedy = { ...data, enrolledCourses: () => ({ nodes: [1, 2, 3], totalCount: 3, hasNextPage: false }) };
  const tools = [Reflect.apply(myCourses, undefined, [greedy])];
  const other = await startSchools({ mcp: { tools } });
  try {
    const known = await accessToken(other, 'sam', memberApp);
    const { body } = await callTool(other.harbour, 'my_courses', { first: 2 }, { token: known });
    expect(textOf(body)).toContain('failed unexpectedly');
    expect(String(other.faults[0]?.cause)).toContain(
      'data.enrolledCourses() returned nodes.length: 3; it must be at most 2, the requested number',
    );
  } finally {
    await other.close();
  }
});

test('a platform that has a part of the data has the tools for it', async () => {
  const { enrolledCourses, notifications, unreadNotificationCount, markNotificationRead, ...others } = data;
  const namesOf = (part: PartialMemberData): string[] => builtInTools({ data: part }).map(({ name }) => name);
  expect(namesOf({})).toEqual(['school_info']);
  expect(namesOf({ enrolledCourses })).toEqual(['school_info', 'my_courses']);
  expect(namesOf({ notifications })).toEqual(['school_info', 'my_notifications']);
  expect(namesOf({ unreadNotificationCount, markNotificationRead })).toEqual(['school_info', 'mark_notification_read']);
  expect(namesOf(others)).toEqual(['school_info', 'my_purchases']);
});

test('a tool tells and returns only what the platform has', async () => {
  const { notifications, eventRegistrations, digitalProducts, markNotificationRead } = data;
  const text = (part: PartialMemberData): string => JSON.stringify(builtInTools({ data: part }));
  expect(text({ notifications })).not.toContain('unread');
  expect(text({ markNotificationRead })).not.toContain('my_notifications');
  expect(text({ eventRegistrations })).not.toMatch(/digital|consulting/);
  expect(text({ eventRegistrations, digitalProducts })).toContain(
    'Lists the digital products and event registrations of',
  );
  const part = await startSchools({ mcp: { tools: builtInTools({ data: { notifications, eventRegistrations } }) } });
  try {
    const known = await accessToken(part, 'sam', memberApp);
    const called = async (name: string, args: Params) => callTool(part.harbour, name, args, { token: known });
    const inbox = resultOf((await called('my_notifications', { first: 1 })).body);
    expect(Object.keys(Object(inbox['structuredContent']))).not.toContain('unreadCount');
    expect(resultOf((await called('my_purchases', {})).body)['structuredContent']).toEqual({
      eventRegistrations: expect.objectContaining({ totalCount: 1 }),
    });
    const refused = await called('my_purchases', { kind: 'digital_products' });
    expect(JSON.stringify(refused.body)).toMatch(/kind|enum/);
    expect(part.faults).toEqual([]);
  } finally {
    await part.close();
  }
});
