import type { Site } from '../../host/school-platform.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import type { EventPage, EventQuestion } from '../../observe/event-question.ts';
import { startOf } from './days.ts';
import { actionsOf, type FindEvents } from './events.ts';
import type { ActivityQuery } from './links.ts';

type Place = 'cursor' | 'clientCursor';

/** Where the log goes on. */
export interface Further {
  readonly query: Pick<ActivityQuery, Place>;
  readonly lookedBackTo: Date | undefined;
}

export interface FoundLog {
  readonly events: readonly AuditEvent[];
  /** Absent at the end. */
  readonly further: Further | undefined;
}

/** The events of an id that is asked for, however long ago; where there are none, the latest, in which a name may be meant. */
export async function findLog(findEvents: FindEvents, site: Site, query: ActivityQuery): Promise<FoundLog | undefined> {
  const { person, app, client, reference, kind, from, to, cursor, clientCursor } = query;
  const { timeZone = 'UTC' } = site;
  const any = {
    actions: kind && actionsOf(kind),
    from: from === undefined ? undefined : startOf(from, timeZone),
    to: to === undefined ? undefined : startOf(to, timeZone, 1),
  };
  const ask = async (ids: EventQuestion, at: Place = 'cursor'): Promise<FoundLog | undefined> =>
    logOf(await findEvents(site, { ...any, ...ids, cursor: query[at] }), at);
  const ids = { member: person, reference };
  if (app !== undefined && client !== undefined) {
    const isFirst = cursor === undefined && clientCursor === undefined;
    const [ofApp, ofClient] = await Promise.all([
      isFirst || cursor !== undefined ? ask({ ...ids, app }) : none,
      isFirst || clientCursor !== undefined ? ask({ ...ids, client }, 'clientCursor') : none,
    ]);
    const both = ofApp && ofClient && together(ofApp, ofClient);
    return isFirst && both?.events.length === 0 && !both.further ? ask({}) : both;
  }
  const isAll = Object.values({ ...ids, app, client }).every((each) => each === undefined);
  const found = await ask({ ...ids, app, client });
  return isAll || found?.events.length !== 0 ? found : ask({});
}

const none: FoundLog = { events: [], further: undefined };

function logOf(page: EventPage | undefined, place: Place): FoundLog | undefined {
  if (!page) return undefined;
  const { events, next, lookedBackTo } = page;
  return { events, further: next ? { query: { [place]: next }, lookedBackTo } : undefined };
}

/** Events that are found in two ways come once. */
function together(one: FoundLog, other: FoundLog): FoundLog {
  const events = new Map([...one.events, ...other.events].map((event) => [event.eventId, event]));
  const further = [one.further, other.further].filter((each) => each !== undefined);
  const [lookedBackTo] = further.flatMap((each) => each.lookedBackTo ?? []).sort((a, b) => Number(b) - Number(a));
  return {
    events: [...events.values()].sort(
      (a, b) => Date.parse(b.time) - Date.parse(a.time) || (a.eventId < b.eventId ? 1 : -1),
    ),
    further:
      further.length > 0 ? { query: Object.assign({}, ...further.map((each) => each.query)), lookedBackTo } : undefined,
  };
}
