import * as z from 'zod';
import type { MemberApiLimits, MemberApiOptions, MemberResolvers } from '../contracts/member-api.ts';
import { type MemberData, memberDataMethods } from '../contracts/member-data.ts';
import { flag, group, instance, type Members, methods, seconds, whole } from '../protocol/option-schemas.ts';
import { isObject, readOptions } from '../protocol/validate.ts';

export interface MemberApiSettings extends Pick<MemberApiOptions, 'data' | 'typeDefs' | 'resolvers'> {
  readonly limits: MemberApiLimits;
  /** Seconds. */
  readonly timeout: number;
  readonly introspection: boolean;
  readonly graphiql: boolean;
}

const count = whole('whole number', 0, 1_000_000);

const limits: z.ZodType<MemberApiLimits> = group({
  tokens: count.default(2000),
  depth: count.default(15),
  nodes: count.default(1000),
} satisfies Members<MemberApiLimits>);

/** @internal */
export const memberApiSchema: z.ZodType<MemberApiSettings> = group({
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

/** Whether `typeDefs` and `resolvers` fit the schema is checked when the schema is created. */
export function readMemberApi(options?: MemberApiOptions): MemberApiSettings {
  return readOptions(memberApiSchema, options, 'memberApi');
}
