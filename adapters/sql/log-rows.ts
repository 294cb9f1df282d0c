import { type FoundEntry, logBounds, type LogEntry } from '../../lib/records/log.ts';
import { digest53 } from '../shared/log-digest.ts';
import type { Row } from './sql.ts';

/** The digest has the school in it, so an index finds nothing of another one. `client` can be found by `app`, and `actor` by `member`. */
export function digestOf(siteId: string, column: string, value: string): number {
  const what = { actor: 'member', client: 'app' }[column] ?? column;
  return digest53(`${siteId}\0${what}\0${value}`);
}

/** The columns of an entry. */
export function rowOf({ siteId, id, kind, text, ...found }: LogEntry) {
  const digests = Object.entries(found).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, digestOf(siteId, column, value)]],
  );
  const own = { school: digest53(siteId), kind: logBounds.indexOf(kind), id, site: siteId, event: text };
  return { ...own, ...Object.fromEntries(digests) };
}

const position = /^([0-4]) ([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/;

/** The kind and the id in a position; nothing for another text. */
export function placeIn(text: string): { readonly kind: number; readonly id: string } | undefined {
  const [, kind, id] = position.exec(text) ?? [];
  return id === undefined ? undefined : { kind: Number(kind), id };
}

/** The least id of a moment. */
export function idAt(milliseconds: number): string {
  const time = Math.max(0, Math.min(Math.floor(milliseconds), 2 ** 48 - 1));
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

export const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function foundIn(row: Row): FoundEntry {
  const id = String(row['id']);
  return { position: `${Number(row['kind'])} ${id}`, siteId: String(row['site']), id, text: String(row['event']) };
}
