import * as z from 'zod';
import type { MemberApiLimits, MemberApiOptions, MemberResolvers } from '../contracts/member-api.ts';
import { type MemberData, memberDataMethods } from '../contracts/member-data.ts';
import { flag, group, instance, type Members, methods, seconds, whole } from '../protocol/option-schemas.ts';
import { isObject } from '../protocol/validate.ts';

const count = whole('whole number', 0, 1_000_000);

const limits = group({
  tokens: count.default(2000),
  depth: count.default(15),
  nodes: count.default(1000),
} satisfies Members<MemberApiLimits>);

/** Whether `typeDefs` and `resolvers` fit the schema is checked when the schema is created. @internal */
export const memberApiSchema = group({
  data: instance<MemberData>(methods(memberDataMethods), 'be an object').optional().meta({ type: '`MemberData`' }),
  typeDefs: z.string('be text in SDL').optional(),
  resolvers: z
    .custom<MemberResolvers>(isObject, 'be an object of types, each an object of resolvers')
    .optional()
    .meta({ type: 'object of resolvers' }),
  limits: limits.prefault({}),
  timeout: seconds(3600).default(10),
  introspection: flag.default(true),
  graphiql: flag.default(false),
} satisfies Members<MemberApiOptions>).prefault({});

/** @internal */
export type MemberApiSettings = z.infer<typeof memberApiSchema>;
