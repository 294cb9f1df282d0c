import * as z from 'zod';
import { group, instance, type Shape, methods } from '../../lib/kernel/option-schemas.ts';
import { readOptions } from '../../lib/kernel/validate.ts';

/** A statement, as `pg` takes it. A name makes the connection prepare it. */
export interface PostgresQuery {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** The part of a connection of `pg` that the store uses. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<unknown>;
  /** Gives the connection back; with an error, closes it. */
  release(error?: Error): void;
  on(event: 'error', listener: () => void): unknown;
  removeListener(event: 'error', listener: () => void): unknown;
}

/** The part of a `Pool` of `pg` 8 that the store uses. You open, configure and close the pool. */
export interface PostgresPool {
  connect(callback: (error: Error | undefined, client: PostgresClient | undefined) => void): void;
  /** The store reads `query_timeout`: milliseconds after which a call without a reply rejects. @default 2000 */
  readonly options?: object;
}

/** Options of `postgresStore`. */
export interface PostgresStoreOptions {
  /** The schema of the tables. @default 'public' */
  readonly schema?: string | undefined;
}

/** What the store needs to know. @internal */
export interface PostgresSettings extends z.infer<typeof postgresStoreSchema> {
  readonly deadline: number;
  readonly maxPending: number;
}

const poolSchema = instance<PostgresPool>(methods(['connect'], 'be a function, as of a Pool of pg'), 'be a Pool of pg');

/** @internal */
export const postgresStoreSchema = group({
  schema: z
    .string('be the name of a schema: a-z, 0-9 and _, at most 63 characters')
    .regex(/^[a-z_][a-z0-9_]{0,62}$/)
    .default('public'),
} satisfies Shape<PostgresStoreOptions>).prefault({});

/** How many calls may wait for a connection or a reply. The pool itself lets any number wait, and for ever. */
const maxPending = 1000;

/** @throws TypeError that names what is wrong @internal */
export function readPostgresOptions(pool: PostgresPool, options: PostgresStoreOptions): PostgresSettings {
  readOptions(poolSchema, pool, 'pool');
  const timeout: unknown = pool.options && Reflect.get(pool.options, 'query_timeout');
  const deadline = typeof timeout === 'number' && timeout > 0 ? timeout : 2000;
  return { ...readOptions(postgresStoreSchema, options, 'options'), deadline, maxPending };
}
