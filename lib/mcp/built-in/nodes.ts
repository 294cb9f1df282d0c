import type { PublicCourse } from '../../host/public-catalogue.ts';
import type { EnrolledCourse, EventRegistration, Notification, Purchase } from '../../host/member-data.ts';

// These functions copy the fields that tools may return. The platform's objects can have others, such as order numbers.
// Specification: Viewer, rule 1.

export function publicCourse({ slug, name, summary, url }: PublicCourse): PublicCourse {
  return { slug, name, summary, url };
}

export function enrolledCourse(course: EnrolledCourse): EnrolledCourse {
  const { slug, name, expireDate, hasLifetimeAccess, lastWatchedLecture: last } = course;
  const lastWatchedLecture = last && { lectureId: last.lectureId, positionSeconds: last.positionSeconds };
  return { slug, name, expireDate, hasLifetimeAccess, lastWatchedLecture };
}

export function purchase({ id, slug, name, purchasedAt }: Purchase): Purchase {
  return { id, slug, name, purchasedAt };
}

export function eventRegistration(event: EventRegistration): EventRegistration {
  const { id, slug, name, registeredAt, startsAt, endsAt } = event;
  return { id, slug, name, registeredAt, startsAt, endsAt };
}

export function notification({ id, title, body, url, createdAt, readAt }: Notification): Notification {
  return { id, title, body, url, createdAt, readAt };
}

/** The fields for a token that may mark a notification as read but not read it. */
export function unreadableNotification(entry: Notification): Pick<Notification, 'id' | 'createdAt' | 'readAt'> {
  const { id, createdAt, readAt } = entry;
  return { id, createdAt, readAt };
}
