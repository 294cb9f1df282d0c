import type { Connection, ConnectionPage, ConnectionQuery } from '../contracts/connection.ts';

type FindConnection = (id: string) => Promise<Connection | undefined>;

const defaultSize = 25;
const maxSize = 100;

/** A page of connections in the order of their ids. Only a search reads more than those of the page. */
export async function connectionPage(
  ids: readonly string[],
  find: FindConnection,
  { search = '', page = 1, size = defaultSize }: ConnectionQuery = {},
): Promise<ConnectionPage> {
  const words = folded(search).split(/\s+/u).filter(Boolean);
  const onPage = within(size || defaultSize, maxSize);
  const slice = <T>(all: readonly T[]): Omit<ConnectionPage, 'connections'> & { readonly shown: readonly T[] } => {
    const pages = Math.max(1, Math.ceil(all.length / onPage));
    const number = within(page, pages);
    return { page: number, pages, total: all.length, shown: all.slice((number - 1) * onPage, number * onPage) };
  };
  if (words.length === 0) {
    const { shown, ...numbers } = slice(ids);
    return { connections: await findAll(shown, find), ...numbers };
  }
  const { shown, ...numbers } = slice((await findAll(ids, find)).filter(matching(words)));
  return { connections: shown, ...numbers };
}

export async function findAll(ids: readonly string[], find: FindConnection): Promise<Connection[]> {
  const all = await Promise.all(ids.map(find));
  return all.flatMap((connection) => connection ?? []);
}

/** A whole number from 1; 1 for what is no number. */
function within(number: number, max: number): number {
  return Math.min(Math.max(Math.trunc(number) || 1, 1), max);
}

function matching(words: readonly string[]): (connection: Connection) => boolean {
  return ({ clientName, host = '' }) => {
    const text = folded(`${clientName} ${host}`);
    return words.every((word) => text.includes(word));
  };
}

/** Without differences that people do not type: case and width. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
