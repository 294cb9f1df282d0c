import { timeOfEvent } from '../../lib/observe/event-id.ts';
import {
  type FoundEntry,
  type LogBound,
  type LogEntry,
  type LogPage,
  type LogStore,
  type LogWrite,
  logBounds,
  type SchoolEntries,
  type WrittenEntries,
} from '../../lib/records/log.ts';

/** Events of each kind of a school, unless the log says how many. */
const room = 5000;

interface Kept extends LogEntry {
  /** Its place in the order of writing. */
  readonly number: number;
}

/** A log in this process. What is found is sorted each time: it promises no speed. */
export function memoryLog(): LogStore {
  /** By school, in the order of writing. */
  const sites = new Map<string, Map<string, Kept>>();
  let number = 0;

  function write({ entries = [], changes = [], keep }: LogWrite): void {
    for (const entry of entries) {
      const kept = sites.get(entry.siteId) ?? new Map<string, Kept>();
      sites.set(entry.siteId, kept);
      if (!kept.has(entry.id)) kept.set(entry.id, { ...entry, number: (number += 1) });
    }
    for (const { siteId, position, text } of changes) {
      const kept = sites.get(siteId);
      const entry = kept?.get(position);
      if (!kept || !entry) continue;
      if (text === undefined) kept.delete(position);
      else kept.set(position, { ...entry, text });
    }
    for (const siteId of new Set(entries.map((entry) => entry.siteId))) dropOld(siteId, keep);
  }

  function dropOld(siteId: string, { days, events }: LogWrite['keep']): void {
    const kept = sites.get(siteId);
    const oldest = Date.now() - days * 24 * 60 * 60 * 1000;
    const counts = new Map<LogBound, number>(logBounds.map((kind) => [kind, 0]));
    for (const { id, kind } of newestFirst(kept?.values() ?? [])) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count > (events[kind] ?? room) || timeOfEvent(id) < oldest) kept?.delete(id);
    }
  }

  return {
    writeLog: async (given) => write(given),
    readLog: async (question) =>
      'after' in question ? written(sites, question) : ofSchool(sites.get(question.siteId), question),
  };
}

function ofSchool(kept: ReadonlyMap<string, Kept> | undefined, question: SchoolEntries): LogPage {
  const { kinds, by, before, from = 0, to = Infinity, limit } = question;
  const found = newestFirst(kept?.values() ?? []).filter((entry) => {
    const time = timeOfEvent(entry.id);
    const isFound = by ? valuesOf(entry)[by.index].includes(by.value) : true;
    return isFound && kinds.includes(entry.kind) && time >= from && time < to && (!before || entry.id < before);
  });
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1)?.id : undefined;
  return { entries: page.map(foundOf), ...(next !== undefined && { next }) };
}

/** What an entry is found by. */
function valuesOf({ member, actor, app, client, reference }: LogEntry) {
  return { member: [member, actor], app: [app], client: [client ?? app], reference: [reference] };
}

function written(
  sites: ReadonlyMap<string, ReadonlyMap<string, Kept>>,
  { after, from = 0, limit }: WrittenEntries,
): LogPage {
  const start = after === '' ? 0 : Number(after);
  if (!Number.isInteger(start)) throw new TypeError('log.read.since.after must be a cursor of log.read');
  const all = [...sites.values()].flatMap((kept) => [...kept.values()]);
  const page = all
    .filter((entry) => entry.number > start && entry.kind !== 'named' && timeOfEvent(entry.id) >= from)
    .sort((a, b) => a.number - b.number)
    .slice(0, limit);
  return { entries: page.map(foundOf), next: String(page.at(-1)?.number ?? start) };
}

function newestFirst(entries: Iterable<Kept>): readonly Kept[] {
  return [...entries].sort((a, b) => (a.id < b.id ? 1 : -1));
}

function foundOf({ siteId, id, text }: Kept): FoundEntry {
  return { position: id, siteId, id, text };
}
