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
  /** Counts what would happen, and changes nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** Called after each school. What it throws ends the call; the schools before stay as they are. */
  readonly onSchool?: ((done: IncidentSchool) => void) | undefined;
}

/** An incident with an app. */
export interface Incident extends IncidentOptions {
  /** What is blocked. */
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
  /** How many connections have ended; in a dry run, how many there are. */
  readonly connections: number;
  /** Why it failed, or what is unknown. */
  readonly error?: unknown;
}

/** The schools of an incident. */
export interface IncidentReport {
  readonly schools: number;
  /** How many schools there were of each outcome that came up. */
  readonly outcomes: Readonly<Partial<Record<IncidentOutcome, number>>>;
  readonly connections: number;
  /** The schools that failed, 100 at most. */
  readonly failures: readonly IncidentSchool[];
}

/**
 * Blocks of an app at many schools. The caller must have authenticated a person who decides for the whole platform. Both methods go through
 * eight schools at a time. A school that fails is counted, and the others go on. Call a method again to go on after a crash, or for the
 * schools that failed: what is done is not done twice.
 */
export interface Incidents {
  /**
   * Blocks an app, or one client, at each of these schools, and ends its connections. The rule of the school is kept for 90 days.
   * The school can set another rule afterwards. A known app and a `client_id` that is a URL are blocked before a school has met them.
   *
   * @throws InvalidRequest if the app or client is unknown at all of these schools. Then nothing is blocked.
   */
  block(schools: Schools, incident: Incident): Promise<IncidentReport>;
  /** Gives each school its own rule back, unless it has set another one since. People connect again themselves. */
  restore(schools: Schools, incident: IncidentOptions): Promise<IncidentReport>;
}
