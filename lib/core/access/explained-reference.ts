import type { Log } from '../log/log.ts';
import type { Site } from '../../host/school-platform.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import { actingMember } from '../../observe/event-question.ts';
import type { Explain, Explanation } from './explain.ts';

/** A question to `campus.explain` about the reference that a person saw on a page. */
export interface ReferenceQuestion {
  /** The reference. It needs the option `log`. */
  readonly reference: string;
}

/** What the log has about a reference. */
export interface ExplainedReference {
  readonly reference: string;
  /** The events of the request, the newest first: what was refused and why, who asked, with which app, when. Empty if the log does not have it. */
  readonly events: readonly AuditEvent[];
  /** What the person would get of the client now. Absent if no event names a client. */
  readonly now?: Explanation | undefined;
  /** The time back to which the log was searched. Absent if all of it was searched. */
  readonly lookedBackTo?: Date | undefined;
}

/** Pages of the log. One index leads to a reference in a stored log; another log may search each event. */
const maxPages = 10;

/** @throws TypeError without the option `log` */
export async function explainReference(
  log: Log,
  explain: Explain,
  site: Site,
  { reference }: ReferenceQuestion,
): Promise<ExplainedReference> {
  if (!log.list)
    throw new TypeError(
      'explain.question.reference needs the option log; set it, or search your own log for requestId',
    );
  let [cursor, lookedBackTo]: [string | undefined, Date | undefined] = [undefined, undefined];
  let events: readonly AuditEvent[] = [];
  for (let pages = 0; pages < maxPages && events.length === 0; pages += 1) {
    const page = await log.list(site, { reference, cursor });
    ({ events, lookedBackTo } = page);
    cursor = page.next ?? undefined;
    if (cursor === undefined) break;
  }
  const asked = events.find(({ clientId }) => clientId !== undefined);
  return {
    reference,
    events,
    ...(asked?.clientId !== undefined && { now: await explain(site, questionIn(asked, asked.clientId)) }),
    ...(cursor !== undefined && { lookedBackTo }),
  };
}

function questionIn(event: AuditEvent, clientId: string): Parameters<Explain>[1] {
  return { clientId, memberId: event.memberId ?? actingMember(event) };
}
