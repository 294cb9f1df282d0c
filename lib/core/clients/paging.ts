import type { ClientAudience, ClientSource } from './client.ts';
import type { ListPage, ListQuery, PageNumbers, ListSort } from './listed-client.ts';
import { epochSeconds } from '../../kernel/clock.ts';

const maxSize = 100;

/** What an entry is searched, filtered and sorted by. One that lacks a member does not pass a filter for it. */
export interface Listed {
  readonly clientId?: string | undefined;
  readonly clientName?: string | undefined;
  readonly host?: string | undefined;
  readonly audience?: ClientAudience | undefined;
  readonly source?: ClientSource | undefined;
  readonly confidential?: boolean | undefined;
  readonly status?: string | undefined;
  readonly people?: number | undefined;
  readonly lastActiveAt?: number | undefined;
  readonly lastUsedAt?: number | undefined;
  readonly createdAt?: number | undefined;
  readonly connectedAt?: number | undefined;
}

/** All entries of a list, in its order. */
export interface ListSource<K, T extends Listed> {
  readonly keys: readonly K[];
  /** Reads entries, in order; nothing in place of one that is gone. */
  readonly read: (keys: readonly K[]) => Promise<readonly (T | undefined)[]>;
  /** Reads what the query needs of many entries, with fewer look-ups. @default `read` */
  readonly readListed?: (keys: readonly K[], query: ListQuery) => Promise<readonly (Listed | undefined)[]>;
}

/** A page of a list. Only a query that searches, filters or sorts reads more than the entries of the page. */
export async function pageOf<K, T extends Listed>(
  { keys, read, readListed }: ListSource<K, T>,
  query: ListQuery = {},
): Promise<ListPage<T>> {
  const { page = 1, size } = query;
  if (!isNarrowed(query)) return readPage(slice(keys, page, size), read);
  if (!readListed) return readPage(slice(select(await read(keys), query), page, size), async (entries) => entries);
  const listed = await readListed(keys, query);
  const found = keys.flatMap((key, i) => (listed[i] ? [{ ...listed[i], key }] : []));
  return readPage(slice(select(found, query), page, size), (some) => read(some.map(({ key }) => key)));
}

function isNarrowed({ page: _page, size: _size, search = '', ...rest }: ListQuery): boolean {
  return search.trim() !== '' || Object.values(rest).some((value) => value !== undefined);
}

/** The entries that a query is for, in its order. */
export function select<T extends Listed>(entries: readonly (T | undefined)[], query: ListQuery): T[] {
  const found = entries.filter((entry) => entry !== undefined).filter(matches(query));
  return query.sort === undefined ? found : found.sort(orderOf(query.sort));
}

/** Whether a query is for an entry. */
export function matches(query: ListQuery): (entry: Listed) => boolean {
  const { search = '', unusedDays } = query;
  const words = folded(search).split(/\s+/u).filter(Boolean);
  const before = unusedDays === undefined ? Infinity : epochSeconds() - unusedDays * 24 * 60 * 60;
  return (entry) => {
    const { clientId = '', clientName = '', host = '' } = entry;
    const text = words.length > 0 ? folded(`${clientName} ${host} ${clientId}`) : '';
    const isWanted = filters.every((name) => query[name] === undefined || query[name] === entry[name]);
    return isWanted && activeAt(entry) < before && words.every((word) => text.includes(word));
  };
}

export function orderOf(sort: ListSort): (a: Listed, b: Listed) => number {
  return orders[sort];
}

const filters = ['audience', 'source', 'confidential', 'status'] as const;

const { compare } = new Intl.Collator('en', { numeric: true });

const orders: Readonly<Record<ListSort, (a: Listed, b: Listed) => number>> = {
  name: (a, b) => compare(a.clientName ?? '', b.clientName ?? ''),
  people: (a, b) => (b.people ?? 0) - (a.people ?? 0) || orders.name(a, b),
  active: (a, b) => activeAt(b) - activeAt(a),
  unused: (a, b) => activeAt(a) - activeAt(b),
  new: (a, b) => beganAt(b) - beganAt(a) || orders.name(a, b),
};

/** What was never used counts from its beginning. */
function activeAt({ lastActiveAt, lastUsedAt, createdAt = 0 }: Listed): number {
  return lastActiveAt ?? lastUsedAt ?? createdAt;
}

/** What was not noted is not new. */
function beganAt({ connectedAt, createdAt = 0 }: Listed): number {
  return connectedAt ?? createdAt;
}

async function readPage<K, T extends Listed>(
  { items, ...numbers }: Slice<K>,
  read: (keys: readonly K[]) => Promise<readonly (T | undefined)[]>,
): Promise<ListPage<T>> {
  const entries = (await read(items)).filter((entry) => entry !== undefined);
  const page = Object.assign(entries, numbers);
  for (const name of Object.keys(numbers)) Object.defineProperty(page, name, { enumerable: false });
  return page;
}

type Slice<T> = PageNumbers & { readonly items: readonly T[] };

function slice<T>(all: readonly T[], page: number, size?: number): Slice<T> {
  const onPage = size === undefined ? Math.max(all.length, 1) : within(size, maxSize);
  const pages = Math.max(1, Math.ceil(all.length / onPage));
  const number = within(page, pages);
  return { page: number, pages, total: all.length, items: all.slice((number - 1) * onPage, number * onPage) };
}

/** A whole number from 1; 1 for `NaN`. */
function within(number: number, max: number): number {
  return Math.min(Math.max(Math.trunc(number) || 1, 1), max);
}

/** Without what people do not type: case, width and characters that show nothing. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
}

export function oneByOne<K, T>(read: (key: K) => Promise<T>): (keys: readonly K[]) => Promise<T[]> {
  return (keys) => Promise.all(keys.map(read));
}
