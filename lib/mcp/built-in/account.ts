import type { PersonAudience } from '../../core/clients/client.ts';
import type { MemberData, PageRequest } from '../../host/member-data.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import type { ScopedTool } from '../../plugin-contract/tools.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { listed, memberCall, type MemberToolCall, pageArguments, reading } from './listing.ts';
import { enrolledCourse, eventRegistration, notification, purchase, unreadableNotification } from './nodes.ts';

const courses = { method: 'data.enrolledCourses', name: 'courses', node: enrolledCourse };
const notifications = { method: 'data.notifications', name: 'notifications', node: notification };

/** The courses in which the member is enrolled. Requires `account:read`. */
export function myCourses<School extends Site = Site, Person extends Member = Member>(
  data: Pick<MemberData<School, Person>, 'enrolledCourses'>,
): ScopedTool<PageRequest, PersonAudience, School, Person> {
  return {
    name: 'my_courses',
    title: 'My courses',
    description:
      'Lists the courses in which the person is enrolled at this school, when access ends, and where they stopped watching.',
    inputSchema: pageArguments,
    ...reading,
    run: async (args, call) => {
      const page = await data.enrolledCourses(...memberCall(call, args));
      return { structuredContent: listed(courses, args, page) };
    },
  };
}

/** The member's inbox. Requires `account:read`. */
export function myNotifications<School extends Site = Site, Person extends Member = Member>(
  data: Pick<MemberData<School, Person>, 'notifications' | 'unreadNotificationCount'>,
): ScopedTool<PageRequest, PersonAudience, School, Person> {
  return {
    name: 'my_notifications',
    title: 'My notifications',
    description: 'Lists the person’s notifications at this school, newest first, with the number of unread ones.',
    inputSchema: pageArguments,
    ...reading,
    run: async (args, call) => {
      const [page, unreadCount] = await Promise.all([
        data.notifications(...memberCall(call, args)),
        data.unreadNotificationCount(...memberCall(call)),
      ]);
      return { structuredContent: { unreadCount, ...listed(notifications, args, page) } };
    },
  };
}

/** Marks a notification of the member as read. Requires `account:write`, which does not allow reading it. */
export function markNotificationRead<School extends Site = Site, Person extends Member = Member>(
  data: Pick<MemberData<School, Person>, 'markNotificationRead'>,
): ScopedTool<{ readonly id: string }, PersonAudience, School, Person> {
  const id = {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: 'The id of the notification, from my_notifications.',
  };
  return {
    name: 'mark_notification_read',
    title: 'Mark a notification as read',
    description: 'Marks one notification of the person as read.',
    inputSchema: { type: 'object', properties: { id }, required: ['id'], additionalProperties: false },
    access: { scopes: ['account:write'] },
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (args, call) => {
      const marked = await data.markNotificationRead(...memberCall(call, { id: args.id }));
      if (!marked) throw new InvalidRequest('the person has no notification with this id');
      return { structuredContent: { notification: unreadableNotification(marked) } };
    },
  };
}

/** The data of `myPurchases`. */
export type PurchaseData<School extends Site = Site, Person extends Member = Member> = Pick<
  MemberData<School, Person>,
  'digitalProducts' | 'consultingServices' | 'eventRegistrations'
>;

/** Arguments of `my_purchases`. */
export interface PurchaseArguments extends PageRequest {
  /** The kind to list; absent for the first page of each kind. */
  readonly kind?: 'digital_products' | 'consulting_services' | 'event_registrations' | undefined;
}

const kinds: Readonly<Record<NonNullable<PurchaseArguments['kind']>, keyof PurchaseData>> = {
  digital_products: 'digitalProducts',
  consulting_services: 'consultingServices',
  event_registrations: 'eventRegistrations',
};

/** The member's purchases and event registrations. Requires `account:read`. */
export function myPurchases<School extends Site = Site, Person extends Member = Member>(
  data: PurchaseData<School, Person>,
): ScopedTool<PurchaseArguments, PersonAudience, School, Person> {
  const kind = {
    enum: Object.keys(kinds),
    description: 'The kind to list; omit it for the first page of each kind.',
  };
  return {
    name: 'my_purchases',
    title: 'My purchases',
    description:
      'Lists the digital products, consulting services and event registrations of the person at this school.',
    inputSchema: { ...pageArguments, properties: { kind, ...pageArguments.properties } },
    ...reading,
    run: async ({ kind: only, ...args }, call) => {
      if (only === undefined && args.after !== undefined)
        throw new InvalidRequest('after requires kind, since each kind has its own pages');
      const names = only === undefined ? Object.values(kinds) : [kinds[only]];
      const pages = names.map(async (name) => [name, await purchases(data, name, args, call)] as const);
      return { structuredContent: Object.fromEntries(await Promise.all(pages)) };
    },
  };
}

async function purchases<School extends Site, Person extends Member>(
  data: PurchaseData<School, Person>,
  name: keyof PurchaseData,
  args: PageRequest,
  call: MemberToolCall<School, Person>,
) {
  const query = memberCall(call, args);
  const method = `data.${name}`;
  return name === 'eventRegistrations'
    ? listed({ method, node: eventRegistration }, args, await data[name](...query))
    : listed({ method, node: purchase }, args, await data[name](...query));
}
