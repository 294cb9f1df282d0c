import type { SchoolPlatform } from '../../contracts/platform.ts';
import type { Tool } from '../../contracts/tools.ts';
import { markNotificationRead, myCourses, myNotifications } from './account.ts';
import { listCourses, searchCourses } from './courses.ts';
import { myPurchases } from './purchases.ts';
import { schoolInfo } from './school-info.ts';

export type { PageArguments } from './paging.ts';
export type { PurchaseArguments, PurchaseData } from './purchases.ts';
export { listCourses, markNotificationRead, myCourses, myNotifications, myPurchases, schoolInfo, searchCourses };

/** Every built-in tool for which the platform has the data. */
export function builtInTools({
  publicCatalogue: catalogue,
  memberData: data,
}: Pick<SchoolPlatform, 'publicCatalogue' | 'memberData'>): Tool<unknown>[] {
  return [
    schoolInfo(),
    ...(catalogue ? [listCourses(catalogue), searchCourses(catalogue)] : []),
    ...(data ? [myCourses(data), myPurchases(data), myNotifications(data), markNotificationRead(data)] : []),
  ];
}
