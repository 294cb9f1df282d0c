import type { AuditEvent } from '../../observe/audit-event.ts';
import { actingMember } from '../../observe/event-question.ts';
import { kindOf } from '../../observe/log-kind.ts';
import { type FoundEntry, logBounds, type LogChange, type LogKeeping, type LogStore } from '../../records/log.ts';
import { eventIn, textOf } from './entry-text.ts';

/** Entries of one step. */
const stepSize = 250;

interface Forgotten {
  readonly siteId: string;
  /** Absent: all of the school. */
  readonly memberId: string | undefined;
}

/**
 * Takes one step: removes what a person did and what was done for them, and the name from what they decided for the school; or everything of a
 * school. Returns where the next step begins.
 */
export async function forget(
  store: LogStore,
  { siteId, memberId }: Forgotten,
  from: string,
  keep: LogKeeping,
): Promise<string | undefined> {
  const by = memberId === undefined ? undefined : ({ index: 'member', value: memberId } as const);
  const before = from === '' ? undefined : from;
  const { entries, next } = await store.readLog({ siteId, kinds: logBounds, by, before, limit: stepSize });
  const changes = entries.flatMap((entry) => changeOf(entry, memberId) ?? []);
  if (changes.length > 0) await store.writeLog({ changes, keep });
  return next;
}

/** An index can find others: a digest is not a name. */
function changeOf(entry: FoundEntry, memberId: string | undefined): LogChange | undefined {
  const { siteId, position } = entry;
  if (memberId === undefined) return { siteId, position };
  const event = eventIn(entry);
  if (!event) throw new Error('the log has an entry of a later release; erase with that release');
  if (event.memberId === memberId) return { siteId, position };
  if (actingMember(event) !== memberId) return undefined;
  // What somebody decided for the school, or for somebody else, stays theirs.
  const isOthers = event.memberId !== undefined || kindOf(event) === 'school';
  return isOthers ? { siteId, position, text: textOf(withoutActor(event)) } : { siteId, position };
}

function withoutActor({ actor, ...event }: AuditEvent): AuditEvent {
  const { address: _address, requestId: _requestId, traceId: _traceId, ...rest } = event;
  return { ...rest, actor: { kind: actor.kind } };
}
