import type { Site } from '../../host/school-platform.ts';
import type { NamedApp } from '../apps/apps.ts';
import type { Connection } from './connection.ts';

/** A person and what they have connected at a school. */
export interface ConnectedPerson {
  readonly memberId: string;
  /** The name from `findMember`. Absent for a person without a name, or who is no longer at the school. */
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** The roles from `findMember`. Absent for a person who is no longer at the school. */
  readonly roles?: readonly string[] | undefined;
  /** Their connections, 20 at most, the latest allowed first. If the query has an app, only its connections. `connections.list` returns all. */
  readonly connections: readonly Connection[];
  /** The number of their connections. */
  readonly total: number;
}

/** A query for people. */
export interface PeopleQuery {
  /** Only people who have this role now. @default all */
  readonly role?: string | undefined;
  /** Only people who have connected this app or client, even if a rule no longer lets them use it. @default all */
  readonly app?: NamedApp | undefined;
  /**
   * People whose name or e-mail address contains this text, from `platform.searchMembers`, even without connections.
   * @default people who have connected something
   */
  readonly search?: string | undefined;
  /** `next` of the previous page. @default the first page */
  readonly cursor?: string | undefined;
}

/** Some people, 20 at most. */
export interface PeoplePage {
  /** The people. A page with fewer than 20, or without any, can still have `next`. */
  readonly people: readonly ConnectedPerson[];
  /** The start of the next page. Absent from the last page. */
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
