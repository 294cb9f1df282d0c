import type { GraphQLScalarType } from 'graphql';
import type { DataPage } from '../../contracts/member-data.ts';
import { checkList, checkPage } from '../../host/platform-responses.ts';
import { ask } from '../execution/query-host.ts';
import { connectionOf, pageRequest } from './page.ts';
import type { CallContext } from '../execution/context.ts';
import { dateTime } from './date-time.ts';
import { mutations } from './mutations.ts';

type Resolver = (parent: unknown, args: Readonly<Record<string, unknown>>, context: CallContext) => unknown;

type PagedMethod =
  'enrolledCourses' | 'digitalProducts' | 'consultingServices' | 'eventRegistrations' | 'notifications';

/** The built-in resolvers. All other fields are properties of the objects that these return. */
export const memberResolvers: {
  readonly DateTime: GraphQLScalarType;
  readonly Query: Readonly<Record<string, Resolver>>;
  readonly Mutation: Readonly<Record<string, Resolver>>;
  readonly Viewer: Readonly<Record<string, Resolver>>;
} = {
  DateTime: dateTime,
  Query: { viewer: (_root, _args, { viewer }) => viewer },
  Mutation: mutations,
  Viewer: {
    schools: async (_viewer, _args, context) => {
      const schools = await ask(context, 'schools', (data, ...rest) => data.schools(...rest));
      return checkList('data.schools', schools).filter(({ roles }) => roles.length > 0);
    },
    enrolledCourses: paged('enrolledCourses'),
    digitalProducts: paged('digitalProducts'),
    consultingServices: paged('consultingServices'),
    eventRegistrations: paged('eventRegistrations'),
    notifications: paged('notifications'),
    unreadNotificationCount: (_viewer, _args, context) =>
      ask(context, 'unreadNotificationCount', (data, ...rest) => data.unreadNotificationCount(...rest)),
    notificationSubscriptions: async (_viewer, _args, context) => {
      const subscriptions = await ask(context, 'notificationSubscriptions', (data, ...rest) =>
        data.notificationSubscriptions(...rest),
      );
      return checkList('data.notificationSubscriptions', subscriptions);
    },
  },
};

function paged(method: PagedMethod): Resolver {
  return async (_viewer, args, context) => {
    const request = pageRequest(args);
    const page = await ask<DataPage<unknown>>(context, method, (data, viewer, site, call) =>
      data[method](viewer, site, request, call),
    );
    return connectionOf(checkPage(`data.${method}`, request.first, page));
  };
}
