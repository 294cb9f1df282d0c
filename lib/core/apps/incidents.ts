import type { Site } from '../../host/school-platform.ts';
import type { NamedApp } from './apps.ts';

/** Schools or their origins, one by one: an array, or what reads them from a database. */
export type Schools = Iterable<Site | string> | AsyncIterable<Site | string>;

/** An incident, and how its schools are gone through. */
export interface IncidentOptions {
  /** A name that you choose: 1 to 100 letters, digits, `.`, `_` or `-`, such as `INC-2026-11`. */
  readonly id: string;
  /** The id of the person who decides, for events and pages. @default not known */
  readonly by?: string | undefined;
  /** Whether to only count the effects without changing anything. @default false */
  readonly dryRun?: boolean | undefined;
  /** Called after each school. If it throws, the call ends, and earlier schools keep their result. */
  readonly onSchool?: ((done: IncidentSchool) => void) | undefined;
}

/** An incident with an app. */
export interface Incident extends IncidentOptions {
  /** The blocked app or client. */
  readonly app: NamedApp;
  /** A reason for the administrators of the schools: at most 1,000 characters. @default none */
  readonly note?: string | undefined;
}

/**
 * What became of a school.
 *
 * - `blocked`: the app is blocked now, and its connections have ended.
 * - `already`: this incident has blocked it before.
 * - `unknown`: the school has no app with this id, or no client with this `client_id`.
 * - `restored`: the school has its own rule back, or another incident alone blocks the app.
 * - `kept`: this incident blocks nothing there. The school may have decided since.
 * - `expired`: the school stays blocked, since its own rule was kept for 90 days.
 * - `failed`: the store or the platform failed, or there is no such school.
 */
export type IncidentOutcome = 'blocked' | 'already' | 'unknown' | 'restored' | 'kept' | 'expired' | 'failed';

/** A school of an incident. */
export interface IncidentSchool {
  /** Its origin. */
  readonly school: string;
  readonly outcome: IncidentOutcome;
  /** The number of connections that ended, or that exist in a dry run. */
  readonly ended: number;
  /** The apps and clients whose rules were restored. Absent after `block`. */
  readonly apps?: readonly string[] | undefined;
  /** The reason of a failure, or the unknown app. */
  readonly error?: unknown;
}

/** The schools of an incident. */
export interface IncidentReport {
  readonly schools: number;
  /** The number of schools by outcome. */
  readonly outcomes: Readonly<Partial<Record<IncidentOutcome, number>>>;
  readonly ended: number;
  /** The apps and clients whose rules were restored at one of them, 100 at most. Absent after `block`. */
  readonly apps?: readonly string[] | undefined;
  /** The schools that failed, 100 at most. */
  readonly failures: readonly IncidentSchool[];
}

/**
 * Methods to block an app at many schools. The caller must have authenticated a person who decides for the whole platform. Both methods
 * handle eight schools at a time, and continue if a school fails. Repeat a call after a crash or for failed schools. Finished schools are
 * not changed again.
 */
export interface Incidents {
  /**
   * Blocks an app or one client at each of these schools, and ends its connections. The rule of the school is kept for 90 days. The school
   * can set another rule afterwards. A known app and a `client_id` that is a URL are blocked before a school has met them.
   *
   * @throws InvalidRequest if the app or client is unknown at all of these schools, without blocking it
   */
  block(schools: Schools, incident: Incident): Promise<IncidentReport>;
  /** Gives each school its previous rule back, unless it has set a new rule since. People connect again themselves. */
  restore(schools: Schools, incident: IncidentOptions): Promise<IncidentReport>;
}
