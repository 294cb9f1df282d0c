import * as z from 'zod';
import { flag, func, group, instance, type Members, methods, whole } from '../../lib/protocol/option-schemas.ts';
import { readOptions } from '../../lib/protocol/validate.ts';
import type { PurgeReport } from '../../lib/contracts/maintenance.ts';

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
  connect(): Promise<PostgresClient>;
}

/** Options of `postgresStore`. */
export interface PostgresStoreOptions {
  /** The schema that has the tables. @default 'public' */
  readonly schema?: string | undefined;
  /** Milliseconds after which a call without a reply rejects. @default 2000 */
  readonly deadline?: number | undefined;
  /** How many calls may wait for a connection or a reply; further ones reject at once. @default 1000 */
  readonly maxPending?: number | undefined;
  /** Whether this process removes expired rows now and then. @default true */
  readonly purge?: boolean | undefined;
  /** Learns of each purge that removed something. @default nobody */
  readonly onPurge?: ((report: PurgeReport) => void) | undefined;
}

export type PostgresSettings = PostgresStoreOptions & {
  readonly schema: string;
  readonly deadline: number;
  readonly maxPending: number;
  readonly purge: boolean;
};

const poolSchema = instance<PostgresPool>(methods(['connect'], 'be a function, as of a Pool of pg'), 'be a Pool of pg');

/** @internal */
export const postgresStoreSchema: z.ZodType<PostgresSettings> = group({
  schema: z
    .string('be the name of a schema: a-z, 0-9 and _, at most 63 characters')
    .regex(/^[a-z_][a-z0-9_]{0,62}$/)
    .default('public'),
  deadline: whole('whole number of milliseconds', 1, 600_000).default(2000),
  maxPending: whole('whole number of calls', 1, 1_000_000).default(1000),
  purge: flag.default(true),
  onPurge: func<(report: PurgeReport) => void>().optional(),
} satisfies Members<PostgresStoreOptions>).prefault({});

/** @throws TypeError that names what is wrong */
export function readPostgresOptions(pool: PostgresPool, options: PostgresStoreOptions): PostgresSettings {
  readOptions(poolSchema, pool, 'pool');
  return readOptions(postgresStoreSchema, options, 'options');
}
