import type { EventPage, EventQuestion } from '../../observe/event-question.ts';
import type { Site } from '../../host/school-platform.ts';
import type { EventsSince, WrittenEvents } from '../../records/stored-log.ts';

/** What apps and people did, from the log of the option `log`. */
export interface CampusLog {
  /**
   * Finds events of a school (or at its origin), the newest first. A page can have fewer events than its limit, or none, and still have a
   * `next`: go on with that as `cursor`.
   *
   * @throws TypeError for a wrong argument, an origin that no school has, or without the option `log`; TemporarilyUnavailable if the log
   * fails
   */
  list(school: Site | string, question?: EventQuestion): Promise<EventPage>;
  /**
   * Reads events of all schools in the order in which they were written, from a cursor or a time on: an outbox. None is left out; some can
   * come twice after a failure, so keep the cursor where the effects are, and leave out what has a known `eventId`.
   *
   * @throws TypeError for a wrong argument, without the option `log`, for a log of your own, and for a store without such an order (Redis);
   * TemporarilyUnavailable if the log fails
   */
  read(since?: EventsSince): Promise<WrittenEvents>;
}

/** What the log adds to `Campus`. */
export interface LogMethods {
  /** The log. */
  readonly log: CampusLog;
}

declare module '../feature-methods.ts' {
  interface FeatureMethods extends LogMethods {}
}
