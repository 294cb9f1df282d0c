import type { AuditEvent } from '../../observe/audit-event.ts';
import type { EventPage, EventQuestion } from '../../observe/event-question.ts';
import type { Site } from '../../host/school-platform.ts';
import type { OpenLog } from '../../records/stored-log.ts';

/** The log of a campus. A feature makes it. */
export interface Log {
  /** Takes an event. Absent where the host writes its own log. */
  readonly add: ((event: AuditEvent) => void) | undefined;
  /** Finds events. Absent without a log. A log that fails is a fault. @throws TemporarilyUnavailable */
  readonly list: ((site: Site, question: EventQuestion) => Promise<EventPage>) | undefined;
  /** The log in a store; absent for one of the host. @internal */
  readonly stored: OpenLog | undefined;
  /** Writes what waits. Never rejects. */
  readonly close: () => Promise<void>;
}

/** Where nobody keeps a log. */
export const noLog: Log = { add: undefined, list: undefined, stored: undefined, close: async () => {} };
