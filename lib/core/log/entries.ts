import type { AuditEvent } from '../../observe/audit-event.ts';
import { actingMember, appIn } from '../../observe/event-question.ts';
import { kindOf } from '../../observe/log-kind.ts';
import type { FoundEntry, LogEntry } from '../../records/log.ts';
import { eventIn, textOf } from './entry-text.ts';

/**
 * What is kept of an event: its own entry, and a copy for each of several people whom it is about. No entry has the id of a person by whom it is
 * not found, so who erases a person finds all that names them.
 */
export function entriesOf(event: AuditEvent): readonly LogEntry[] {
  const { memberIds } = event;
  const shown = memberIds ? withoutPeople(event) : event;
  const { siteId, eventId, clientId, memberId, outcome, requestId } = shown;
  const [kind, app, acting] = [kindOf(shown), appIn(shown), actingMember(shown)];
  const entry: LogEntry = {
    siteId,
    id: eventId,
    kind,
    member: memberId ?? acting,
    actor: acting === memberId || memberId === undefined ? undefined : acting,
    app,
    client: clientId === app ? undefined : clientId,
    // Nobody has seen the reference of what an app was allowed.
    reference: kind === 'use' && outcome === 'allowed' ? undefined : requestId,
    text: textOf(shown),
  };
  if (!memberIds) return [entry];
  const others = memberIds.filter((each) => each !== memberId && each !== acting);
  return [entry, ...others.map((each, i) => copyFor(each, i + 1, shown))];
}

/** What another store keeps of an entry that was found; nothing for one that a later release has written. */
export function copiedEntry({ siteId, id, text }: FoundEntry): LogEntry | undefined {
  const event = eventIn({ siteId, id, text });
  if (!event) return undefined;
  const { memberId: member } = event;
  if (id !== event.eventId) return { siteId, id, kind: 'named', member, text };
  const [entry] = entriesOf(event);
  return entry && { ...entry, text };
}

function withoutPeople({ memberIds: _people, ...event }: AuditEvent): AuditEvent {
  return event;
}

/** Without what says of others: who did it, and from where. */
function copyFor(memberId: string, number: number, { actor, ...event }: AuditEvent): LogEntry {
  const { address: _address, requestId: _requestId, traceId: _traceId, connections: _connections, ...shown } = event;
  const { siteId, eventId } = event;
  const id = `${eventId.slice(0, -2)}${number.toString(16).padStart(2, '0')}`;
  const text = textOf({ ...shown, actor: { kind: actor.kind }, memberId });
  return { siteId, id, kind: 'named', member: memberId, text };
}
