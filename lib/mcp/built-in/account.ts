import type { PersonAudience } from '../../core/clients/client.ts';
import type { MemberData, PageRequest, PartialMemberData } from '../../host/member-data.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import type { ScopedTool } from '../../plugin-contract/tools.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { alternatives } from '../../core/enabled/enabled.ts';
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

/** The data of `myNotifications`. */
export type NotificationData<School extends Site = Site, Person extends Member = Member> = Pick<
  MemberData<School, Person>,
  'notifications'
> &
  Pick<PartialMemberData<School, Person>, 'unreadNotificationCount'>;

/** The member's inbox, with the number of unread notifications if there is such a function. Requires `account:read`. */
export function myNotifications<School extends Site = Site, Person extends Member = Member>(
  data: NotificationData<School, Person>,
): ScopedTool<PageRequest, PersonAudience, School, Person> {
  return {
    name: 'my_notifications',
    title: 'My notifications',
    description: `Lists the person’s notifications at this school, newest first${data.unreadNotificationCount ? ', with the number of unread ones' : ''}.`,
    inputSchema: pageArguments,
    ...reading,
    run: async (args, call) => {
      const [page, unreadCount] = await Promise.all([
        data.notifications(...memberCall(call, args)),
        data.unreadNotificationCount?.(...memberCall(call)),
      ]);
      return { structuredContent: { unreadCount, ...listed(notifications, args, page) } };
    },
  };
}

/** Marks a notification of the member as read. Requires `account:write`, which does not allow reading it. */
export function markNotificationRead<School extends Site = Site, Person extends Member = Member>(
  data: Pick<MemberData<School, Person>, 'markNotificationRead'> &
    Pick<PartialMemberData<School, Person>, 'notifications'>,
): ScopedTool<{ readonly id: string }, PersonAudience, School, Person> {
  const id = {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: `The id of the notification${data.notifications ? ', from my_notifications' : ''}.`,
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

/** The data of `myPurchases`: at least one of these functions. */
export type PurchaseData<School extends Site = Site, Person extends Member = Member> = Pick<
  PartialMemberData<School, Person>,
  'digitalProducts' | 'consultingServices' | 'eventRegistrations'
>;

/** Arguments of `my_purchases`. */
export interface PurchaseArguments extends PageRequest {
  /** The kind to list; absent for the first page of each kind. */
  readonly kind?: 'digital_products' | 'consulting_services' | 'event_registrations' | undefined;
}

const kinds = [
  { kind: 'digital_products', method: 'digitalProducts', text: 'digital products' },
  { kind: 'consulting_services', method: 'consultingServices', text: 'consulting services' },
  { kind: 'event_registrations', method: 'eventRegistrations', text: 'event registrations' },
] as const;

/** The kinds that a platform has. */
export function purchaseKinds(data: PurchaseData): readonly (typeof kinds)[number][] {
  return kinds.filter(({ method }) => data[method] !== undefined);
}

/** The member's purchases and event registrations. Requires `account:read`. */
export function myPurchases<School extends Site = Site, Person extends Member = Member>(
  data: PurchaseData<School, Person>,
): ScopedTool<PurchaseArguments, PersonAudience, School, Person> {
  const here = kinds.filter(({ method }) => data[method] !== undefined);
  const kind = {
    enum: here.map((each) => each.kind),
    description: 'The kind to list; omit it for the first page of each kind.',
  };
  const texts = alternatives(
    here.map(({ text }) => text),
    'and',
  );
  return {
    name: 'my_purchases',
    title: 'My purchases',
    description: `Lists the ${texts} of the person at this school.`,
    inputSchema: { ...pageArguments, properties: { kind, ...pageArguments.properties } },
    ...reading,
    run: async ({ kind: only, ...args }, call) => {
      if (only === undefined && args.after !== undefined)
        throw new InvalidRequest('after requires kind, since each kind has its own pages');
      const asked = here.filter((each) => only === undefined || each.kind === only);
      const pages = asked.map(async ({ method }) => [method, await purchases(data, method, args, call)] as const);
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
  if (name === 'eventRegistrations') {
    const page = await data.eventRegistrations?.(...query);
    return page && listed({ method, node: eventRegistration }, args, page);
  }
  const page = await data[name]?.(...query);
  return page && listed({ method, node: purchase }, args, page);
}
