import type { GraphQLEnumType, GraphQLResolveInfo, GraphQLScalarType } from 'graphql';
import type { Access } from './access.ts';
import type { Member, Site } from './member.ts';
import type { MemberData } from './member-data.ts';

/** Limits on one operation of the Member API. Fragments are counted wherever they are spread. */
export interface MemberApiLimits {
  /** Words and signs of the query text. @default 2000 */
  readonly tokens: number;
  /** Levels of braces, those of fragments too; introspection has a limit of its own. @default 15 */
  readonly depth: number;
  /** Fields in all. @default 500 */
  readonly fields: number;
  /** Fields under another name. @default 30 */
  readonly aliases: number;
  /** Directives. @default 50 */
  readonly directives: number;
  /** Nodes that its pages can have in all: `first`, multiplied along the path. @default 1000 */
  readonly nodes: number;
}

/** What resolvers know of a request. */
export interface MemberContext {
  /** Who the token stands for. */
  readonly viewer: Member;
  readonly site: Site;
  /** The token's client and scopes; what fields need of them has been checked before. */
  readonly access: Access;
  /** Aborted when nobody waits any more: the caller has gone, the request took too long, or it has been answered. */
  readonly signal: AbortSignal;
}

/**
 * A resolver. What it throws is masked, and told by the event `fault`; the message of a `GraphQLError` or of one of our
 * errors is the caller's to read, if the resolver itself throws it, or answers it alone or in a list.
 */
export type MemberResolver = {
  resolve(
    parent: unknown,
    args: Readonly<Record<string, unknown>>,
    context: MemberContext,
    info: GraphQLResolveInfo,
  ): unknown;
}['resolve'];

/** Resolvers by type and field, and scalars and enums by name. */
export type MemberResolvers = Readonly<
  Record<string, GraphQLScalarType | GraphQLEnumType | Readonly<Record<string, MemberResolver>>>
>;

/** Options of `memberApi`. */
export interface MemberApiOptions {
  /** What the platform knows of a member. Without it the API says who the viewer is; the other fields are not served. */
  readonly data?: MemberData | undefined;
  /** More of the schema, in SDL: types, and `extend type Viewer { … }`. `@requiresScopes` guards fields and types. */
  readonly typeDefs?: string | undefined;
  /** Resolvers for it, or instead of ours. A type's `__resolveType` goes here too. */
  readonly resolvers?: MemberResolvers | undefined;
  readonly limits?: Partial<MemberApiLimits> | undefined;
  /** Seconds until a request that hangs is cut off. @default 10 */
  readonly timeout?: number | undefined;
  /** Whether the schema can be read: by introspection, and at `/member/graphql/schema.graphql`. @default true */
  readonly introspection?: boolean | undefined;
  /** Whether `GET /member/graphql` is a page for trying queries; it loads scripts from a CDN. @default false */
  readonly graphiql?: boolean | undefined;
}
