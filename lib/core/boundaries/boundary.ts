import type { MaybePromise, Member, Site } from '../../host/school-platform.ts';
import type { Scope } from '../scopes/scopes.ts';

/** One thing to which a person can limit an app: a class, a project. */
export interface BoundaryItem {
  /**
   * The id: 1 to 64 characters of printable ASCII without space. It is stored and sent to apps and resource servers. It must be stable,
   * must never be reused, and must not reveal anything.
   */
  readonly id: string;
  /** The name that people use, in one line of at most 200 characters. */
  readonly name: string;
  /** More about it, such as the term: one line of at most 200 characters. @default nothing */
  readonly detail?: string | undefined;
}

/** A query for items of a person. */
export interface BoundaryQuery {
  /** Words from the person that the name must contain, at most 100 characters. @default all */
  readonly search?: string | undefined;
  /** The ids to return, at most 100. Omit items that the person does not have. @default all */
  readonly ids?: readonly string[] | undefined;
  /** The number of items to skip. */
  readonly offset: number;
  /** The number of items to return at most. */
  readonly limit: number;
}

/** Some items of a person, and how many there are in all. */
export interface BoundaryPage {
  readonly items: readonly BoundaryItem[];
  /** The number of all items that the query finds, including items that are not in `items`. */
  readonly total: number;
}

/** A type of limit that people can set for what an app sees and changes. */
export interface Boundary<School extends Site = Site, Person extends Member = Member> {
  /**
   * The name in `token.only`, in records and in `authorization_details`: 1 to 32 lower-case letters, digits and `_`, but not `constructor`.
   */
  readonly type: string;
  /** The heading on the pages: a plural of at most 60 characters, such as `Classes`. */
  readonly name: string;
  /** The heading in other languages, by language tag: `{ 'zh-Hant': '班級' }`. @default `name` in all */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** The scopes that it limits. A person who does not grant any of them is not asked. */
  readonly scopes: readonly Scope[];
  /** Returns the items of a person, in the order in which the pages show them. */
  readonly list: { list(site: School, member: Person, query: BoundaryQuery): MaybePromise<BoundaryPage> }['list'];
}

/** A boundary of the host whose results have been checked. */
export interface CheckedBoundary extends DeclaredBoundary {
  /** @throws TemporarilyUnavailable if the host fails, or returns what was not asked for */
  readonly list: (site: Site, member: Member, query: BoundaryQuery) => Promise<BoundaryPage>;
}

/** The limits of a token: the ids of items by the type of boundary. An absent type is not limited. */
export type Only = Readonly<Record<string, readonly string[]>>;

/** What a boundary is called. */
export interface NamedBoundary {
  readonly type: string;
  readonly name: string;
  readonly names?: Readonly<Record<string, string>> | undefined;
}

/** What a boundary says of itself, without the people. */
export interface DeclaredBoundary extends NamedBoundary {
  readonly scopes: readonly Scope[];
}

/** Those that limit one of these scopes. */
export function boundariesOf<B extends DeclaredBoundary>(all: readonly B[], scopes: readonly string[]): readonly B[] {
  return all.filter((boundary) => boundary.scopes.some((scope) => scopes.includes(scope)));
}

/** The first type in `only` that is not declared, so that nobody can honour it: nothing tells what it limited. */
export function undeclaredIn(all: readonly DeclaredBoundary[], only: Only | undefined): string | undefined {
  return Object.keys(only ?? {}).find((type) => all.every((boundary) => boundary.type !== type));
}

/** The limited scopes that do not count where only these types are honoured. */
export function unhonouredScopes(
  all: readonly DeclaredBoundary[],
  only: Only | undefined,
  honours: readonly string[] = [],
): ReadonlySet<string> {
  if (!only) return none;
  const others = all.filter(({ type }) => Object.hasOwn(only, type) && !honours.includes(type));
  return new Set(others.flatMap(({ scopes }) => scopes));
}

const none: ReadonlySet<string> = new Set();

/**
 * Whether a limit that a rule demands takes a scope away, because nothing of that type was chosen. A type that is not declared is for all scopes: nothing tells
 * which ones it is for.
 */
export function lacksLimit(
  all: readonly DeclaredBoundary[],
  demanded: readonly string[],
  only: Only | undefined,
  scope: string,
): boolean {
  return demanded.some((type) => {
    const boundary = all.find((each) => each.type === type);
    return !boundary || (boundary.scopes.includes(scope) && !Object.hasOwn(only ?? {}, type));
  });
}

/** The same limits, however they are written. */
export function sameLimits(one: Only = {}, other: Only = {}): boolean {
  const types = Object.keys(one);
  return (
    types.length === Object.keys(other).length &&
    types.every((type) => {
      const ids = new Set(one[type]);
      return ids.size === other[type]?.length && other[type].every((id) => ids.has(id));
    })
  );
}
