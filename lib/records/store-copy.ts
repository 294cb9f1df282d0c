import type { RecordKind } from './record.ts';

/** Where a record is: all stores have the same names. */
export interface RecordPlace {
  /** The name of the school in keys. */
  readonly site: string;
  readonly kind: RecordKind;
  readonly name: string;
}

/** A live token family of a grant. */
export interface CopiedFamily {
  readonly name: string;
  /** When its last token expires, and its last refresh token; seconds since the epoch. */
  readonly expires: number;
  readonly refreshUntil?: number | undefined;
}

/** A record with everything that a store knows of it. */
export interface CopiedRecord extends RecordPlace {
  readonly record: string;
  /** Seconds since the epoch; `Infinity` for no end. */
  readonly expires: number;
  readonly listed?: boolean | undefined;
  /** Grants: the names of member, client and app, and the live families. */
  readonly member?: string | undefined;
  readonly client?: string | undefined;
  readonly app?: string | undefined;
  /** Grants: the id of the app, or of a client without one, if its name does not tell it. */
  readonly hiddenId?: string | undefined;
  readonly families?: readonly CopiedFamily[] | undefined;
  /** Grants and access tokens. */
  readonly epoch?: number | undefined;
  /** Codes and tokens: the names of grant and family. */
  readonly grant?: string | undefined;
  readonly family?: string | undefined;
  readonly consumed?: number | undefined;
}

/** One page of a store, and where the next one begins. */
export interface CopiedPage {
  readonly records: readonly CopiedRecord[];
  readonly next: string | undefined;
}

/** Some schools with a log, and where the next ones begin. */
export interface LogSchools {
  readonly siteIds: readonly string[];
  readonly next: string | undefined;
}

/**
 * What `campus-oidc store copy` needs of a store. Counters of quotas and stored responses of refreshes, which live for seconds up to an hour, are
 * not copied.
 */
export interface StoreTransfer {
  /** Some live records; an empty place is the start. A record can come twice. */
  page(from: string): Promise<CopiedPage>;
  /** What is stored there now. */
  look(places: readonly RecordPlace[]): Promise<readonly (CopiedRecord | undefined)[]>;
  /** Writes records over those of the same place. */
  put(records: readonly CopiedRecord[]): Promise<void>;
  drop(places: readonly RecordPlace[]): Promise<void>;
  /** Schools that have entries in the log; an empty place is the start. A school can come twice. @default the log is not copied */
  logSchools?(from: string): Promise<LogSchools>;
}
