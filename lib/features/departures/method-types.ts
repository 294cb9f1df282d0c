import type { Application } from '../../core/applications/application.ts';
import type { NamedLimit } from '../../core/boundaries/limit-choices.ts';
import type { NewsRow } from '../../core/news/news-row.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Site } from '../../host/school-platform.ts';
import type { TakingOrigins } from '../../host/taking-origins.ts';
import type { AuditAction, AuditEvent } from '../../observe/audit-event.ts';
import type { AppRequest } from '../../core/applications/request.ts';
import type { RecordCounts } from '../../records/store.ts';

/** How far a removal has come: what to pass to the next call. */
export interface Removal {
  /** How many records were removed so far, by kind. */
  readonly removed: RecordCounts;
  /** Where the next call goes on; absent when nothing is left to do. */
  readonly next?: string | undefined;
}

/** The removal of a school. */
export interface SiteRemoval extends Removal {
  /** As the first call had it. */
  readonly stillServed?: boolean | undefined;
}

/** How the removal of a school begins. */
export interface SiteRemovalOptions {
  /**
   * Removes a school that `platform.findSite` still returns, for example from the store that it has left for another one.
   * @default false
   */
  readonly stillServed?: boolean | undefined;
}

/**
 * Schools that leave. Every method throws `TypeError` if the store has no `sweep`, and `TemporarilyUnavailable` if it fails.
 */
export interface Sites {
  /** Counts what is stored of a school, by kind of record; changes nothing. While the school is in use, the numbers are approximate. */
  listRecords(site: Site): Promise<RecordCounts>;
  /**
   * Removes everything that is stored of a school, a bounded part in each call. Call it again with what it returned while that has `next`; after a
   * failure also from the start, which does no harm. By then `platform.findSite` must have left the school out for at least a
   * minute: what its requests write meanwhile may stay.
   *
   * @throws TypeError if `findSite` still returns the school, unless `stillServed` is true
   */
  remove(site: Site, after?: SiteRemoval | SiteRemovalOptions): Promise<SiteRemoval>;
}

/** A connection, with what the member calls the items that they have limited it to. */
export interface ExportedConnection extends Connection {
  /** Absent where it is not limited. An item without a name is one that the member no longer has. */
  readonly limits?: readonly NamedLimit[] | undefined;
}

/** What is stored of a member, without sessions, open requests and the decisions of a school. It has no credential. */
export interface MemberExport {
  readonly siteId: string;
  readonly memberId: string;
  /** The clients that have access to the member's data: what they can see and do, since when, until when, and on how many devices. */
  readonly connections: readonly ExportedConnection[];
  /** What the member has asked the school for. */
  readonly requests: readonly AppRequest[];
  /** What the member has not read yet on _Your apps_. */
  readonly news: readonly NewsRow[];
  /** The OAuth applications that the member has created for the school. */
  readonly applications: readonly Application[];
  /** What the log has about the member, the newest 10,000 events. Absent without a log. */
  readonly events?: readonly AuditEvent[] | undefined;
}

/** The data of a person at a school. The methods throw as those of `Sites`; `export` needs no `sweep`. */
export interface Members {
  /** Returns it, for the member or a parent who may ask for it. */
  export(site: Site, memberId: string): Promise<MemberExport>;
  /**
   * Removes it. The first call ends all connections, with their codes and tokens; call it again, as `Sites.remove`, until the records that are left
   * of them, sessions and requests are gone too. `storedLog` loses what is about them, and a log of your own is yours to clean. Applications that the member has created stay, without the name; what they have decided stays, without the name and the
   * note or answer that they wrote. A person who still has a role can
   * connect an application again: remove them from the platform first.
   */
  erase(site: Site, memberId: string, after?: Removal): Promise<Removal>;
}

/** Events of the log, the oldest first: an array, or an iterable that reads a file. */
export type LoggedEvents = Iterable<AuditEvent> | AsyncIterable<AuditEvent>;

/** Which events of a log to apply again. */
export interface ReplayOptions {
  /** The time of the backup. */
  readonly since: Date;
  /** Counts the events, and changes nothing. @default false */
  readonly dryRun?: boolean | undefined;
}

/** What a replay has applied; in a dry run, how many events there are. */
export interface Replayed {
  /** Decisions of schools on apps and people. */
  readonly decisions: number;
  /** Ended connections. */
  readonly connections: number;
  /** Connections that lost permissions or got other limits. */
  readonly narrowed: number;
  /** Devices that were signed out. */
  readonly devices: number;
  /** OAuth applications that were removed or lost permissions. */
  readonly applications: number;
  /** OAuth applications whose secret has ended. No log has the new one: create another secret. */
  readonly secrets: number;
  /** Requests that their members have withdrawn. */
  readonly requests: number;
  /** Erased people. */
  readonly people: number;
  /** What to repeat by hand, by action: applications, requests and schools with such an event. See `docs/operate/incidents.md`. */
  readonly byHand: Readonly<Partial<Record<AuditAction, number>>>;
}

/** What departures add to `Campus`. */
export interface DepartureMethods {
  /** The stored data of a school that leaves, and its removal. */
  readonly sites: Sites;
  /** The stored data of a person, and its removal. */
  readonly members: TakingOrigins<Members>;
  /**
   * Applies again what a restored backup has undone: ended and narrowed connections, blocks, approvals and other decisions on apps,
   * removed applications, ended secrets, withdrawn requests, and erased people. Later decisions and connections stay. It can be repeated.
   *
   * The events decide for schools: take them from a log that only people on call can write.
   *
   * @throws InvalidRequest, before anything has changed, if the events begin after `since`. Also for an event in the future, or one that
   * no campus has written: call it with `dryRun` first, which checks all
   */
  replay(events: LoggedEvents, options: ReplayOptions): Promise<Replayed>;
}

declare module '../feature-methods.ts' {
  interface FeatureMethods extends DepartureMethods {}
}
