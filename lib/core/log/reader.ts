import type { AuditEvent } from '../../observe/audit-event.ts';
import { type EventPage, type EventQuestion, isAnswer } from '../../observe/event-question.ts';
import { kindsOf, logKinds } from '../../observe/log-kind.ts';
import { timeOfEvent } from '../../observe/event-id.ts';
import type { LogBound, LogIndex, LogStore, SchoolEntries } from '../../records/log.ts';
import { eventIn } from './entry-text.ts';

/** Events of a page, unless the question says how many. */
const pageSize = 50;

/** Entries of the reads for one page, at most: what an index finds is looked through, in growing steps. */
const readSizes = (limit: number): readonly number[] => [limit, limit * 4, 500];

/** The index that leaves the fewest entries to look through comes first. */
const indexes: readonly LogIndex[] = ['reference', 'member', 'client', 'app'];

/** Finds events by the best index for a question, and looks through what it finds for the rest. */
export async function findEvents(
  store: LogStore,
  siteId: string,
  question: EventQuestion,
  oldest: number,
): Promise<EventPage> {
  const { limit = pageSize, from, to } = question;
  const place = placeOf(question);
  if (place.kinds.length === 0) return { events: [] };
  const asked: Omit<SchoolEntries, 'limit'> = {
    siteId,
    ...place,
    from: Math.max(from?.getTime() ?? 0, oldest),
    to: to?.getTime(),
  };
  const events = new Map<string, AuditEvent>();
  let [before, lookedBackTo] = [question.cursor, undefined as Date | undefined];
  for (const size of readSizes(limit)) {
    const { entries, next } = await store.readLog({ ...asked, before, limit: size });
    for (const [i, entry] of entries.entries()) {
      if (entry.siteId !== siteId) continue;
      lookedBackTo = new Date(timeOfEvent(entry.id));
      const event = eventIn(entry);
      if (!event || lookedBackTo.getTime() < oldest || events.has(event.eventId) || !isAnswer(event, question))
        continue;
      events.set(event.eventId, event);
      const isLast = i === entries.length - 1 && next === undefined;
      if (events.size === limit) return pageOf(events, isLast ? undefined : entry.position, lookedBackTo);
    }
    before = next;
    if (before === undefined) break;
  }
  return pageOf(events, before, lookedBackTo);
}

function pageOf(events: ReadonlyMap<string, AuditEvent>, next: string | undefined, lookedBackTo: Date | undefined) {
  return { events: [...events.values()], ...(next !== undefined && { next, lookedBackTo }) };
}

/** A person is also found in the copies of what is about several. */
function placeOf(question: EventQuestion): Pick<SchoolEntries, 'kinds' | 'by'> {
  const { kinds = logKinds, actions } = question;
  const possible = actions && new Set(actions.flatMap(kindsOf));
  const shown: readonly LogBound[] = kinds.filter((kind) => possible?.has(kind) ?? true);
  const index = indexes.find((each) => question[each] !== undefined);
  if (index === undefined) return { kinds: shown };
  return { kinds: index === 'member' ? [...shown, 'named'] : shown, by: { index, value: question[index] ?? '' } };
}
