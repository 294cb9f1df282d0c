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
  tokens: count.default(2000).describe('Tokens of the query text.'),
  depth: count.default(15).describe('Levels of nested selections, including those of fragments.'),
  fields: count.default(500).describe('Fields in total.'),
  aliases: count.default(30).describe('Aliased fields.'),
  directives: count.default(50).describe('Directives in total.'),
  nodes: count.default(1000).describe('Nodes that all pages can have together: `first`, multiplied along the path.'),
} satisfies Members<MemberApiLimits>);

/** @internal */
export const memberApiSchema: z.ZodType<MemberApiSettings> = group({
  data: instance<MemberData>(methods(memberDataMethods), 'be an object')
    .optional()
    .meta({ description: 'The platform’s data. Without it, only who the viewer is.', type: '`MemberData`' }),
  typeDefs: z.string('be text in SDL').optional().describe('Additions to the schema, in SDL.'),
  resolvers: z.custom<MemberResolvers>(isObject, 'be an object of types, each an object of resolvers').optional().meta({
    description: 'Resolvers for the additions, or instead of the standard ones.',
    type: 'object of resolvers',
  }),
  limits: limits.prefault({}).describe('Limits on one operation. Fragments count wherever they are spread.'),
  timeout: seconds(3600).default(10).describe('How long a request may take.'),
  introspection: flag.default(true).describe('Whether clients can read the schema.'),
  graphiql: flag.default(false).describe('Whether `GET /member/graphql` is a page for trying queries.'),
} satisfies Members<MemberApiOptions>).prefault({});

/** Whether `typeDefs` and `resolvers` fit the schema is checked when the schema is created. */
export function readMemberApi(options?: MemberApiOptions): MemberApiSettings {
  return readOptions(memberApiSchema, options, 'memberApi');
}
