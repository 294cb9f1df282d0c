import { InvalidRequest } from '../../lib/index.ts';
import type {
  CallOptions,
  MemberData,
  Notification,
  NotificationSubscription,
  DataPage,
  PageRequest,
} from '../../lib/member/index.ts';

/** A call of the data, as it came. */
export interface RecordedCall {
  readonly method: string;
  readonly site: string;
  readonly viewer: string;
  readonly args: readonly unknown[];
}

/** The data of the test schools, and what was asked of it. */
export interface TestData {
  readonly data: MemberData;
  readonly calls: RecordedCall[];
}

type Inbox = Record<string, { notifications: Notification[]; subscriptions: NotificationSubscription[] }>;

/** Sam has 25 courses at Harbour and one at Summit; ids and names say where they belong. */
export function testData(): TestData {
  const calls: RecordedCall[] = [];
  const inboxes: Inbox = { 'harbour/sam': inboxOf('harbour'), 'summit/sam': inboxOf('summit') };
  const inbox = (site: string, viewer: string) =>
    inboxes[`${site}/${viewer}`] ?? { notifications: [], subscriptions: [] };
  const data: MemberData = {
    schools: (viewer) => [
      { id: 'harbour', name: 'Harbour School', origin: 'https://harbour.example', roles: ['student'] },
      { id: 'summit', name: 'Summit School', origin: 'https://summit.example', roles: [...viewer.roles] },
    ],
    enrolledCourses: (viewer, site, page) => pageOf(courses(site.id, viewer.id), page),
    digitalProducts: (_viewer, site, page) => pageOf([purchase(site.id, 'product')], page),
    consultingServices: (_viewer, site, page) => pageOf([purchase(site.id, 'service')], page),
    eventRegistrations: (_viewer, site, page) =>
      pageOf([{ ...purchase(site.id, 'event'), registeredAt: day(1), startsAt: day(2), endsAt: day(3) }], page),
    notifications: (viewer, site, page) => pageOf(inbox(site.id, viewer.id).notifications, page),
    unreadNotificationCount: (viewer, site) =>
      inbox(site.id, viewer.id).notifications.filter(({ readAt }) => readAt === undefined).length,
    notificationSubscriptions: (viewer, site) => inbox(site.id, viewer.id).subscriptions,
    markNotificationRead: (viewer, site, { id }) => {
      const { notifications } = inbox(site.id, viewer.id);
      const at = notifications.findIndex((notification) => notification.id === id);
      const found = notifications[at];
      if (!found) return undefined;
      return (notifications[at] = { ...found, readAt: found.readAt ?? day(9) });
    },
    markAllNotificationsRead: (viewer, site) => {
      const { notifications } = inbox(site.id, viewer.id);
      const unread = notifications.filter(({ readAt }) => readAt === undefined);
      for (const notification of unread) {
        notifications[notifications.indexOf(notification)] = { ...notification, readAt: day(9) };
      }
      return unread.length;
    },
    updateNotificationSubscription: (viewer, site, { topic, channel, subscribed }) => {
      const { subscriptions } = inbox(site.id, viewer.id);
      const at = subscriptions.findIndex((known) => known.topic === topic && known.channel === channel);
      return at < 0 ? undefined : (subscriptions[at] = { topic, channel, subscribed });
    },
  };
  return { data: recorded(data, calls), calls };
}

function recorded(data: MemberData, calls: RecordedCall[]): MemberData {
  const watched = Object.entries(data).map(([method, call]: [string, (...args: never[]) => unknown]) => [
    method,
    (viewer: { id: string }, site: { id: string }, ...rest: [...unknown[], CallOptions]) => {
      calls.push({ method, site: site.id, viewer: viewer.id, args: rest.slice(0, -1) });
      return Reflect.apply(call, undefined, [viewer, site, ...rest]);
    },
  ]);
  return Object.fromEntries(watched);
}

function pageOf<T>(all: readonly T[], { first, after }: PageRequest): DataPage<T> {
  if (after !== undefined && !/^\d+$/.test(after)) throw new InvalidRequest('after is no cursor of this list');
  const start = after === undefined ? 0 : Number(after);
  const nodes = all.slice(start, start + first);
  const end = start + nodes.length;
  return {
    nodes,
    totalCount: all.length,
    hasNextPage: end < all.length,
    endCursor: nodes.length > 0 ? String(end) : undefined,
  };
}

function courses(site: string, viewer: string) {
  const count = viewer !== 'sam' ? 0 : site === 'harbour' ? 25 : 1;
  return Array.from({ length: count }, (_, i) => ({
    slug: `${site}-course-${i + 1}`,
    name: `Course ${i + 1}`,
    expireDate: i === 0 ? undefined : day(i),
    hasLifetimeAccess: i === 0,
    lastWatchedLecture: i === 1 ? undefined : { lectureId: `lecture-${i}`, positionSeconds: i * 10 },
  }));
}

function purchase(site: string, what: string) {
  return { id: `${site}-${what}`, slug: `a-${what}`, name: `The ${what} of ${site}`, purchasedAt: day(1) };
}

function inboxOf(site: string) {
  const notifications: Notification[] = [3, 2, 1].map((i) => ({
    id: `${site}-${i}`,
    title: `Title ${i}`,
    body: `Body ${i} at ${site}`,
    url: i === 3 ? `https://${site}.example/news` : undefined,
    createdAt: day(i),
    readAt: i === 1 ? day(4) : undefined,
  }));
  const subscriptions: NotificationSubscription[] = [
    { topic: 'course_updates', channel: 'email', subscribed: true },
    { topic: 'school_news', channel: 'in_app', subscribed: false },
  ];
  return { notifications, subscriptions };
}

function day(of: number): string {
  return `2031-01-${String(of).padStart(2, '0')}T09:00:00Z`;
}
