import type { Site } from '../../host/school-platform.ts';
import type { AuditAction, AuditEvent } from '../../observe/audit-event.ts';
import { appIn } from '../../observe/event-question.ts';
import type { FindEvents } from './events.ts';
import { type Days, momentsOf } from './period.ts';

/** What one app has of a kind of event. */
export interface AppSum {
  /** Its latest event, by which its name is known. */
  readonly event: AuditEvent;
  /** The people, the latest first. */
  readonly people: readonly string[];
  /** What each of them allowed last, together. */
  readonly scopes: readonly string[];
  /** When the first and the last of them was, in milliseconds. */
  readonly first: number;
  readonly last: number;
}

/** What happened to connections in some days, by app: those with the most people first. */
export interface Sums {
  readonly connected: readonly AppSum[];
  readonly ended: readonly AppSum[];
  readonly refused: readonly AppSum[];
  /** Where the log goes on, if it was not read to the end. */
  readonly lookedBackTo: Date | undefined;
}

const connecting: readonly AuditAction[] = ['consent.given', 'consent.narrowed'];
const refusing: readonly AuditAction[] = ['authorization.refused', 'consent.denied'];
const ending: readonly AuditAction[] = ['connection.ended'];

/** Reads of the log for one page, of 500 events each. */
const maxReads = 4;

/** Sums up what the log has of these days; nothing if the log could not be read. */
export async function findSums(findEvents: FindEvents, site: Site, days: Days): Promise<Sums | undefined> {
  const asked = { ...momentsOf(days, site.timeZone ?? 'UTC'), actions: [...connecting, ...refusing, ...ending] };
  const events: AuditEvent[] = [];
  let cursor: string | undefined;
  let lookedBackTo: Date | undefined;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const page = await findEvents(site, { ...asked, cursor });
    if (!page) return undefined;
    events.push(...page.events);
    cursor = page.next ?? undefined;
    lookedBackTo = cursor === undefined ? undefined : page.lookedBackTo;
    if (cursor === undefined) break;
  }
  return { ...sumsOf(events), lookedBackTo };
}

function sumsOf(events: readonly AuditEvent[]): Omit<Sums, 'lookedBackTo'> {
  const of = (actions: readonly AuditAction[]): AppSum[] =>
    byApp(events.filter(({ action, memberId }) => actions.includes(action) && memberId !== undefined));
  return { connected: of(connecting), ended: of(ending), refused: of(refusing) };
}

function byApp(events: readonly AuditEvent[]): AppSum[] {
  const groups = Map.groupBy(events, (event) => appIn(event) ?? '');
  const sums = [...groups.values()].flatMap((own): AppSum[] => {
    const times = own.map(({ time }) => Date.parse(time));
    const people = [...new Set(own.flatMap(({ memberId }) => memberId ?? []))];
    const [event] = own;
    const scopes = scopesIn(own);
    return event ? [{ event, people, scopes, first: Math.min(...times), last: Math.max(...times) }] : [];
  });
  return sums.sort((a, b) => b.people.length - a.people.length || b.last - a.last);
}

/** The events are the latest first. */
function scopesIn(events: readonly AuditEvent[]): readonly string[] {
  const last = new Map<string | undefined, AuditEvent>();
  for (const event of events) if (!last.has(event.memberId)) last.set(event.memberId, event);
  return [...new Set([...last.values()].flatMap(({ scopes }) => scopes?.after ?? []))];
}

/** How many people are in these, each counted once. */
export function countPeople(sums: readonly AppSum[]): number {
  return new Set(sums.flatMap(({ people }) => people)).size;
}
