import { setImmediate as turn } from 'node:timers/promises';
import {
  type LogBound,
  logBounds,
  type LogEntry,
  type LogPage,
  type LogStore,
  type LogWrite,
  type SchoolEntries,
} from '../../lib/records/log.ts';
import { digest53 } from '../shared/log-digest.ts';
import { writtenEntries } from './log-order.ts';
import { foundIn, idAt, placeIn, rowOf } from './log-rows.ts';
import { batch as batchOfPurge, logStatements } from './log-statements.ts';
import type { CallSql, Dialect, Row } from './sql.ts';

/** Events of each kind of a school, unless the log says how many. */
const room: Readonly<Record<LogBound, number>> = {
  school: 100_000,
  people: 1_000_000,
  use: 1_000_000,
  strangers: 10_000,
  named: 100_000,
};

/** Statements of one purge. */
const maxPurges = 20;

/** A log in tables, with what the purge has to do for it. */
export interface SqlLog {
  readonly methods: LogStore;
  /** Removes what need not be kept, as far as this process knows it. Returns how many. */
  readonly purge: (call: CallSql) => Promise<number>;
}

/** @param perTurn - entries that are written before others get a turn: a database in this process stops everything else meanwhile */
export function sqlLog(call: CallSql, dialect: Dialect, perTurn = Infinity): SqlLog {
  const its = logStatements(dialect);
  const kept = new KeptCounts();

  async function write({ entries = [], changes = [], keep }: LogWrite): Promise<void> {
    kept.keep = keep;
    for (let i = 0; i < entries.length; i += perTurn) {
      if (i > 0) await turn();
      const batch = entries.slice(i, i + perTurn);
      await call((sql) => sql.run(its.insert, [JSON.stringify(batch.map(rowOf))]));
      kept.count(batch);
    }
    const places = changes.flatMap(({ siteId, position, text }) => {
      const place = placeIn(position);
      return place ? [{ school: digest53(siteId), ...place, text }] : [];
    });
    const removed = places.filter(({ text }) => text === undefined);
    if (removed.length > 0) await call((sql) => sql.run(its.remove, [JSON.stringify(removed)]));
    const replaced = places.filter(({ text }) => text !== undefined);
    if (replaced.length > 0) await call((sql) => sql.run(its.replace, [JSON.stringify(replaced)]));
  }

  return {
    methods: {
      writeLog: write,
      readLog: (question) =>
        'after' in question
          ? writtenEntries(call, its.order, question)
          : call(async (sql) => {
              const [text, values] = its.read(question);
              return pageOf(await sql.run(text, values), question);
            }),
    },
    async purge(series) {
      const { keep } = kept;
      if (!keep) return 0;
      let removed = 0;
      const oldest = idAt(Date.now() - keep.days * 24 * 60 * 60 * 1000);
      for (let i = 0; i < maxPurges; i += 1) {
        const { length } = await series((sql) => sql.run(its.removeOld, [oldest]));
        removed += length;
        if (length < batchOfPurge) break;
      }
      for (const { school, kind, bound } of kept.due(room)) {
        const [first] = await series((sql) => sql.run(its.firstBeyond, [school, kind, bound]));
        if (!first) continue;
        for (let i = 0; i < maxPurges; i += 1) {
          const { length } = await series((sql) => sql.run(its.removeBeyond, [school, kind, first['id']]));
          removed += length;
          if (length < batchOfPurge) break;
        }
      }
      return removed;
    },
  };
}

/** How many entries this process has written of each kind of a school, since it last looked how many there are. */
class KeptCounts {
  keep: LogWrite['keep'] | undefined;
  readonly #written = new Map<string, number>();

  count(entries: readonly LogEntry[]): void {
    for (const { siteId, kind } of entries) {
      const name = `${digest53(siteId)} ${logBounds.indexOf(kind)}`;
      this.#written.set(name, (this.#written.get(name) ?? 0) + 1);
    }
  }

  /** The kinds of schools of which a tenth of the bound is new. */
  *due(defaults: Readonly<Record<LogBound, number>>) {
    for (const [name, count] of this.#written) {
      const [school = 0, number = 0] = name.split(' ').map(Number);
      const kind = logBounds[number];
      const bound = kind && (this.keep?.events[kind] ?? defaults[kind]);
      if (bound === undefined || count < bound / 10) continue;
      this.#written.delete(name);
      yield { school, kind: number, bound };
    }
  }
}

function pageOf(rows: readonly Row[], { siteId, by, limit }: SchoolEntries): LogPage {
  const last = rows.at(-1);
  const isMore = last && rows.length === limit && by?.index !== 'reference';
  const entries = rows.filter(({ site }) => site === siteId).map(foundIn);
  return { entries, ...(isMore && { next: foundIn(last).position }) };
}
