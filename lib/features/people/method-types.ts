import type { NamedApp } from '../../core/apps/apps.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Site } from '../../host/school-platform.ts';
import type { TakingOrigins } from '../../host/taking-origins.ts';

/** A person and what they have connected at a school. */
export interface ConnectedPerson {
  readonly memberId: string;
  /** As `findMember` returns it. Absent for a person without a name, or one who is no longer at the school. */
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** As `findMember` returns them. Absent for a person who is no longer at the school. */
  readonly roles?: readonly string[] | undefined;
  /** What they have connected, 20 at most. If the query has an app, its connections alone. `connections.list` returns all. */
  readonly connections: readonly Connection[];
  /** How many connections there are. */
  readonly total: number;
}

/** Which people to return. */
export interface PeopleQuery {
  /** Only people who have this role now. @default all */
  readonly role?: string | undefined;
  /** Only people who have connected this app, or this client, whether a rule lets them use it or not. @default all */
  readonly app?: NamedApp | undefined;
  /**
   * People whose name or e-mail address has this text, whether they have connected anything or not: what `platform.searchMembers` returns.
   * @default people who have connected something
   */
  readonly search?: string | undefined;
  /** `next` of the page before. @default the first page */
  readonly cursor?: string | undefined;
}

/** Some people, 20 at most. */
export interface PeoplePage {
  /** A page can have fewer than 20, or none, and a `next` all the same. */
  readonly people: readonly ConnectedPerson[];
  /** Where the next page begins; absent from the last one. */
  readonly next?: string | undefined;
}

/** The people of a school. The caller must have authenticated an administrator of the school. */
export interface People {
  /**
   * Returns who has connected what, from the store's own lists: first people of the app that most people have connected. Each person comes
   * once. Who connects or disconnects something while pages are read can be missing or come twice.
   *
   * @throws InvalidRequest for an app that is not known, or a cursor that no page had
   * @throws TypeError for `search` without `platform.searchMembers`
   * @throws TemporarilyUnavailable if the store or the platform fails
   */
  find(site: Site, query?: PeopleQuery): Promise<PeoplePage>;
}

/** What it adds to `Campus`. */
export interface PeopleMethods {
  /** The people of a school, by what they have connected. */
  readonly people: TakingOrigins<People>;
}

declare module '../feature-methods.ts' {
  interface FeatureMethods extends PeopleMethods {}
}
