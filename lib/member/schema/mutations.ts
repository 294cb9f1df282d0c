import { ask } from '../execution/query-host.ts';
import type { CallContext } from '../execution/context.ts';

type Mutation = (root: unknown, args: Readonly<Record<string, unknown>>, context: CallContext) => Promise<object>;

/** If the viewer does not have the object, the payload has a user error. Specification: Member API. */
export const mutations: Readonly<Record<string, Mutation>> = {
  markNotificationRead: async (_root, args, context) => {
    const id = String(args['id']);
    const notification = await ask(context, 'markNotificationRead', (data, viewer, site, call) =>
      data.markNotificationRead(viewer, site, { id }, call),
    );
    return { notification, userErrors: notification ? [] : [notFound('the inbox has no notification with this id')] };
  },

  markAllNotificationsRead: async (_root, _args, context) => ({
    markedCount: await ask(context, 'markAllNotificationsRead', (data, ...rest) =>
      data.markAllNotificationsRead(...rest),
    ),
    userErrors: [],
  }),

  updateNotificationSubscription: async (_root, args, context) => {
    const change = {
      topic: String(args['topic']),
      channel: String(args['channel']),
      subscribed: args['subscribed'] === true,
    };
    const subscription = await ask(context, 'updateNotificationSubscription', (data, viewer, site, call) =>
      data.updateNotificationSubscription(viewer, site, change, call),
    );
    return { subscription, userErrors: subscription ? [] : [notFound('there is no such topic or channel')] };
  },
};

function notFound(message: string): object {
  return { code: 'NOT_FOUND', message };
}
