import type { ListPage, ListQuery, PageNumbers } from '../contracts/connection.ts';

const maxSize = 100;

interface Listed {
  readonly clientId?: string | undefined;
  readonly clientName?: string | undefined;
  readonly host?: string | undefined;
}

/** A page of a list, in the order of `keys`. Only a search reads more than the entries of the page. */
export async function pageOf<K, T extends Listed>(
  keys: readonly K[],
  read: (key: K) => Promise<T | undefined>,
  { search = '', page = 1, size }: ListQuery = {},
): Promise<ListPage<T>> {
  const words = folded(search).split(/\s+/u).filter(Boolean);
  const readAll = async (some: readonly K[]): Promise<T[]> =>
    (await Promise.all(some.map(read))).filter((entry) => entry !== undefined);
  if (words.length === 0) {
    const { items, ...numbers } = slice(keys, page, size);
    return listPage(await readAll(items), numbers);
  }
  const found = (await readAll(keys)).filter(({ clientId = '', clientName = '', host = '' }) => {
    const text = folded(`${clientName} ${host} ${clientId}`);
    return words.every((word) => text.includes(word));
  });
  const { items, ...numbers } = slice(found, page, size);
  return listPage(items, numbers);
}

function listPage<T>(entries: T[], numbers: PageNumbers): ListPage<T> {
  const page = Object.assign(entries, numbers);
  for (const name of Object.keys(numbers)) Object.defineProperty(page, name, { enumerable: false });
  return page;
}

function slice<T>(all: readonly T[], page: number, size?: number): PageNumbers & { items: T[] } {
  const onPage = size === undefined ? Math.max(all.length, 1) : within(size, maxSize);
  const pages = Math.max(1, Math.ceil(all.length / onPage));
  const number = within(page, pages);
  return { page: number, pages, total: all.length, items: all.slice((number - 1) * onPage, number * onPage) };
}

/** A whole number from 1; 1 for `NaN`. */
function within(number: number, max: number): number {
  return Math.min(Math.max(Math.trunc(number) || 1, 1), max);
}

/** Without differences that people do not type: case and width. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
