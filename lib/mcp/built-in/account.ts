import type { MemberData } from '../../contracts/member-data.ts';
import type { Tool } from '../../contracts/tools.ts';
import { InvalidRequest } from '../../protocol/errors.ts';
import { listed, memberCall, type PageArguments, pageArguments, pageRequest, reading } from './listing.ts';
import { enrolledCourse, notification, unreadableNotification } from './nodes.ts';

const courses = { method: 'data.enrolledCourses', name: 'courses', node: enrolledCourse };
const notifications = { method: 'data.notifications', name: 'notifications', node: notification };

/** The courses in which the member is enrolled. Requires `account:read`. */
export function myCourses(data: Pick<MemberData, 'enrolledCourses'>): Tool<PageArguments> {
  return {
    name: 'my_courses',
    title: 'My courses',
    description:
      'Lists the courses in which the person is enrolled at this school, when access ends, and where they stopped watching.',
    inputSchema: pageArguments,
    ...reading,
    run: async (args, call) => {
      const page = await data.enrolledCourses(...memberCall(call, pageRequest(args)));
      return { structuredContent: listed(courses, args, page) };
    },
  };
}

/** The member's inbox. Requires `account:read`. */
export function myNotifications(
  data: Pick<MemberData, 'notifications' | 'unreadNotificationCount'>,
): Tool<PageArguments> {
  return {
    name: 'my_notifications',
    title: 'My notifications',
    description: 'Lists the person’s notifications at this school, newest first, with the number of unread ones.',
    inputSchema: pageArguments,
    ...reading,
    run: async (args, call) => {
      const [page, unreadCount] = await Promise.all([
        data.notifications(...memberCall(call, pageRequest(args))),
        data.unreadNotificationCount(...memberCall(call)),
      ]);
      return { structuredContent: { unreadCount, ...listed(notifications, args, page) } };
    },
  };
}

/** Marks a notification of the member as read. Requires `account:write`, which does not allow reading it. */
export function markNotificationRead(data: Pick<MemberData, 'markNotificationRead'>): Tool<{ readonly id: string }> {
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
