import type { Alone, RunText } from '../sql/migrate.ts';
import type { PostgresClient, PostgresPool } from './options.ts';
import { codeOf, rowsOf, withClient } from './session.ts';

/** Any number that others are unlikely to lock: "campus" in ASCII. */
const lock = 0x63_61_6d_70_75_73;

/** A transaction under a lock that all processes take. A schema that does not exist is created. */
export function migrateAlone(pool: PostgresPool, schema: string): Alone {
  return (work) =>
    withClient(pool, async (client) => {
      const run = runOn(client);
      await run('begin');
      try {
        await run(`select pg_advisory_xact_lock(${lock})`);
        const [known] = await run(`select 1 from pg_namespace where nspname = '${schema}'`);
        if (!known) await run(`create schema "${schema}"`);
        const result = await work(run);
        await run('commit');
        return result;
      } catch (error) {
        await run('rollback');
        throw error;
      }
    });
}

/** Runs a text; without its table there are no rows. */
export function runIfThere(pool: PostgresPool): RunText {
  return (text) =>
    withClient(pool, (client) => runOn(client)(text)).catch((error: unknown) => {
      if (codeOf(error) === '42P01') return [];
      throw error;
    });
}

function runOn(client: PostgresClient): RunText {
  return async (text) => rowsOf(await client.query({ text }));
}
