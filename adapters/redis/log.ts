import { timeOfEvent } from '../../lib/observe/event-id.ts';
import {
  type FoundEntry,
  type LogBound,
  logBounds,
  type LogChange,
  type LogEntry,
  type LogPage,
  type LogStore,
  type LogWrite,
  type SchoolEntries,
} from '../../lib/records/log.ts';
import { siteName } from '../../lib/records/record.ts';
import { digest53 } from '../shared/log-digest.ts';
import { RedisKeys } from './format.ts';
import type { Argument, RedisClient, RedisSettings } from './options.ts';
import { addEntries, changeEntries, newestInLists, newestOfKinds, ofReference } from './scripts/log.ts';
import type { CallRedis, Session } from './session.ts';

/** Events of each kind of a school, unless the log says how many: they are in memory. */
const room: Readonly<Record<LogBound, number>> = {
  school: 5000,
  people: 20_000,
  use: 20_000,
  strangers: 2000,
  named: 5000,
};

/** Entries of one read: Redis serves no other call meanwhile. */
const maxRead = 250;

/** Entries that many requests can share: callers name their requests. */
const maxOfReference = 20;

/** Milliseconds by which an entry may have been written later than its event. */
const maxLate = 60_000;

/** The moment from which positions count, in milliseconds. */
const epoch = 1_700_000_000_000;

/** Greater than every position. */
const end = 2 ** 53 - 1;

/**
 * Under `L:` of a school: a stream for each kind, lists of positions by digest and kind, `r` and `R` with references, `x` with entries that were
 * replaced, `i` with the last position.
 */
export function redisLog(call: CallRedis, client: RedisClient, { prefix }: RedisSettings): LogStore {
  const keyOf = (siteId: string): string => logKey(new RedisKeys(prefix, siteName(siteId)));
  return {
    async writeLog({ entries = [], changes = [], again = false, keep }) {
      const bySite = [...Map.groupBy(entries, ({ siteId }) => siteId)];
      // On one server a script can have the keys of several schools.
      const calls = client.slots ? bySite.map((each) => [each]) : bySite.length > 0 ? [bySite] : [];
      await Promise.all(
        calls.map((schools) =>
          call(schools[0]?.[0] ?? '', (session) => {
            const keys = schools.map(([siteId]) => keyOf(siteId));
            const args = schools.map(([, its]) => JSON.stringify(its.map(rowOf)));
            return session.write(addEntries, keys, [...keptArguments(keep, again), ...args]);
          }),
        ),
      );
      for (const [siteId, its] of Map.groupBy(changes, (change) => change.siteId)) {
        await call(siteId, (session) =>
          session.write(changeEntries, [keyOf(siteId)], [secondsOf(keep), ...its.flatMap(changeArguments)]),
        );
      }
    },
    readLog: async (question) => {
      if ('after' in question) {
        throw new TypeError(
          'log.read needs an order of writing, which Redis does not keep; pass storedLog({ store: postgresLog(pool) })',
        );
      }
      return call(question.siteId, (session) => read(session, question));
    },
  };
}

function logKey(keys: RedisKeys): string {
  return `${keys.prefix}L:`;
}

function secondsOf({ days }: LogWrite['keep']): number {
  return days * 24 * 60 * 60;
}

function keptArguments(keep: LogWrite['keep'], again: boolean): Argument[] {
  const bounds = logBounds.map((kind) => keep.events[kind] ?? room[kind]);
  return [secondsOf(keep), Date.now() - secondsOf(keep) * 1000, again ? 1 : 0, ...bounds];
}

/** What the script adds of an entry. */
function rowOf({ kind, id, text, member, actor, app, client, reference = '' }: LogEntry): Argument[] {
  const number = logBounds.indexOf(kind);
  const list = (letter: string, value: string | undefined): string =>
    value === undefined ? '' : listName(letter, number, value);
  const lists = [list('m', member), list('m', actor), list('a', app), list('c', client)];
  return [number, timeOfEvent(id), shortId(id) + text, reference, ...lists];
}

function changeArguments({ position, text = '' }: LogChange): Argument[] {
  return placeIn(position) === undefined ? [] : [position, text];
}

function listName(letter: string, kind: number, value: string): string {
  return `${letter}${kind}:${digest53(value).toString(36)}`;
}

const letters = { member: ['m'], app: ['a'], client: ['c', 'a'] } as const;

async function read(session: Session, question: SchoolEntries): Promise<LogPage> {
  const { siteId, by, before, from = 0, to = Infinity } = question;
  const key = logKey(session.keys);
  const found = (reply: unknown): FoundEntry[] => pairsIn(reply).map((pair) => foundIn(siteId, pair));
  if (by?.index === 'reference') {
    return { entries: found(await session.evaluate(ofReference, [key], [by.value, maxOfReference])) };
  }
  const limit = Math.min(question.limit, maxRead);
  const last = Math.min(placeIn(before ?? '') ?? end, to === Infinity ? end : positionAt(to + maxLate));
  const range = [last, positionAt(from), limit];
  const kinds = question.kinds.map((kind) => logBounds.indexOf(kind));
  if (!by) {
    const entries = found(await session.evaluate(newestOfKinds, [key], [...range, ...kinds]));
    const next = entries.length === limit ? entries.at(-1)?.position : undefined;
    return { entries, ...(next !== undefined && { next }) };
  }
  const { index, value } = by;
  const lists = kinds.flatMap((kind) => letters[index].map((letter) => listName(letter, kind, value)));
  const reply = await session.evaluate(newestInLists, [key], [...range, ...lists]);
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the script that reads the log');
  const next = String(reply[1]);
  return { entries: found(reply[0]), ...(next !== '' && { next }) };
}

/** The first position of a moment. */
function positionAt(milliseconds: number): number {
  return Math.min(end, Math.max(0, Math.floor(milliseconds) - epoch) * 4096);
}

/** A position, or nothing for another text. */
function placeIn(text: string): number | undefined {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Infinity;
  return number <= end ? number : undefined;
}

function pairsIn(reply: unknown): readonly (readonly [position: string, entry: string])[] {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of a script that reads the log');
  return reply.map((pair: unknown) => {
    if (!Array.isArray(pair)) throw new Error('unexpected reply of a script that reads the log');
    return [String(pair[0]), String(pair[1])];
  });
}

function foundIn(siteId: string, [position, entry]: readonly [string, string]): FoundEntry {
  return { position, siteId, id: longId(entry.slice(0, idLength)), text: entry.slice(idLength) };
}

/** An id takes 22 characters instead of 36. */
const idLength = 22;

function shortId(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function longId(short: string): string {
  const digits = Buffer.from(short, 'base64url').toString('hex');
  return [0, 8, 12, 16, 20].map((start, i, all) => digits.slice(start, all[i + 1])).join('-');
}
