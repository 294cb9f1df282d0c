import { GraphQLError, GraphQLScalarType } from 'graphql';
import { DateTimeISOResolver } from 'graphql-scalars';
import type { GuardedMemberData } from '../faults.ts';
import { connectionOf, pageRequest } from './connection.ts';
import type { CallContext } from './context.ts';

type Arguments = Readonly<Record<string, unknown>>;
type Resolver = (parent: unknown, args: Arguments, context: CallContext) => unknown;
type PagedMethod =
  | 'enrolledCourses'
  | 'digitalProducts'
  | 'consultingServices'
  | 'eventRegistrations'
  | 'notifications';

/** Our resolvers by type and field; the other fields are read off what these answer. */
export const memberResolvers: Readonly<Record<string, GraphQLScalarType | Readonly<Record<string, Resolver>>>> = {
  DateTime: dateTime(),
  Query: { viewer: (_root, _args, { viewer }) => viewer },
  Viewer: {
    schools: async (_viewer, _args, context) => {
      const schools = await ask(context, 'schools', (data) => data.schools(context.viewer, context.site, context));
      return schools.filter(({ roles }) => roles.length > 0);
    },
    enrolledCourses: paged('enrolledCourses'),
    digitalProducts: paged('digitalProducts'),
    consultingServices: paged('consultingServices'),
    eventRegistrations: paged('eventRegistrations'),
    notifications: paged('notifications'),
    unreadNotificationCount: simple('unreadNotificationCount'),
    notificationSubscriptions: simple('notificationSubscriptions'),
  },
  Mutation: {},
};

function dateTime(): GraphQLScalarType { return DateTimeISOResolver }
