import type { AuditAction, AuditEvent } from './audit-event.ts';
import { type LogKind, kindOf } from './log-kind.ts';

/** A query for events of a school. An event must match all given members. */
export interface EventQuestion {
  /** The owner of the connection, or the person who acted. */
  readonly member?: string | undefined;
  /** The id of a known app, or the `client_id` of a client without one. */
  readonly app?: string | undefined;
  /** One client, even of a known app. */
  readonly client?: string | undefined;
  /** @default all kinds */
  readonly kinds?: readonly LogKind[] | undefined;
  /** @default all actions */
  readonly actions?: readonly AuditAction[] | undefined;
  /** The reference that an error page shows: `requestId`. */
  readonly reference?: string | undefined;
  /** The first moment. */
  readonly from?: Date | undefined;
  /** The moment after the last. */
  readonly to?: Date | undefined;
  /** `next` of the previous page. Any other text returns an arbitrary page. @default the newest events */
  readonly cursor?: string | undefined;
  /** The most events of the page, 1 to 500. @default 50 */
  readonly limit?: number | undefined;
}

/** Some events, the newest first. */
export interface EventPage {
  /** The events. Any page can have fewer than the limit, or be empty, because a log searches a bounded number of events for each page. */
  readonly events: readonly AuditEvent[];
  /** The `cursor` of the next page. Absent from the last page. */
  readonly next?: string | null | undefined;
  /** The time back to which the log was searched, if there is a next page. */
  readonly lookedBackTo?: Date | undefined;
}

/** Whether an event answers a question, whatever its page. */
export function isAnswer(event: AuditEvent, question: EventQuestion): boolean {
  const { member, app, client, kinds, actions, reference, from, to } = question;
  const time = Date.parse(event.time);
  return (
    (member === undefined || isAbout(event, member)) &&
    (app === undefined || appIn(event) === app) &&
    (client === undefined || event.clientId === client) &&
    (kinds === undefined || kinds.includes(kindOf(event))) &&
    (actions === undefined || actions.includes(event.action)) &&
    (reference === undefined || event.requestId === reference) &&
    (from === undefined || time >= from.getTime()) &&
    (to === undefined || time < to.getTime())
  );
}

/** The id of the app, or of a client without one. */
export function appIn({ app, clientId }: AuditEvent): string | undefined {
  return app ?? clientId;
}

/** The person who did it, if it was one. */
export function actingMember({ actor }: AuditEvent): string | undefined {
  return actor.kind === 'client' || actor.kind === 'anonymous' ? undefined : actor.id;
}

function isAbout(event: AuditEvent, memberId: string): boolean {
  const { memberId: own, memberIds } = event;
  return own === memberId || actingMember(event) === memberId || memberIds?.includes(memberId) === true;
}
