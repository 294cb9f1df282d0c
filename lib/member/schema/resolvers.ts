import type { GraphQLScalarType } from 'graphql';
import type { DataPage } from '../../host/member-data.ts';
import { type MemberProfile, profileOf } from '../../host/member-profile.ts';
import { isObject } from '../../kernel/validate.ts';
import { isThenable } from '../../observe/faults-to-503.ts';
import { checkList, checkPage } from '../../host/paged-data.ts';
import { queryHost, type CallContext } from '../request/host-calls.ts';
import { dateTime } from './date-time.ts';
import { pageRequest } from './page.ts';

type Resolver = (parent: unknown, args: Readonly<Record<string, unknown>>, context: CallContext) => unknown;

const profileIn = (viewer: unknown): MemberProfile => profileOf(isObject(viewer) ? viewer : {});

/** The built-in resolvers. All other fields are properties of the objects that these return. */
export const memberResolvers: {
  readonly [T in 'Query' | 'Mutation' | 'Viewer']: Readonly<Record<string, Resolver>>;
} & { readonly DateTime: GraphQLScalarType } = {
  DateTime: dateTime,
  Query: { viewer: (_root, _args, { viewer }) => viewer },
  Viewer: {
    name: (viewer) => profileIn(viewer).name,
    email: (viewer, _args, { token, deadline, seesEmail }) => {
      const { email } = profileIn(viewer);
      if (email === undefined || token.scopes.includes('email')) return email;
      const allowed = seesEmail().then((sees) => (sees ? email : undefined));
      return deadline.within(allowed, 'Viewer.email');
    },
    schools: async (_viewer, _args, context) => {
      const schools = await queryHost(context, 'schools', (data, ...rest) => data.schools(...rest));
      return checkList('data.schools', schools).filter(({ roles }) => roles.length > 0);
    },
    enrolledCourses: paged('enrolledCourses'),
    digitalProducts: paged('digitalProducts'),
    consultingServices: paged('consultingServices'),
    eventRegistrations: paged('eventRegistrations'),
    notifications: paged('notifications'),
    unreadNotificationCount: (_viewer, _args, context) =>
      queryHost(context, 'unreadNotificationCount', (data, ...rest) => data.unreadNotificationCount(...rest)),
    notificationSubscriptions: async (_viewer, _args, context) => {
      const subscriptions = await queryHost(context, 'notificationSubscriptions', (data, ...rest) =>
        data.notificationSubscriptions(...rest),
      );
      return checkList('data.notificationSubscriptions', subscriptions);
    },
  },
  // If the viewer does not have the object, the payload has a user error. Specification: Member API.
  Mutation: {
    markNotificationRead: async (_root, args, context) => {
      const id = String(args['id']);
      const notification = await queryHost(context, 'markNotificationRead', (data, viewer, site, call) =>
        data.markNotificationRead(viewer, site, { id }, call),
      );
      return { notification, userErrors: foundOr(notification, 'the inbox has no notification with this id') };
    },
    markAllNotificationsRead: async (_root, _args, context) => ({
      markedCount: await queryHost(context, 'markAllNotificationsRead', (data, ...rest) =>
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
      const subscription = await queryHost(context, 'updateNotificationSubscription', (data, viewer, site, call) =>
        data.updateNotificationSubscription(viewer, site, change, call),
      );
      return { subscription, userErrors: foundOr(subscription, 'there is no such topic or channel') };
    },
  },
};

function paged(
  method: 'enrolledCourses' | 'digitalProducts' | 'consultingServices' | 'eventRegistrations' | 'notifications',
): Resolver {
  return (_viewer, args, context) => {
    const request = pageRequest(args);
    const connection = (page: DataPage<unknown>): object => {
      const { nodes, totalCount, hasNextPage, endCursor } = checkPage(`data.${method}`, request.first, page);
      return { nodes, totalCount, pageInfo: { hasNextPage, endCursor } };
    };
    const page = queryHost<DataPage<unknown>, typeof method>(context, method, (data, viewer, site, call) =>
      data[method](viewer, site, request, call),
    );
    return isThenable(page) ? page.then(connection) : connection(page);
  };
}

function foundOr(object: object | undefined, message: string): object[] {
  return object ? [] : [{ code: 'NOT_FOUND', message }];
}
