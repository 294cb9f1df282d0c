import type { PageQuery, StorePage } from '../../lib/records/store.ts';

/** Where a page of an order ends: the number by which its last entry has its place there, and the name of that among equals. */
export interface Place {
  readonly number: number;
  readonly name: string;
}

/** Names have only such characters: what somebody has made up must not reach a database. */
const form = /^(\S+) ([\x21-\x7e]*)$/;

/** The place after which a page begins; nothing for the first page. */
export function placeIn({ after = '' }: PageQuery): Place | undefined {
  const [, number, name = ''] = form.exec(after) ?? [];
  return number === undefined || Number.isNaN(Number(number)) ? undefined : { number: Number(number), name };
}

const maxSize = 100;

export function sizeOf({ limit }: PageQuery): number {
  return Math.min(Math.max(Math.floor(limit) || 1, 1), maxSize);
}

/** A page of entries, and the place of the last that was read for it. */
export function pageOf<T>(entries: readonly T[], read: readonly Place[], size: number): StorePage<T> {
  const last = read.at(-1);
  return read.length < size || !last ? { entries } : { entries, next: `${last.number} ${last.name}` };
}
