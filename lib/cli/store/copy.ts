import { lineOf } from '../../records/record.ts';
import type { CopiedRecord, RecordPlace, StoreTransfer } from '../../records/store-copy.ts';
import { carryOut, type CarryOutValues } from '../carry-out.ts';
import { UsageError } from '../command.ts';
import { importExport } from '../module.ts';
import type { Terminal } from '../output.ts';
import { type Change, type Differences, differences } from './differences.ts';
import { type CopiedLog, type LogDifferences, logDifferences } from './log.ts';
import { isTransferable } from './pages.ts';

interface Values extends CarryOutValues {
  readonly verify: boolean;
  readonly after: string;
  readonly remove: boolean;
  readonly days: string;
}

/** What is copied of a store. */
interface Copied {
  readonly transfer: StoreTransfer;
  /** Absent in a store that keeps none. */
  readonly log: CopiedLog | undefined;
}

/** How two stores differ; the log only where both keep one. */
interface Found {
  readonly records: Differences;
  readonly log: LogDifferences | undefined;
}

/** Copies one store to another, or compares them. Returns the exit code. */
export async function copy(
  files: readonly (string | undefined)[],
  values: Values,
  terminal: Terminal,
): Promise<number> {
  const [source, target, ...more] = files;
  if (source === undefined || target === undefined || more.length > 0)
    throw new UsageError('store copy needs two modules, for example: ./redis.ts ./postgres.ts');
  const days = daysIn(values.days);
  const [from, to] = await Promise.all([source, target].map(copiedIn));
  if (!from || !to) return 2;
  const pair = { from: from.transfer, to: to.transfer, after: values.after, terminal };
  const compare = async (change?: Change): Promise<Found> => {
    const records = await differences(pair, change);
    const logs = from.log && to.log && { from: from.log, to: to.log, days, terminal };
    return { records, log: logs && (await logDifferences(logs, change !== undefined)) };
  };
  const found = await compare();
  if (!found.log || isEmpty(found.log)) terminal.note(noLog);
  if (values.verify) return showVerified(found, values.json, terminal);
  const all = [found.records, ...(found.log ? [found.log] : [])];
  const plan = {
    text: `${target}: ${textOf(found, days, 'records to write', 'events to write', 'to remove')}`,
    counts: countsOf(found),
    isNothing: all.every(({ written, removed }) => written + removed === 0),
    refusal: all.some(({ written, removed }) => removed > written) && !values.remove ? mayBeSwapped : undefined,
  };
  return carryOut(plan, values, terminal, async () => {
    const done = await compare(writer(pair.from, pair.to, terminal));
    return { text: textOf(done, days, 'records written', 'events written', 'removed'), counts: countsOf(done) };
  });
}

const noLog = 'no events of a log to compare; a log that storedLog({ store }) keeps in another store stays there';

const mayBeSwapped =
  'more would be removed than written: are the two modules in the wrong order? If they are not, add --remove';

function daysIn(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 3650) return days;
  throw new UsageError(`--days must be a whole number of days, 1 to 3650, not ${JSON.stringify(text)}`);
}

function textOf({ records, log }: Found, days: number, ...[ofRecords, ofLog, removed]: readonly string[]): string {
  const text = `${records.written} ${ofRecords}, ${records.removed} ${removed}, ${records.same} unchanged`;
  if (!log || isEmpty(log)) return text;
  const older = log.older > 0 ? `, ${log.older} older than ${days} days left out` : '';
  return `${text}; log: ${log.written} ${ofLog}, ${log.removed} ${removed}, ${log.same} unchanged${older}`;
}

function countsOf({ records, log }: Found) {
  const { written = 0, removed = 0, same = 0, older = 0 } = log ?? {};
  return { ...records, eventsWritten: written, eventsRemoved: removed, eventsSame: same, eventsOlder: older };
}

function isEmpty(log: LogDifferences): boolean {
  return Object.values(log).every((count) => count === 0);
}

function showVerified({ records, log }: Found, json: boolean, terminal: Terminal): number {
  const isSame = [records, log].every((each) => !each || each.written + each.removed === 0);
  if (json) {
    const { written = 0, removed = 0, same = 0 } = log ?? {};
    const events = { sameEvents: same, differentEvents: written, extraEvents: removed };
    terminal.print(
      JSON.stringify({ same: records.same, different: records.written, extra: records.removed, ...events }),
    );
  } else {
    const compared = [
      comparedText('records', records),
      ...(log && !isEmpty(log) ? [comparedText('events of the log', log)] : []),
    ];
    terminal.report(isSame ? 'ok' : 'error', compared.join('; '));
  }
  return isSame ? 0 : 1;
}

function comparedText(what: string, { same, written, removed }: Differences): string {
  const differ = written + removed > 0 ? `, ${written} are missing or different, ${removed} should not exist` : '';
  return `${same} ${what} are the same${differ}`;
}

function writer(from: StoreTransfer, to: StoreTransfer, terminal: Terminal): Change {
  return {
    put: async (records) => to.put([...(await grantsOfLines(from, records)), ...records]),
    drop: (places) => to.drop(places),
    stoppedAt: (place) => {
      if (place !== '') terminal.complain(`stopped; continue with --after ${JSON.stringify(place)}`);
    },
  };
}

/** Their grants, where a store may keep lines: they come in any order. */
async function grantsOfLines(from: StoreTransfer, records: readonly CopiedRecord[]): Promise<CopiedRecord[]> {
  const places = new Map<string, RecordPlace>();
  for (const { site, kind, name, grant } of records) {
    if (grant !== undefined && lineOf(kind, name)) places.set(`${site} ${grant}`, { site, kind: 'Grant', name: grant });
  }
  for (const { site, kind, name } of records) if (kind === 'Grant') places.delete(`${site} ${name}`);
  const found = places.size > 0 ? await from.look([...places.values()]) : [];
  return found.flatMap((record) => record ?? []);
}

async function copiedIn(file: string): Promise<Copied> {
  const store = await importExport(file, 'store', isTransferable, 'a store that can be copied');
  const transfer = store.transfer();
  const schools = transfer.logSchools?.bind(transfer);
  const { writeLog, readLog } = store;
  if (!schools || !writeLog || !readLog) return { transfer, log: undefined };
  const log = { writeLog: writeLog.bind(store), readLog: readLog.bind(store) };
  return { transfer, log: { log, schools } };
}
