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

/** A store on tables: what `postgresStore` and `sqliteStore` return. */
export interface SqlStore extends Store, StoreMaintenance {}

/** A log on a table of its own: what `postgresLog` and `sqliteLog` return. */
export interface SqlLogStore extends LogStore, Pick<StoreMaintenance, 'migrate' | 'purge'> {}

/** What a store on tables needs beside its calls, from its host or from `campus-oidc store`. */
export interface StoreMaintenance {
  /** Creates the tables, or brings them up to date; returns the versions that it applied. Safe to repeat, and from several processes at once. */
  migrate(): Promise<readonly number[]>;
  /** The steps of the tables, and which of them were taken. Changes nothing. */
  migrations(): Promise<readonly MigrationState[]>;
  /** Counts expired rows that are still there. Changes nothing. */
  expired(): Promise<number>;
  /** Removes expired rows, a bounded number of them. They never count, whether they are there or not. */
  purge(): Promise<PurgeReport>;
}
