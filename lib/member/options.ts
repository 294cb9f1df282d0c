import type { MemberApiLimits, MemberApiOptions, MemberResolvers } from '../contracts/member-api.ts';
import type { MemberData } from '../contracts/member-data.ts';
import { must } from '../options/checks.ts';

/** `memberApi` as read once: checked and complete. */
export interface MemberApiSettings {
  readonly data: MemberData | undefined;
  readonly typeDefs: string | undefined;
  readonly resolvers: MemberResolvers | undefined;
  readonly limits: MemberApiLimits;
  /** Seconds. */
  readonly timeout: number;
  readonly introspection: boolean;
  readonly graphiql: boolean;
}

const defaultLimits: MemberApiLimits = {
  tokens: 2000,
  depth: 15,
  fields: 500,
  aliases: 30,
  directives: 50,
  nodes: 1000,
};

const names: ReadonlySet<string> = new Set([
  'data',
  'typeDefs',
  'resolvers',
  'limits',
  'timeout',
  'introspection',
  'graphiql',
]);

const dataMethods = [
  'schools',
  'enrolledCourses',
  'digitalProducts',
  'consultingServices',
  'eventRegistrations',
  'notifications',
  'unreadNotificationCount',
  'notificationSubscriptions',
  'markNotificationRead',
  'markAllNotificationsRead',
  'updateNotificationSubscription',
] as const satisfies readonly (keyof MemberData)[];

/** Reads `memberApi`: a complete copy. Whether schema and resolvers fit is checked when the schema is made. */
export function readMemberApi(options: MemberApiOptions = {}): MemberApiSettings {
  must(typeof options === 'object' && options !== null && !Array.isArray(options), 'memberApi', 'be an object');
  for (const name of Object.keys(options)) {
    must(names.has(name), `memberApi.${name}`, `not be given; there are ${[...names].join(', ')}`);
  }
  const { data, typeDefs, resolvers, limits = {}, timeout = 10, introspection = true, graphiql = false } = options;
  if (data !== undefined) checkMethods(data, dataMethods, 'memberApi.data');
  must(typeDefs === undefined || typeof typeDefs === 'string', 'memberApi.typeDefs', 'be text in SDL');
  must(
    resolvers === undefined || (typeof resolvers === 'object' && resolvers !== null),
    'memberApi.resolvers',
    'be an object of types, each an object of resolvers',
  );
  must(typeof limits === 'object' && limits !== null, 'memberApi.limits', 'be an object');
  for (const [name, limit] of Object.entries(limits)) {
    must(
      name in defaultLimits,
      `memberApi.limits.${name}`,
      `not be given; there are ${Object.keys(defaultLimits).join(', ')}`,
    );
    must(
      Number.isSafeInteger(limit) && limit >= 0,
      `memberApi.limits.${name}`,
      `be a whole number, not ${String(limit)}`,
    );
  }
  must(
    Number.isFinite(timeout) && timeout > 0 && timeout <= 3600,
    'memberApi.timeout',
    'be a number of seconds, more than 0 and at most 3600',
  );
  must(typeof introspection === 'boolean', 'memberApi.introspection', 'be true or false');
  must(typeof graphiql === 'boolean', 'memberApi.graphiql', 'be true or false');
  return { data, typeDefs, resolvers, limits: { ...defaultLimits, ...limits }, timeout, introspection, graphiql };
}

function checkMethods<T extends object>(given: T, methods: readonly (keyof T & string)[], path: string): void {
  must(typeof given === 'object' && given !== null, path, 'be an object');
  for (const name of methods) must(typeof given[name] === 'function', `${path}.${name}`, 'be a function');
}
