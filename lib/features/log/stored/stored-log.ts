import type { OnFault } from '../../../observe/events.ts';
import { faultWrapper, reportFault } from '../../../observe/faults-to-503.ts';
import { group, instance, methods, type Shape, whole } from '../../../kernel/option-schemas.ts';
import { readOptions } from '../../../kernel/validate.ts';
import type { EventPage, EventQuestion } from '../../../observe/event-question.ts';
import type { LogBound, LogKeeping, LogStore } from '../../../records/log.ts';
import type { Store } from '../../../records/store.ts';
import type { EventsSince, OpenLog, StoredLog, WrittenEvents } from '../../../records/stored-log.ts';
import { eventIn } from '../../../core/log/entry-text.ts';
import { forget } from '../../../core/log/forget.ts';
import { findEvents } from '../../../core/log/reader.ts';
import { LogWriter } from './writer.ts';

/** The number of events that a log keeps for each kind and school. */
export type KeptEvents = { readonly [K in LogBound]?: number | undefined };

/** Options of `storedLog`. */
export interface StoredLogOptions {
  /** The number of days for which events are kept. @default 90 */
  readonly days?: number | undefined;
  /**
   * The number of the newest events of each kind that are kept for a school. `named` are copies for people, if one event is about several.
   * @default as many as the store has room for: `docs/guides/log.md`
   */
  readonly events?: KeptEvents | undefined;
  /** The store of the log, for example `postgresLog(pool)`. @default the store of the campus */
  readonly store?: LogStore | undefined;
}

const many = whole('whole number of events', 1, 1_000_000_000).optional();

/** @internal */
export const storedLogSchema = group({
  days: whole('whole number of days', 1, 3650).default(90),
  events: group({
    school: many,
    people: many,
    use: many,
    strangers: many,
    named: many,
  } satisfies Shape<KeptEvents>).prefault({}),
  store: instance<LogStore>(methods(['writeLog', 'readLog']), 'be a store for a log, for example postgresLog(pool)')
    .meta({ type: '`LogStore`' })
    .optional(),
} satisfies Shape<StoredLogOptions>).prefault({});

/** Milliseconds. */
const day = 24 * 60 * 60 * 1000;

/** When the oldest event happened that may be shown. */
function oldestOf({ days }: LogKeeping): number {
  return Date.now() - days * day;
}

/** Events of a page of `read`, unless the question says how many. */
const readSize = 100;

/**
 * Creates a log of the actions of apps and people, in the store of the campus or another store, for the option `log` of `createCampus`.
 * Requests do not wait for it.
 *
 * @throws TypeError that names a wrong option
 */
export function storedLog(options: StoredLogOptions = {}): StoredLog {
  const { days, events, store: own } = readOptions(storedLogSchema, options, 'storedLog.options');
  const keep = { days, events };
  return Object.freeze<StoredLog>({
    open({ store: campusStore, onFault }) {
      const store = own ?? logIn(campusStore);
      // The campus listens to its own store.
      own?.observe?.(onFault);
      const writer = new LogWriter(store, keep, onFault);
      const wrap = faultWrapper(onFault);
      // What has just happened here is found.
      const list = wrap('reading the log', async (siteId: string, question: EventQuestion): Promise<EventPage> => {
        await writer.write();
        return findEvents(store, siteId, question, oldestOf(keep));
      });
      return {
        store,
        add: (event) => writer.add(event),
        list,
        read: (since) => readWritten({ store, onFault }, since, oldestOf(keep)),
        forget: wrap('changing the log', async (siteId, memberId, from) => {
          await writer.write();
          return forget(store, { siteId, memberId }, from, keep);
        }),
        close: () => writer.close(),
      } satisfies OpenLog;
    },
  });
}

/** @throws TypeError for a store without the two methods */
function logIn(store: Store): LogStore {
  const { writeLog, readLog } = store;
  if (writeLog && readLog) return { writeLog: writeLog.bind(store), readLog: readLog.bind(store) };
  throw new TypeError(
    'log must have a store with writeLog and readLog, which the store of this campus lacks; pass storedLog({ store: postgresLog(pool) })',
  );
}

/** What a store cannot do, and a wrong cursor, is the caller's to know; all else is a fault. */
async function readWritten(
  { store, onFault }: { readonly store: LogStore; readonly onFault: OnFault },
  { after = '', from, limit = readSize }: EventsSince,
  oldest: number,
): Promise<WrittenEvents> {
  const since = after === '' ? Math.max(from?.getTime() ?? 0, oldest) : undefined;
  try {
    const { entries, next = after } = await store.readLog({ after, from: since, limit });
    const events = entries.flatMap((entry) => eventIn(entry) ?? []);
    return { events: events.filter(({ time }) => Date.parse(time) >= oldest), next };
  } catch (cause) {
    throw cause instanceof TypeError ? cause : reportFault(onFault, 'reading the log', cause);
  }
}
