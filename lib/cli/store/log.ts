import { copiedEntry } from '../../core/log/entries.ts';
import { timeOfEvent } from '../../observe/event-id.ts';
import {
  type FoundEntry,
  logBounds,
  type LogChange,
  type LogKeeping,
  type LogPage,
  type LogStore,
} from '../../records/log.ts';
import type { LogSchools, StoreTransfer } from '../../records/store-copy.ts';
import type { Terminal } from '../output.ts';

/** The log of a store, with what finds its schools. */
export interface CopiedLog {
  readonly log: LogStore;
  readonly schools: NonNullable<StoreTransfer['logSchools']>;
}

/** How many events are missing or different in the target, should not be there, and are the same; and how many are too old to be copied. */
export type LogDifferences = Readonly<Record<'written' | 'removed' | 'same' | 'older', number>>;

export interface LogPair {
  readonly from: CopiedLog;
  readonly to: CopiedLog;
  /** How long events are kept. */
  readonly days: number;
  readonly terminal: Terminal;
}

/** Entries of one read and of one write. */
const pageSize = 250;

/** Finds where the log of the target differs from that of the source, a school at a time, and with `isCopied` makes them the same. */
export async function logDifferences(pair: LogPair, isCopied: boolean): Promise<LogDifferences> {
  const counts = { written: 0, removed: 0, same: 0, older: 0 };
  for (const siteId of new Set([...(await schoolsOf(pair.from)), ...(await schoolsOf(pair.to))])) {
    const found = await schoolDifferences(pair, siteId);
    if (isCopied) await copySchool(pair, siteId, found);
    counts.written += found.written;
    counts.removed += found.extra.length;
    counts.same += found.same;
    counts.older += found.older;
    pair.terminal.progress(`${counts.same + counts.written} events of the log, ${counts.written} differ`);
  }
  return counts;
}

async function schoolsOf({ schools }: CopiedLog): Promise<readonly string[]> {
  const all: string[] = [];
  for (let from: string | undefined = ''; from !== undefined;) {
    const { siteIds, next }: LogSchools = await schools(from);
    all.push(...siteIds);
    from = next;
  }
  return all;
}

interface SchoolDifferences extends Pick<LogDifferences, 'written' | 'same' | 'older'> {
  /** What the target has, by id. */
  readonly inTarget: ReadonlyMap<string, FoundEntry>;
  /** What only the target has. */
  readonly extra: readonly FoundEntry[];
  /** Where the pages of the source begin that have something to write, the newest first. */
  readonly pages: readonly (string | undefined)[];
}

async function schoolDifferences({ from, to, days }: LogPair, siteId: string): Promise<SchoolDifferences> {
  const isKept = keptFor(days);
  const inTarget = new Map<string, FoundEntry>();
  for await (const { entries } of pagesOf(to.log, siteId))
    for (const entry of entries.filter(isKept)) inTarget.set(entry.id, entry);
  const extra = new Map(inTarget);
  const begins: (string | undefined)[] = [];
  let [written, same, older] = [0, 0, 0];
  for await (const { before, entries } of pagesOf(from.log, siteId)) {
    const kept = entries.filter(isKept);
    const unlike = kept.filter(({ id, text }) => inTarget.get(id)?.text !== text);
    if (unlike.length > 0) begins.push(before);
    written += unlike.length;
    same += kept.length - unlike.length;
    older += entries.length - kept.length;
    for (const { id } of kept) extra.delete(id);
  }
  return { inTarget, extra: [...extra.values()], pages: begins, written, same, older };
}

/** The oldest first: a store may keep entries in the order in which they are written. */
async function copySchool(
  { from, to, days }: LogPair,
  siteId: string,
  { inTarget, extra, pages }: SchoolDifferences,
): Promise<void> {
  const isKept = keptFor(days);
  const keep = keepAll(days);
  for (const before of pages.toReversed()) {
    const { entries } = await pageOf(from.log, siteId, before);
    const unlike = entries.filter((entry) => isKept(entry) && inTarget.get(entry.id)?.text !== entry.text);
    const changes = unlike.flatMap(({ id, text }): LogChange[] => {
      const known = inTarget.get(id);
      return known ? [{ siteId, position: known.position, text }] : [];
    });
    const added = unlike.filter(({ id }) => !inTarget.has(id)).map(entryOf);
    await to.log.writeLog({ entries: added.toReversed(), changes, keep });
  }
  for (let i = 0; i < extra.length; i += pageSize) {
    const changes = extra.slice(i, i + pageSize).map(({ position }) => ({ siteId, position }));
    await to.log.writeLog({ changes, keep });
  }
}

function entryOf(found: FoundEntry) {
  const entry = copiedEntry(found);
  if (!entry) throw new Error('the log has an entry of a later release; copy it with that release');
  return entry;
}

async function* pagesOf(log: LogStore, siteId: string) {
  for (let before: string | undefined, isLast = false; !isLast;) {
    const { entries, next }: LogPage = await pageOf(log, siteId, before);
    yield { before, entries };
    [before, isLast] = [next, next === undefined];
  }
}

function pageOf(log: LogStore, siteId: string, before: string | undefined): Promise<LogPage> {
  return log.readLog({ siteId, kinds: logBounds, before, limit: pageSize });
}

function keptFor(days: number): (entry: FoundEntry) => boolean {
  const oldest = Date.now() - days * 24 * 60 * 60 * 1000;
  return ({ id }) => timeOfEvent(id) >= oldest;
}

/** The campus that uses the target has its own bounds, and drops what is above them. */
function keepAll(days: number): LogKeeping {
  const all = 1_000_000_000;
  return { days, events: { school: all, people: all, use: all, strangers: all, named: all } };
}
