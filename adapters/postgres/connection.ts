import type { Row } from '../sql/sql.ts';
import type { PostgresClient, PostgresPool } from './options.ts';

/** Borrows a connection. One that failed, or that `close` was called for, is closed instead of given back. */
export async function withClient<T>(
  pool: PostgresPool,
  use: (client: PostgresClient, close: (why: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await borrow(pool);
  let released = false;
  const release = (why?: Error): void => {
    if (!released) client.release(why);
    released = true;
  };
  try {
    const result = await use(client, release);
    release();
    return result;
  } catch (error) {
    release(isReply(error) && !/^(?:57|08|25)/.test(codeOf(error)) ? undefined : new Error('the connection failed'));
    throw error;
  } finally {
    client.removeListener('error', ignore);
  }
}

/**
 * A connection that breaks while it is lent out emits an error that would end the process, even before a promise could tell of
 * the connection.
 */
function borrow(pool: PostgresPool): Promise<PostgresClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      client?.on('error', ignore);
      if (client) resolve(client);
      else reject(error ?? new Error('the pool has no connection'));
    });
  });
}

function ignore(): void {}

/** Whether PostgreSQL itself replied with this error, so that it responds. */
export function isReply(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The rows of a result, or of the last one of several. */
export function rowsOf(result: unknown): readonly Row[] {
  const last: unknown = Array.isArray(result) ? result.at(-1) : result;
  const rows: unknown = typeof last === 'object' && last !== null && 'rows' in last ? last.rows : undefined;
  if (!Array.isArray(rows)) throw new Error('unexpected reply of the pool');
  return rows;
}
