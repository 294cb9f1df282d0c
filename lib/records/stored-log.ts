import type { AuditEvent } from '../observe/audit-event.ts';
import type { EventPage, EventQuestion } from '../observe/event-question.ts';
import type { OnFault } from '../observe/events.ts';
import type { LogStore } from './log.ts';
import type { Store } from './store.ts';

/** The start of reading all events: a cursor, or a time. */
export interface EventsSince {
  /** `next` of the events before. @default from the oldest event */
  readonly after?: string | undefined;
  /** The approximate time of the first event, instead of `after`. @default from the oldest event */
  readonly from?: Date | undefined;
  /** The most events, 1 to 500. @default 100 */
  readonly limit?: number | undefined;
}

/** Events of all schools in the order in which they were written. */
export interface WrittenEvents {
  /** There can be fewer than the limit, or none. */
  readonly events: readonly AuditEvent[];
  /** The cursor for the next call, now or after more events were written. */
  readonly next: string;
}

/** A log that is open for a campus. @internal */
export interface OpenLog {
  readonly store: LogStore;
  add(event: AuditEvent): void;
  list(siteId: string, question: EventQuestion): Promise<EventPage>;
  read(since: EventsSince): Promise<WrittenEvents>;
  /** Forgets a person, or without one removes all of a school, in steps. Returns where the next one begins. */
  forget(siteId: string, memberId: string | undefined, from: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** What a log needs to open. @internal */
export interface LogParts {
  /** That of the campus. */
  readonly store: Store;
  readonly onFault: OnFault;
}

/** A log that the campus writes and reads, from `storedLog` of `campus-oidc/log`. */
export interface StoredLog {
  /** @internal */
  open(parts: LogParts): OpenLog;
}
