import { type LogBound, logBounds, type LogIndex, type SchoolEntries } from '../../lib/records/log.ts';
import { digest53 } from '../shared/log-digest.ts';
import { digestOf, greatestId, idAt, placeIn } from './log-rows.ts';
import { type Dialect, type Statement, statement } from './sql.ts';

/** Rows that one statement of the purge removes. */
export const batch = 500;

/** Entries that many requests can share: callers name their requests. */
const maxOfReference = 50;

const columnsOf: Readonly<Record<LogIndex, readonly string[]>> = {
  member: ['member', 'actor'],
  app: ['app'],
  client: ['client', 'app'],
  reference: ['reference'],
};

export function logStatements({ table, keyType, each, written }: Dialect) {
  const log = table('log');
  const columns = ['school', 'kind', 'id', 'member', 'actor', 'app', 'client', 'reference', 'site', 'event'] as const;
  const types = { kind: 'smallint', id: keyType, site: 'text', event: 'text' } as const;
  const cast = (column: string): string =>
    `cast(e.value->>'${column}' as ${Object.entries(types).find(([name]) => name === column)?.[1] ?? 'bigint'})`;
  const key = '(school, kind, id)';
  const keys = `(select ${cast('school')}, ${cast('kind')}, ${cast('id')} from ${each.object})`;
  const shown = 'id, kind, site, event';
  /** $1 what it is found by, $2 the id before which it is, $3 the first id, $4 how many */
  const newest = (where: string): string =>
    `select * from (select ${shown} from ${log} where ${where} and id < $2 and id >= $3 order by id desc limit $4) x`;
  const union = (conditions: readonly string[]): Statement =>
    statement(`${conditions.map(newest).join(' union all ')} order by id desc limit $4`);
  const byIndex = {
    member: union(columnsOf.member.map((column) => `${column} = $1`)),
    app: union(['app = $1']),
    client: union(columnsOf.client.map((column) => `${column} = $1`)),
    reference: statement(`select ${shown} from ${log} where reference = $1 order by id desc limit ${maxOfReference}`),
  };
  const byKinds = new Map<string, Statement>();
  const ofKinds = (kinds: readonly LogBound[]): Statement => {
    const numbers = kinds.map((kind) => logBounds.indexOf(kind));
    const known = byKinds.get(numbers.join(' ')) ?? union(numbers.map((kind) => `school = $1 and kind = ${kind}`));
    byKinds.set(numbers.join(' '), known);
    return known;
  };
  const remove = (rows: string): Statement =>
    statement(`delete from ${log} where ${key} in (${rows}) returning 1 as done`);
  return {
    insert: statement(
      `insert into ${log} (${columns.join(', ')}) select ${columns.map(cast).join(', ')} from ${each.object}
        where true on conflict do nothing`,
    ),
    remove: statement(`delete from ${log} where ${key} in ${keys}`),
    replace: statement(`update ${log} as l set event = cast(e.value->>'text' as text) from ${each.object}
      where l.school = ${cast('school')} and l.kind = ${cast('kind')} and l.id = ${cast('id')}`),
    read({ siteId, kinds, by, from = 0, to = Infinity, before, limit }: SchoolEntries): [Statement, unknown[]] {
      if (by?.index === 'reference') return [byIndex.reference, [digestOf(siteId, 'reference', by.value)]];
      const ends = [placeIn(before ?? '')?.id ?? greatestId, to === Infinity ? greatestId : idAt(to)];
      const range = [ends.sort()[0], idAt(from), limit];
      if (by) return [byIndex[by.index], [digestOf(siteId, by.index, by.value), ...range]];
      return [ofKinds(kinds), [digest53(siteId), ...range]];
    },
    /** Looks at the rows that were written first. $1 the first id to keep */
    removeOld:
      remove(`select school, kind, id from (select school, kind, id from ${log} order by written limit ${batch}) old
      where id < $1`),
    /** $1 school, $2 kind, $3 how many there may be */
    firstBeyond: statement(`select id from ${log} where school = $1 and kind = $2 order by id desc limit 1 offset $3`),
    /** $1 school, $2 kind, $3 the last id to remove */
    removeBeyond: remove(
      `select school, kind, id from ${log} where school = $1 and kind = $2 and id <= $3 order by id limit ${batch}`,
    ),
    order: {
      /** $1 the place after which, $2 the id there, $3 the first id, $4 how many */
      page: statement(`select cast(written as text) as place, ${shown} from ${log}
        where written >= ${written.place('$1')} and (written > ${written.place('$1')} or id > $2) and id >= $3 and ${written.isSettled}
        order by written, id limit $4`),
      ends: statement(`select (select cast(written as text) from ${log} order by written limit 1) as first,
        (select cast(written as text) from ${log} order by written desc limit 1) as last`),
      /** $1 a place */
      idAt: statement(`select id from ${log} where written >= ${written.place('$1')} order by written limit 1`),
      /** $1 a place */
      isAhead: statement(`select 1 as ahead where ${written.isAhead}`),
    },
  };
}
