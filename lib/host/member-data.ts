import type { MaybePromise, Member, Site } from './school-platform.ts';

/** A point in time: a `Date`, or an RFC 3339 string with a time zone, `2031-03-10T09:00:00Z`. */
export type Instant = Date | string;

/** Which page of a list is requested. */
export interface PageRequest {
  /** The maximum number of nodes, 1 to 100. */
  readonly first: number;
  /** The `endCursor` of the previous page. Absent for the first page. */
  readonly after?: string | undefined;
}

/** One page of a list. */
export interface DataPage<T> {
  /** At most `first` nodes. */
  readonly nodes: readonly T[];
  /** The number of nodes on all pages. */
  readonly totalCount: number;
  /** Whether there is a next page. */
  readonly hasNextPage: boolean;
  /** A cursor for the next page: any text of at most 1024 characters. Absent on an empty page. */
  readonly endCursor?: string | undefined;
}

/** Options of a call to the platform. */
export interface CallOptions {
  /** Aborted if the caller disconnects or the request takes too long. */
  readonly signal: AbortSignal;
}

/** A school at which a person has a role. */
export interface MemberSchool {
  /** The school's id. */
  readonly id: string;
  /** The school's name. */
  readonly name: string;
  /** The school's origin, for example `https://harbour.example`. */
  readonly origin: string;
  /** The person's roles there, highest privilege first. */
  readonly roles: readonly string[];
}

/** A course that a person is enrolled in. Specification: Node fields of `enrolledCourses`. */
export interface EnrolledCourse {
  readonly slug: string;
  readonly name: string;
  /** The time when access ends. Absent if it does not end. */
  readonly expireDate?: Instant | undefined;
  /** Whether access has no end. */
  readonly hasLifetimeAccess: boolean;
  /** The last watched lecture. Absent if the person has not watched a lecture. */
  readonly lastWatchedLecture?: WatchedLecture | undefined;
}

/** The last watched lecture of a course and the position in it. */
export interface WatchedLecture {
  readonly lectureId: string;
  /** The position in the lecture, in seconds. */
  readonly positionSeconds: number;
}

/** A digital product or consulting service that a person bought. Specification: Viewer, rule 1. */
export interface Purchase {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly purchasedAt: Instant;
}

/** An event that a person registered for. */
export interface EventRegistration {
  /** The event's id. */
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly registeredAt: Instant;
  readonly startsAt: Instant;
  readonly endsAt: Instant;
}

/** A notification in a person's inbox. */
export interface Notification {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** The address that the notification links to. */
  readonly url?: string | undefined;
  readonly createdAt: Instant;
  /** Absent if the notification is unread. */
  readonly readAt?: Instant | undefined;
}

/** Whether a person receives notifications about a topic through a channel. */
export interface NotificationSubscription {
  /** For example `course_updates`. */
  readonly topic: string;
  /** For example `email`. */
  readonly channel: string;
  readonly subscribed: boolean;
}

/** A query or change for one person at one school. */
export type MemberQuery<A extends unknown[], R, School extends Site = Site, Person extends Member = Member> = (
  viewer: Person,
  site: School,
  ...rest: [...A, CallOptions]
) => MaybePromise<R>;

/** A query that returns pages. */
export type PagedMemberQuery<T, School extends Site = Site, Person extends Member = Member> = MemberQuery<
  [page: PageRequest],
  DataPage<T>,
  School,
  Person
>;

/**
 * The data of the Member API. Every method gets the member and the school of the request and returns data of that person at that school
 * only. A request that selects a field several times calls its method several times, concurrently. If a method throws, that is a fault: the
 * caller gets a fixed text, and the event `fault` has the cause. For an unknown cursor, throw `InvalidRequest`. Its message is sent to the
 * caller. Specification: Viewer; Member API.
 */
export interface MemberData<School extends Site = Site, Person extends Member = Member> {
  /** Returns every school of the platform at which the person has a role, not only this school. */
  readonly schools: MemberQuery<[], readonly MemberSchool[], School, Person>;
  readonly enrolledCourses: PagedMemberQuery<EnrolledCourse, School, Person>;
  readonly digitalProducts: PagedMemberQuery<Purchase, School, Person>;
  readonly consultingServices: PagedMemberQuery<Purchase, School, Person>;
  readonly eventRegistrations: PagedMemberQuery<EventRegistration, School, Person>;
  /** Returns the inbox, newest first. */
  readonly notifications: PagedMemberQuery<Notification, School, Person>;
  readonly unreadNotificationCount: MemberQuery<[], number, School, Person>;
  readonly notificationSubscriptions: MemberQuery<[], readonly NotificationSubscription[], School, Person>;
  /** Marks one notification as read and returns it, or `undefined` if the person has no notification with this id. */
  readonly markNotificationRead: MemberQuery<[args: { readonly id: string }], Notification | undefined, School, Person>;
  /** Marks all notifications as read and returns how many were unread. */
  readonly markAllNotificationsRead: MemberQuery<[], number, School, Person>;
  /** Changes a subscription and returns it, or `undefined` if the topic or channel does not exist. */
  readonly updateNotificationSubscription: MemberQuery<
    [args: NotificationSubscription],
    NotificationSubscription | undefined,
    School,
    Person
  >;
}

/** The functions of `MemberData` that a platform has. Fields and tools of the others do not exist. */
export type PartialMemberData<School extends Site = Site, Person extends Member = Member> = {
  readonly [Method in keyof MemberData]?: MemberData<School, Person>[Method] | undefined;
};

export const memberDataMethods: readonly (keyof MemberData)[] = [
  'schools',
  'enrolledCourses',
  'digitalProducts',
  'consultingServices',
  'eventRegistrations',
  'notifications',
  'unreadNotificationCount',
  'notificationSubscriptions',
  'markNotificationRead',
  'markAllNotificationsRead',
  'updateNotificationSubscription',
];

export function isDataMethod(name: string): name is keyof MemberData {
  return memberDataMethods.some((method) => method === name);
}

export function serves<Method extends keyof MemberData>(
  data: PartialMemberData,
  method: Method,
): data is PartialMemberData & Pick<MemberData, Method> {
  return data[method] !== undefined;
}
