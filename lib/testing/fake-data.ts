import type {
  DataPage,
  EnrolledCourse,
  EventRegistration,
  MemberData,
  MemberSchool,
  Notification,
  NotificationSubscription,
  PageRequest,
  Purchase,
} from '../host/member-data.ts';
import type { Member, Site } from '../host/school-platform.ts';
import type { PublicCatalogue, PublicCourse } from '../host/public-catalogue.ts';
import { InvalidRequest } from '../kernel/errors.ts';
import { ownEntry } from '../kernel/own-entry.ts';

/** The data of one person at one school. Each list is empty by default. */
export interface FakeMemberData {
  readonly enrolledCourses?: readonly EnrolledCourse[] | undefined;
  readonly digitalProducts?: readonly Purchase[] | undefined;
  readonly consultingServices?: readonly Purchase[] | undefined;
  readonly eventRegistrations?: readonly EventRegistration[] | undefined;
  /** Newest first. */
  readonly notifications?: readonly Notification[] | undefined;
  readonly notificationSubscriptions?: readonly NotificationSubscription[] | undefined;
}

/** The data of a fake platform. It stays unchanged: `memberData` remembers the changes of members. */
export interface FakeData {
  /** The data of members, by the ids of the school and the member: `{ harbour: { sam: { enrolledCourses: [...] } } }`. */
  readonly members?: Readonly<Record<string, Readonly<Record<string, FakeMemberData>>>> | undefined;
  /** The public courses, by the id of their school. */
  readonly courses?: Readonly<Record<string, readonly PublicCourse[]>> | undefined;
}

type SchoolsOf = (memberId: string) => readonly MemberSchool[];

interface Inbox {
  notifications: readonly Notification[];
  subscriptions: readonly NotificationSubscription[];
}

/** The data of the Member API, from plain lists. */
export function fakeMemberData({ members = {} }: FakeData, schoolsOf: SchoolsOf): MemberData {
  const inboxes = new Map<string, Inbox>();
  const of = (viewer: Member, site: Site): FakeMemberData =>
    ownEntry(ownEntry(members, site.id) ?? {}, viewer.id) ?? {};
  const inbox = (viewer: Member, site: Site): Inbox => {
    const key = JSON.stringify([site.id, viewer.id]);
    const { notifications = [], notificationSubscriptions: subscriptions = [] } = of(viewer, site);
    const known = inboxes.get(key) ?? { notifications, subscriptions };
    inboxes.set(key, known);
    return known;
  };
  return {
    schools: (viewer) => schoolsOf(viewer.id).map(({ id, name, origin, roles }) => ({ id, name, origin, roles })),
    enrolledCourses: (viewer, site, page) => pageOf(of(viewer, site).enrolledCourses, page),
    digitalProducts: (viewer, site, page) => pageOf(of(viewer, site).digitalProducts, page),
    consultingServices: (viewer, site, page) => pageOf(of(viewer, site).consultingServices, page),
    eventRegistrations: (viewer, site, page) => pageOf(of(viewer, site).eventRegistrations, page),
    notifications: (viewer, site, page) => pageOf(inbox(viewer, site).notifications, page),
    unreadNotificationCount: (viewer, site) => inbox(viewer, site).notifications.filter(isUnread).length,
    notificationSubscriptions: (viewer, site) => inbox(viewer, site).subscriptions,
    markNotificationRead(viewer, site, { id }) {
      const own = inbox(viewer, site);
      own.notifications = own.notifications.map((note) => (note.id === id ? read(note) : note));
      return own.notifications.find((note) => note.id === id);
    },
    markAllNotificationsRead(viewer, site) {
      const own = inbox(viewer, site);
      const unread = own.notifications.filter(isUnread).length;
      own.notifications = own.notifications.map(read);
      return unread;
    },
    updateNotificationSubscription(viewer, site, { topic, channel, subscribed }) {
      const own = inbox(viewer, site);
      const isMeant = (each: NotificationSubscription): boolean => each.topic === topic && each.channel === channel;
      own.subscriptions = own.subscriptions.map((each) => (isMeant(each) ? { ...each, subscribed } : each));
      return own.subscriptions.find(isMeant);
    },
  };
}

function isUnread({ readAt }: Notification): boolean {
  return readAt === undefined;
}

function read(note: Notification): Notification {
  return { ...note, readAt: note.readAt ?? new Date() };
}

/** The public courses, from plain lists. A search finds courses whose name or summary contains the text. */
export function fakeCatalogue({ courses = {} }: FakeData): PublicCatalogue {
  return {
    courses(site, { search = '', ...page }) {
      const wanted = search.trim().toLowerCase();
      const contains = (text = ''): boolean => text.toLowerCase().includes(wanted);
      const found = (ownEntry(courses, site.id) ?? []).filter(
        ({ name, summary }) => contains(name) || contains(summary),
      );
      return pageOf(found, page);
    },
  };
}

/** The cursor of a node is its number in the list, from 1. */
function pageOf<T>(all: readonly T[] = [], { first, after = '0' }: PageRequest): DataPage<T> {
  const start = Number(after);
  if (!/^\d+$/.test(after) || start > all.length)
    throw new InvalidRequest(`there is no cursor ${JSON.stringify(after)}`);
  const nodes = all.slice(start, start + first);
  const end = start + nodes.length;
  return {
    nodes,
    totalCount: all.length,
    hasNextPage: end < all.length,
    ...(nodes.length > 0 && { endCursor: String(end) }),
  };
}
