import type { GraphQLEnumType, GraphQLResolveInfo, GraphQLScalarType } from 'graphql';
import type { VerifiedToken } from '../core/clients/client.ts';
import type { Member, Site } from '../host/school-platform.ts';
import type { PartialMemberData } from '../host/member-data.ts';

/** Limits of one operation of the Member API. A fragment counts each time it is spread. */
export interface MemberApiLimits {
  /** Lexical tokens of the query text. @default 2000 */
  readonly tokens: number;
  /** Nested selection sets, including fragments. Introspection has a separate limit. @default 15 */
  readonly depth: number;
  /** Nodes of all pages in total: `first`, multiplied along nested pages. @default 1000 */
  readonly nodes: number;
}

/** The context of resolvers. */
export interface MemberContext<School extends Site = Site, Person extends Member = Member> {
  /** The member to whom the token belongs. */
  readonly viewer: Person;
  /** The school of the request. */
  readonly site: School;
  /** The verified token. The scopes that the fields require have already been checked. */
  readonly token: VerifiedToken<School, Person>;
  /** Aborted if the caller disconnects, if the request takes too long, and when the response has been sent. */
  readonly signal: AbortSignal;
}

/**
 * A resolver. Errors that it throws are masked and reported by the event `fault`. Only the message of a `GraphQLError` or
 * an `OAuthError` is sent to the caller, if the resolver throws it or returns it, alone or in a list.
 */
export type MemberResolver<School extends Site = Site, Person extends Member = Member> = {
  resolve(
    parent: unknown,
    args: Readonly<Record<string, unknown>>,
    context: MemberContext<School, Person>,
    info: GraphQLResolveInfo,
  ): unknown;
}['resolve'];

/** Resolvers by type and field, and scalars and enums by name. */
export type MemberResolvers<School extends Site = Site, Person extends Member = Member> = Readonly<
  Record<string, GraphQLScalarType | GraphQLEnumType | Readonly<Record<string, MemberResolver<School, Person>>>>
>;

/** Options of GraphiQL: `GraphiQLOptions` of `graphql-yoga`, with the title of the page. campus-oidc sets the endpoint. */
export type GraphiqlOptions = Readonly<Record<string, unknown>>;

/** Makes the page of GraphiQL from its options. */
export type RenderGraphiql = {
  render(options: GraphiqlOptions): string;
}['render'];

/** Options of the Member API. Specification: Member API. */
export interface MemberApiOptions<School extends Site = Site, Person extends Member = Member> {
  /**
   * Functions that return the platform's data. The schema lacks the fields of missing functions. Without `data`, the API only has `id`,
   * `name` and `email` of the viewer. @default none
   */
  readonly data?: PartialMemberData<School, Person> | undefined;
  /** Additions to the schema in SDL, such as `extend type Viewer { … }`, with `@requiresScopes`. @default none */
  readonly typeDefs?: string | undefined;
  /** Resolvers for `typeDefs`, including `__resolveType` of abstract types, or replacements for built-in resolvers. @default none */
  readonly resolvers?: MemberResolvers<School, Person> | undefined;
  /**
   * Fields that need no scope and contain no data of `boundaries`, such as `Viewer.digitalProducts`. With boundaries, any other field
   * without a scope throws at startup, because no limit applies to it. @default []
   */
  readonly unlimited?: readonly string[] | undefined;
  /** Limits of one operation. See `MemberApiLimits` for the defaults. */
  readonly limits?: Partial<MemberApiLimits> | undefined;
  /** Maximum duration of a request, in seconds, at most 3600. @default 10 */
  readonly timeout?: number | undefined;
  /** Whether the schema is published, by introspection and at `/member/graphql/schema.graphql`. @default true */
  readonly introspection?: boolean | undefined;
  /** Plug-ins of Yoga and envelop, `Plugin<MemberContext>`. Requests without a valid token do not reach them. @default [] */
  readonly plugins?: readonly object[] | undefined;
  /** Whether browsers that open `/member/graphql` get GraphiQL, or its options. Needs `renderGraphiQL`. @default false */
  readonly graphiql?: boolean | GraphiqlOptions | undefined;
  /** Returns the page of GraphiQL: `renderGraphiQL` of `@graphql-yoga/render-graphiql`, which includes all scripts. @default none */
  readonly renderGraphiQL?: RenderGraphiql | undefined;
  /** Whether browsers that open `/member` get the landing page of Yoga. @default false */
  readonly landingPage?: boolean | undefined;
}
