import { isToken, type RecordKind } from '../../lib/records/record.ts';
import type { SweepFilter, SweepStep } from '../../lib/records/store.ts';
import { grantLines, readTokenValue } from './format.ts';
import type { RedisClient } from './options.ts';
import { removeFound } from './revocation.ts';
import { partsOf, scan } from './scan.ts';
import { removeRecord } from './scripts/records.ts';
import { unlinkKeys } from './scripts/revocation.ts';
import type { Session } from './session.ts';

/** One step through the keys of a site: see `Store.sweep`. */
export async function sweep(
  session: Session,
  client: RedisClient,
  from: string,
  removes: boolean | SweepFilter,
): Promise<SweepStep> {
  const { keys, next } = await scan(client, session.keys.prefix, from);
  const counts = typeof removes === 'function' ? removeSome(session, keys, removes) : countsOf(session, keys, removes);
  const records: Partial<Record<RecordKind, number>> = {};
  for (const [kind, count] of await counts) if (count > 0) records[kind] = (records[kind] ?? 0) + count;
  return { records, next };
}

type Counts = readonly (readonly [kind: RecordKind, count: number])[];

/** How many records these keys have, or had before they were removed. */
async function countsOf(session: Session, keys: readonly string[], removes: boolean): Promise<Counts> {
  const sizeOf = async (key: string): Promise<number> =>
    partsOf(key).list ? Number(await session.command('HLEN', key)) : 1;
  const sizes = removes ? await unlink(session, keys) : await Promise.all(keys.map(sizeOf));
  return keys.flatMap((key, i) => {
    const { record, list = record?.kind } = partsOf(key);
    return list ? [[list, sizes[i] ?? 0] as const] : [];
  });
}

/** Keys that one script removes: Redis serves no other call meanwhile. */
const batch = 100;

async function unlink(session: Session, keys: readonly string[]): Promise<number[]> {
  const sizes: number[] = [];
  for (let i = 0; i < keys.length; i += batch) {
    const reply = await session.write(unlinkKeys, keys.slice(i, i + batch), []);
    if (!Array.isArray(reply)) throw new Error('unexpected reply of Redis');
    sizes.push(...reply.map(Number));
  }
  return sizes;
}

async function removeSome(session: Session, keys: readonly string[], removes: SweepFilter): Promise<Counts> {
  const records = keys.flatMap((key) => {
    const { record } = partsOf(key);
    return record ? [{ key, kind: record.kind }] : [];
  });
  const values = await Promise.all(records.map(({ key }) => session.command('GET', key)));
  const gone = records.flatMap((record, i) => {
    const value = values[i];
    return typeof value === 'string' && removes(record.kind, recordIn(record.kind, value))
      ? [{ ...record, value }]
      : [];
  });
  const [grants, others] = [gone.filter(({ kind }) => kind === 'Grant'), gone.filter(({ kind }) => kind !== 'Grant')];
  const removed = await removeFound(session, grants);
  const sizes = await unlink(
    session,
    others.map(({ key }) => key),
  );
  const lists = await Promise.all(keys.map((key) => removeListed(session, key, removes)));
  return [['Grant', removed], ...others.map(({ kind }, i) => [kind, sizes[i] ?? 0] as const), ...lists.flat()];
}

async function removeListed(session: Session, key: string, removes: SweepFilter): Promise<Counts> {
  const { list } = partsOf(key);
  if (!list) return [];
  const reply = await session.command('HGETALL', key);
  const texts = Array.isArray(reply) ? reply.map(String) : [];
  const names = texts.filter((_, i) => i % 2 === 0 && removes(list, texts[i + 1] ?? ''));
  const removed = names.map((name) => session.write(removeRecord, [session.keys.named(list, name), key], []));
  return (await Promise.all(removed)).map((done) => [list, Number(done)]);
}

function recordIn(kind: RecordKind, value: string): string {
  if (kind === 'Grant') return grantLines(value).record;
  return isToken(kind) ? readTokenValue(kind, value).found.record : value;
}
