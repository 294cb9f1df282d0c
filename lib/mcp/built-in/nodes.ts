import type { PublicCourse } from '../../contracts/public-catalogue.ts';
import type { EnrolledCourse, EventRegistration, Notification, Purchase } from '../../contracts/member-data.ts';

// What leaves by a tool, field by field: rows of a platform have more than the specification shows to anybody, order
// numbers and the like. Specification: Viewer, rule 1.

/** A course as anybody may see it. */
export function publicCourse({ slug, name, summary, url }: PublicCourse): PublicCourse {
  return { slug, name, summary, url };
}

/** A course that a person is enrolled in. */
export function enrolledCourse(course: EnrolledCourse): EnrolledCourse {
  const { slug, name, expireDate, hasLifetimeAccess, lastWatchedLecture: last } = course;
  const lastWatchedLecture = last && { lectureId: last.lectureId, positionSeconds: last.positionSeconds };
  return { slug, name, expireDate, hasLifetimeAccess, lastWatchedLecture };
}

/** A digital product or consulting service. */
export function purchase({ id, slug, name, purchasedAt }: Purchase): Purchase {
  return { id, slug, name, purchasedAt };
}

/** An event that a person registered for. */
export function eventRegistration(event: EventRegistration): EventRegistration {
  const { id, slug, name, registeredAt, startsAt, endsAt } = event;
  return { id, slug, name, registeredAt, startsAt, endsAt };
}

/** An entry of the inbox, to be read. */
export function notification({ id, title, body, url, createdAt, readAt }: Notification): Notification {
  return { id, title, body, url, createdAt, readAt };
}

/** The same for a token that may mark it, and perhaps not read it. */
export function unreadableNotification(entry: Notification): Pick<Notification, 'id' | 'createdAt' | 'readAt'> {
  const { id, createdAt, readAt } = entry;
  return { id, createdAt, readAt };
}
