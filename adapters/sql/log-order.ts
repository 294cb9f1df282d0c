import type { LogPage, WrittenEntries } from '../../lib/records/log.ts';
import { foundIn, idAt } from './log-rows.ts';
import type { logStatements } from './log-statements.ts';
import type { CallSql, Sql } from './sql.ts';

type OrderStatements = ReturnType<typeof logStatements>['order'];

const cursor = /^(\d{1,20}) ([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/;

/** Milliseconds by which an event may have been written later than one that happened after it: while the database was away, events waited. */
const maxLate = 60 * 60 * 1000;

/** Entries in the order in which they became visible, except copies. @throws TypeError for a cursor that is not of this database */
export function writtenEntries(
  call: CallSql,
  its: OrderStatements,
  { after, from, limit }: WrittenEntries,
): Promise<LogPage> {
  return call(async (sql) => {
    const start = after === '' ? ['', await placeOf(sql, its, from), idAt(0)] : cursor.exec(after);
    if (!start) throw new TypeError('log.read.since.after must be a cursor that log.read has returned');
    const [, place = '', id = ''] = start;
    if ((await sql.run(its.isAhead, [place])).length > 0) {
      throw new TypeError(
        'log.read.since.after must be a cursor of this database, not from before a restore; start again with log.read({ from })',
      );
    }
    const rows = await sql.run(its.page, [place, id, idAt(from ?? 0), limit]);
    const last = rows.at(-1);
    return {
      entries: rows.filter(({ kind }) => Number(kind) !== copies).map(foundIn),
      next: last ? `${String(last['place'])} ${String(last['id'])}` : after,
    };
  });
}

/** The number of the kind of copies. */
const copies = 4;

/** The first place with entries of this time, found by halving: what is older is not looked through. */
async function placeOf(sql: Sql, its: OrderStatements, from: number | undefined): Promise<string> {
  const [ends] = await sql.run(its.ends, []);
  if (from === undefined || typeof ends?.['first'] !== 'string') return '0';
  const first = idAt(from - maxLate);
  let [low, high] = [BigInt(ends['first']), BigInt(String(ends['last']))];
  while (low < high) {
    const middle = (low + high) / 2n;
    const [row] = await sql.run(its.idAt, [String(middle)]);
    if (row && String(row['id']) < first) low = middle + 1n;
    else high = middle;
  }
  return String(low);
}
