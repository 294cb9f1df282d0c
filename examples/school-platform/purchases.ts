import type { DatabaseSync } from 'node:sqlite';
import type { EnrolledCourse, EventRegistration, Purchase } from 'campus-oidc/member-api';
import { integer, optionalText, type Row, text } from './columns.ts';
import { createPager } from './pager.ts';

/** A person's purchases at a school. Every statement is prepared once. */
export function createPurchases(database: DatabaseSync) {
  return {
    courses: createPager(
      database,
      `SELECT slug AS cursor, courses.*, enrollments.* FROM enrollments JOIN courses ON courses.id = course_id
       WHERE person_id = ?1 AND school_id = ?2`,
      toCourse,
    ),
    products: createPager(
      database,
      `SELECT slug AS cursor, digital_products.*, purchased_at FROM digital_product_purchases
       JOIN digital_products ON digital_products.id = product_id WHERE person_id = ?1 AND school_id = ?2`,
      toPurchase,
    ),
    services: createPager(
      database,
      `SELECT slug AS cursor, consulting_services.*, purchased_at FROM consulting_purchases
       JOIN consulting_services ON consulting_services.id = service_id WHERE person_id = ?1 AND school_id = ?2`,
      toPurchase,
    ),
    events: createPager(
      database,
      `SELECT slug AS cursor, events.*, registered_at FROM event_registrations
       JOIN events ON events.id = event_id WHERE person_id = ?1 AND school_id = ?2`,
      toRegistration,
    ),
  };
}

function toCourse(row: Row): EnrolledCourse {
  const expireDate = optionalText(row, 'expire_date');
  const lectureId = optionalText(row, 'last_lecture_id');
  return {
    slug: text(row, 'slug'),
    name: text(row, 'title'),
    hasLifetimeAccess: expireDate === undefined,
    ...(expireDate !== undefined && { expireDate: new Date(expireDate) }),
    ...(lectureId !== undefined && {
      lastWatchedLecture: { lectureId, positionSeconds: integer(row, 'last_position_seconds') },
    }),
  };
}

function toPurchase(row: Row): Purchase {
  return { ...identityOf(row), purchasedAt: text(row, 'purchased_at') };
}

function toRegistration(row: Row): EventRegistration {
  const [registeredAt, startsAt, endsAt] = [text(row, 'registered_at'), text(row, 'starts_at'), text(row, 'ends_at')];
  return { ...identityOf(row), registeredAt, startsAt, endsAt };
}

function identityOf(row: Row) {
  return { id: text(row, 'id'), slug: text(row, 'slug'), name: text(row, 'title') };
}
