import type { LogStore } from './log.ts';
import type { Store } from './store.ts';

/** A step that a store's tables take, once. */
export interface MigrationState {
  readonly version: number;
  /** What it runs. */
  readonly statements: readonly string[];
  readonly isApplied: boolean;
}

/** What a purge of expired rows did. */
export interface PurgeReport {
  /** How many rows it removed. */
  readonly removed: number;
  /** Whether more have expired: the next purge removes them. */
  readonly hasMore: boolean;
  readonly milliseconds: number;
}

/** A store on tables, from `postgresStore` or `sqliteStore`. */
export interface SqlStore extends Store, StoreMaintenance {}

/** A log on a separate table, from `postgresLog` or `sqliteLog`. */
export interface SqlLogStore extends LogStore, Pick<StoreMaintenance, 'migrate' | 'purge'> {}

/** What a store on tables needs beside its calls, from its host or from `campus-oidc store`. */
export interface StoreMaintenance {
  /** Creates or updates the tables. Returns the versions that it applied. Safe to repeat, and to run in several processes at once. */
  migrate(): Promise<readonly number[]>;
  /** Returns the migrations of the tables, and whether they were applied. It only reads. */
  migrations(): Promise<readonly MigrationState[]>;
  /** Counts expired rows that are still stored. It only reads. */
  expired(): Promise<number>;
  /** Removes a bounded number of expired rows. Expired rows are never used, even while they are stored. */
  purge(): Promise<PurgeReport>;
}
