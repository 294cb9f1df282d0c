import { type PartialMemberData, serves } from '../../host/member-data.ts';
import { memberDataSchema } from '../../host/member-data-option.ts';
import { type PublicCatalogue, publicCatalogueMethods } from '../../host/public-catalogue.ts';
import type { PersonAudience } from '../../core/clients/client.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import type { Tool } from '../../plugin-contract/tools.ts';
import { group, instance, methods } from '../../kernel/option-schemas.ts';
import { readOptions } from '../../kernel/validate.ts';
import { markNotificationRead, myCourses, myNotifications, myPurchases, purchaseKinds } from './account.ts';
import { listCourses, schoolInfo, searchCourses } from './public.ts';

/** Data of the built-in tools. */
export interface BuiltInToolOptions<School extends Site = Site, Person extends Member = Member> {
  /**
   * Data for `my_courses`, `my_purchases`, `my_notifications` and `mark_notification_read`, as far as it has their functions. @default none
   */
  readonly data?: PartialMemberData<School, Person> | undefined;
  /** Data for `list_courses` and `search_courses`. @default none */
  readonly catalogue?: PublicCatalogue<School> | undefined;
}

const schema = group({
  data: memberDataSchema.optional(),
  catalogue: instance<PublicCatalogue>(methods(publicCatalogueMethods), 'be an object').optional(),
});

/**
 * Returns every built-in tool that has data.
 *
 * @throws TypeError `builtInTools.catalogue.courses must be a function`
 */
export function builtInTools<School extends Site = Site, Person extends Member = Member>(
  options: BuiltInToolOptions<School, Person>,
): Tool<unknown, PersonAudience, School, Person>[];
// Inside, a school is a `Site`, as in `mcp`.
export function builtInTools(options: BuiltInToolOptions): Tool<unknown>[] {
  const { data, catalogue } = readOptions(schema, options, 'builtInTools');
  return [
    schoolInfo(),
    ...(catalogue ? [listCourses(catalogue), searchCourses(catalogue)] : []),
    ...(data ? accountTools(data) : []),
  ];
}

function accountTools(data: PartialMemberData): Tool<unknown>[] {
  return [
    ...(serves(data, 'enrolledCourses') ? [myCourses(data)] : []),
    ...(purchaseKinds(data).length > 0 ? [myPurchases(data)] : []),
    ...(serves(data, 'notifications') ? [myNotifications(data)] : []),
    ...(serves(data, 'markNotificationRead') ? [markNotificationRead(data)] : []),
  ];
}
