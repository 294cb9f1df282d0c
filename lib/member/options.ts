import * as z from 'zod';
import type {
  MemberApiLimits,
  MemberApiOptions,
  GraphiqlOptions,
  RenderGraphiql,
  MemberResolvers,
} from '../plugin-contract/member-api.ts';
import { memberDataSchema } from '../host/member-data-option.ts';
import { flag, func, group, list, type Shape, seconds, whole } from '../kernel/option-schemas.ts';
import { isObject } from '../kernel/validate.ts';

const count = whole('whole number', 0, 1_000_000);

const limits = group({
  tokens: count.default(2000),
  depth: count.default(15),
  nodes: count.default(1000),
} satisfies Shape<MemberApiLimits>);

/** Whether `typeDefs` and `resolvers` fit the schema is checked when the schema is created. @internal */
export const memberApiSchema = group({
  data: memberDataSchema.optional(),
  typeDefs: z.string('be text in SDL').optional(),
  resolvers: z
    .custom<MemberResolvers>(isObject, 'be an object of types, each an object of resolvers')
    .optional()
    .meta({ type: 'object of resolvers' }),
  unlimited: list(
    z.string('be the name of a field'),
    'be an array of fields, for example ["Viewer.digitalProducts"]',
  ).default([]),
  limits: limits.prefault({}),
  timeout: seconds(3600).default(10),
  introspection: flag.default(true),
  plugins: list(
    z.custom<object>(isObject, 'be a plug-in of Yoga or envelop, an object with hooks'),
    'be a list of plug-ins',
  )
    .default([])
    .meta({ type: 'list of plug-ins' }),
  graphiql: z
    .union([z.boolean(), z.custom<GraphiqlOptions>(isObject)], 'be true, false or options of GraphiQL')
    .default(false)
    .meta({ type: 'boolean or object' }),
  renderGraphiQL: func<RenderGraphiql>().optional(),
  landingPage: flag.default(false),
} satisfies Shape<MemberApiOptions>)
  .prefault({})
  .refine(({ graphiql, renderGraphiQL }) => graphiql === false || renderGraphiQL !== undefined, {
    path: ['renderGraphiQL'],
    error: 'be given for graphiql: pass renderGraphiQL of @graphql-yoga/render-graphiql',
  });

/** @internal */
export type MemberApiSettings = z.infer<typeof memberApiSchema>;
