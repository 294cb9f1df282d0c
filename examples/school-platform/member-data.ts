import type { DatabaseSync } from 'node:sqlite';
import type { MemberData } from 'campus-oidc/member-api';
import { createInbox } from './inbox.ts';
import { createPurchases } from './purchases.ts';
import type { Queries } from './queries.ts';

/** The data of the Member API, from the platform's database. Each method returns data of one person at one school. */
export function schoolMemberData(database: DatabaseSync, queries: Queries): MemberData {
  const purchases = createPurchases(database);
  const inbox = createInbox(database);
  return {
    schools: (viewer) =>
      queries.everySchool().map(({ id, name, origin }) => {
        const roles = queries.member(id, viewer.id)?.roles ?? [];
        return { id, name, origin, roles };
      }),
    enrolledCourses: (viewer, site, page) => purchases.courses(viewer.id, site.id, page),
    digitalProducts: (viewer, site, page) => purchases.products(viewer.id, site.id, page),
    consultingServices: (viewer, site, page) => purchases.services(viewer.id, site.id, page),
    eventRegistrations: (viewer, site, page) => purchases.events(viewer.id, site.id, page),
    notifications: (viewer, site, page) => inbox.page(viewer.id, site.id, page),
    unreadNotificationCount: (viewer, site) => inbox.unreadCount(viewer.id, site.id),
    notificationSubscriptions: (viewer, site) => inbox.subscriptions(viewer.id, site.id),
    markNotificationRead: (viewer, site, { id }) => inbox.markRead(viewer.id, site.id, id),
    markAllNotificationsRead: (viewer, site) => inbox.markAllRead(viewer.id, site.id),
    updateNotificationSubscription: (viewer, site, change) =>
      inbox.subscribe(viewer.id, site.id, change) ? change : undefined,
  };
}
