import type { Texts } from '../sql/migrate.ts';
import type { PostgresPool } from './options.ts';
import { codeOf, rowsOf, withClient } from './connection.ts';

/** Any number that others are unlikely to lock: "campus" in ASCII. */
const lock = 0x63_61_6d_70_75_73;

/** Runs texts in a transaction, under a lock that all processes take. A schema that does not exist is created. */
export function runAlone<T>(pool: PostgresPool, schema: string, texts: Texts<T>): Promise<T> {
  return withClient(pool, async (client) => {
    const run = async (text: string) => rowsOf(await client.query({ text }));
    await run('begin');
    try {
      await run(`select pg_advisory_xact_lock(${lock})`);
      const [known] = await run(`select 1 from pg_namespace where nspname = '${schema}'`);
      if (!known) await run(`create schema "${schema}"`);
      let step = texts.next();
      while (!step.done) step = texts.next(await run(step.value));
      await run('commit');
      return step.value;
    } catch (error) {
      await run('rollback');
      throw error;
    }
  });
}

/** Runs one text and no more; without its table there are no rows. */
export async function runIfThere<T>(pool: PostgresPool, texts: Texts<T>): Promise<T> {
  const { value: text } = texts.next();
  const rows = await withClient(pool, async (client) => rowsOf(await client.query({ text: String(text) }))).catch(
    (error: unknown) => {
      if (codeOf(error) === '42P01') return [];
      throw error;
    },
  );
  const last = texts.next(rows);
  if (!last.done) throw new Error('more than one text');
  return last.value;
}
