import type { MemberData } from '../../contracts/member-data.ts';
import type { PublicCatalogue } from '../../contracts/public-catalogue.ts';
import type { Tool } from '../../contracts/tools.ts';
import { must } from '../../options/checks.ts';
import { markNotificationRead, myCourses, myNotifications } from './account.ts';
import { listCourses, searchCourses } from './courses.ts';
import { myPurchases } from './purchases.ts';
import { schoolInfo } from './school-info.ts';

export type { PageArguments } from './paging.ts';
export type { PurchaseArguments, PurchaseData } from './purchases.ts';
export { listCourses, markNotificationRead, myCourses, myNotifications, myPurchases, schoolInfo, searchCourses };

/** Data of the built-in tools. */
export interface BuiltInToolOptions {
  /** For `my_courses`, `my_purchases`, `my_notifications` and `mark_notification_read`. @default none */
  readonly data?: MemberData | undefined;
  /** For `list_courses` and `search_courses`. @default none */
  readonly catalogue?: PublicCatalogue | undefined;
}

/**
 * Every built-in tool for which there is data.
 *
 * @throws TypeError `builtInTools.catalogue.courses must be a function`
 */
export function builtInTools({ data, catalogue }: BuiltInToolOptions): Tool<unknown>[] {
  if (catalogue) must(typeof catalogue.courses === 'function', 'builtInTools.catalogue.courses', 'be a function');
  return [
    schoolInfo(),
    ...(catalogue ? [listCourses(catalogue), searchCourses(catalogue)] : []),
    ...(data ? [myCourses(data), myPurchases(data), myNotifications(data), markNotificationRead(data)] : []),
  ];
}
