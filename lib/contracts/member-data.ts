import type { MaybePromise, Member, Site } from './member.ts';

/** A moment: a `Date`, or a string of RFC 3339 with its time zone, `2031-03-10T09:00:00Z`. */
export type Instant = Date | string;

/** Which page of a list is asked for. */
export interface PageRequest {
  /** How many nodes at most: 1 to 100. */
  readonly first: number;
  /** The `endCursor` of the page before; absent for the first page. */
  readonly after?: string | undefined;
}

/** One page of a list. */
export interface DataPage<T> {
  /** No more of them than `first`. */
  readonly nodes: readonly T[];
  /** How many there are on all pages. */
  readonly totalCount: number;
  /** Whether there is a page after this one. */
  readonly hasNextPage: boolean;
  /** What leads to the next page: any text of yours. Absent on an empty page. */
  readonly endCursor?: string | undefined;
}

/** Circumstances of a call. */
export interface CallOptions {
  /** Aborted when nobody waits any more: the caller has gone, or the request took too long. */
  readonly signal: AbortSignal;
}

/** A site at which a person holds a role. */
export interface MemberSchool {
  /** The site's id. */
  readonly id: string;
  readonly name: string;
  readonly origin: string;
  /** The person's roles there, the highest privilege first. */
  readonly roles: readonly string[];
}

/** A course that a person is enrolled in. Specification: Node fields of `enrolledCourses`. */
export interface EnrolledCourse {
  readonly slug: string;
  readonly name: string;
  /** When access ends; absent when it does not. */
  readonly expireDate?: Instant | undefined;
  /** Access without expiry. */
  readonly hasLifetimeAccess: boolean;
  /** Where the person stopped watching; absent before the first lecture. */
  readonly lastWatchedLecture?: WatchedLecture | undefined;
}

/** Where a person stopped watching. */
export interface WatchedLecture {
  readonly lectureId: string;
  /** Seconds from the start of the lecture. */
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

/** An entry of a person's inbox. */
export interface Notification {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** Where it leads. */
  readonly url?: string | undefined;
  readonly createdAt: Instant;
  /** Absent while it is unread. */
  readonly readAt?: Instant | undefined;
}

/** Whether a person wants to hear of a topic over a channel. */
export interface NotificationSubscription {
  /** For example `course_updates`. */
  readonly topic: string;
  /** For example `email`. */
  readonly channel: string;
  readonly subscribed: boolean;
}

/** A question about one person at one site. */
export type MemberQuery<A extends unknown[], R> = (
  viewer: Member,
  site: Site,
  ...rest: [...A, CallOptions]
) => MaybePromise<R>;

/** A question whose answer comes in pages. */
export type PagedMemberQuery<T> = MemberQuery<[page: PageRequest], DataPage<T>>;

/**
 * The Member API's data. Every method gets the member who asks and the site that was asked, and speaks of that person
 * at that site alone. It is called once for each time that a request asks, all at the same time. What it throws is a
 * fault: the caller reads a fixed text, and the event `fault` has the cause. Only a cursor that is not yours is the
 * caller's mistake: throw `InvalidRequest`, whose message they read. Specification: Viewer; Member API.
 */
export interface MemberData {
  /** Every site of the platform at which the person holds a role, not only this one. */
  readonly schools: MemberQuery<[], readonly MemberSchool[]>;
  readonly enrolledCourses: PagedMemberQuery<EnrolledCourse>;
  readonly digitalProducts: PagedMemberQuery<Purchase>;
  readonly consultingServices: PagedMemberQuery<Purchase>;
  readonly eventRegistrations: PagedMemberQuery<EventRegistration>;
  /** The inbox, newest first. */
  readonly notifications: PagedMemberQuery<Notification>;
  readonly unreadNotificationCount: MemberQuery<[], number>;
  readonly notificationSubscriptions: MemberQuery<[], readonly NotificationSubscription[]>;
  /** Marks one as read and answers it; `undefined`, with nothing changed, when the person has none of this id. */
  readonly markNotificationRead: MemberQuery<[args: { readonly id: string }], Notification | undefined>;
  /** Marks all as read and answers how many were not. */
  readonly markAllNotificationsRead: MemberQuery<[], number>;
  /** Answers the subscription as it is now; `undefined`, with nothing changed, for a topic or channel that is not there. */
  readonly updateNotificationSubscription: MemberQuery<
    [args: NotificationSubscription],
    NotificationSubscription | undefined
  >;
}

/** Every method of `MemberData`. */
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
