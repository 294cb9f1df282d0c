import type { MemberData, DataPage, PageRequest } from '../../lib/member/index.ts';

/** What every contender is asked. */
export const query = `{
  viewer {
    id
    name
    email
    enrolledCourses(first: 5) { nodes { slug } }
  }
}`;

const courses = Array.from({ length: 12 }, (_, i) => ({
  slug: `course-${i}`,
  name: `Course ${i}`,
  expireDate: new Date('2031-01-01T00:00:00Z'),
  hasLifetimeAccess: false,
  lastWatchedLecture: { lectureId: `lecture-${i}`, positionSeconds: i },
}));

/** Data out of memory: what is measured is the way to it. */
export const data: MemberData = {
  schools: () => [{ id: 'harbour', name: 'Harbour School', origin: 'https://harbour.example', roles: ['student'] }],
  enrolledCourses: (_viewer, _site, page) => pageOf(courses, page),
  digitalProducts: (_viewer, _site, page) => pageOf([], page),
  consultingServices: (_viewer, _site, page) => pageOf([], page),
  eventRegistrations: (_viewer, _site, page) => pageOf([], page),
  notifications: (_viewer, _site, page) => pageOf([], page),
  unreadNotificationCount: () => 0,
  notificationSubscriptions: () => [],
  markNotificationRead: () => undefined,
  markAllNotificationsRead: () => 0,
  updateNotificationSubscription: () => undefined,
};

function pageOf<T>(all: readonly T[], { first }: PageRequest): DataPage<T> {
  return {
    nodes: all.slice(0, first),
    totalCount: all.length,
    hasNextPage: all.length > first,
    endCursor: String(first),
  };
}
