import type { DataCall, MemberData, Page } from '../../contracts/member-data.ts';
import type { Member } from '../../contracts/member.ts';
import type { Tool, ToolCall } from '../../contracts/tools.ts';
import { InvalidRequest } from '../../errors.ts';
import { type PageArguments, pageProperties, pageRequest } from './paging.ts';

const reading = {
  access: { scopes: ['account:read'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const;
const pages = { type: 'object', properties: pageProperties, additionalProperties: false } as const;

/** The courses that the member is enrolled in. Needs `account:read`. */
export function myCourses(data: Pick<MemberData, 'enrolledCourses'>): Tool<PageArguments> {
  return {
    name: 'my_courses',
    title: 'My courses',
    description: 'Lists the courses that the person is enrolled in here, until when, and where they stopped watching.',
    inputSchema: pages,
    ...reading,
    run: async (args, call) => {
      const page = await data.enrolledCourses(memberOf(call), call.site, pageRequest(args), waiting(call));
      return { structuredContent: named('courses', page) };
    },
  };
}

/** What can be bought, by the name of its argument and of its data. */
const purchases = {
  digital_products: 'digitalProducts',
  consulting_services: 'consultingServices',
  event_registrations: 'eventRegistrations',
} as const;

/** Arguments of `my_purchases`. */
export interface PurchaseArguments extends PageArguments {
  readonly kind?: keyof typeof purchases | undefined;
}

/** What the member bought and registered for. Needs `account:read`. */
export function myPurchases(
  data: Pick<MemberData, (typeof purchases)[keyof typeof purchases]>,
): Tool<PurchaseArguments> {
  const kinds = Object.keys(purchases);
  const kind = { enum: kinds, description: 'One kind alone; leave it out for the first page of each.' };
  return {
    name: 'my_purchases',
    title: 'My purchases',
    description: 'Lists digital products, consulting services and event registrations that the person has here.',
    inputSchema: { ...pages, properties: { kind, ...pageProperties } },
    ...reading,
    run: async ({ kind: only, ...args }, call) => {
      if (only === undefined && args.after !== undefined)
        throw new InvalidRequest('after needs kind: whose next page?');
      const asked = Object.entries(purchases).filter(([name]) => only === undefined || name === only);
      const answers = asked.map(async ([, name]) => {
        const page = await data[name](memberOf(call), call.site, pageRequest(args), waiting(call));
        return [name, named('nodes', page)] as const;
      });
      return { structuredContent: Object.fromEntries(await Promise.all(answers)) };
    },
  };
}

/** The member's inbox. Needs `account:read`. */
export function myNotifications(
  data: Pick<MemberData, 'notifications' | 'unreadNotificationCount'>,
): Tool<PageArguments> {
  return {
    name: 'my_notifications',
    title: 'My notifications',
    description: 'Lists the person’s notifications here, newest first, and says how many are unread.',
    inputSchema: pages,
    ...reading,
    run: async (args, call) => {
      const member = memberOf(call);
      const [page, unreadCount] = await Promise.all([
        data.notifications(member, call.site, pageRequest(args), waiting(call)),
        data.unreadNotificationCount(member, call.site, waiting(call)),
      ]);
      return { structuredContent: { unreadCount, ...named('notifications', page) } };
    },
  };
}

/** Marks a notification of the member as read. Needs `account:write`. */
export function markNotificationRead(data: Pick<MemberData, 'markNotificationRead'>): Tool<{ readonly id: string }> {
  const id = { type: 'string', minLength: 1, maxLength: 200, description: 'The id, from my_notifications.' };
  return {
    name: 'mark_notification_read',
    title: 'Mark a notification as read',
    description: 'Marks one notification of the person as read.',
    inputSchema: { type: 'object', properties: { id }, required: ['id'], additionalProperties: false },
    access: { scopes: ['account:write'] },
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (args, call) => {
      const notification = await data.markNotificationRead(memberOf(call), call.site, { id: args.id }, waiting(call));
      if (!notification) throw new InvalidRequest('the person has no notification with this id');
      return { structuredContent: { notification } };
    },
  };
}

function memberOf({ access }: ToolCall): Member {
  if (!access) throw new Error('a tool that needs scopes was called without a token');
  return access.member;
}

function waiting({ signal }: ToolCall): DataCall {
  return { signal };
}

function named(name: string, { nodes, totalCount, hasNextPage, endCursor }: Page<unknown>): object {
  return { [name]: nodes, totalCount, hasNextPage, endCursor };
}
