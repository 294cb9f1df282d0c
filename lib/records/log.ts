import type { StoreObserver } from './store-observer.ts';
import type { LogKind } from '../observe/log-kind.ts';

/**
 * The bound to which an entry belongs. `named` entries are copies for people, if one event is about several. Lists of a school do not show
 * them.
 */
export type LogBound = LogKind | 'named';

export const logBounds: readonly LogBound[] = ['school', 'people', 'use', 'strangers', 'named'];

/** An index for entries. `member` also finds `actor`, and `client` also finds `app`. */
export type LogIndex = 'member' | 'app' | 'client' | 'reference';

/** An event as a store keeps it. */
export interface LogEntry {
  readonly siteId: string;
  /** A UUID of version 7: unique, and in the order of the events. An entry with a stored id is not replaced. */
  readonly id: string;
  readonly kind: LogBound;
  readonly member?: string | undefined;
  /** The person who acted, if it is a different person. */
  readonly actor?: string | undefined;
  readonly app?: string | undefined;
  /** The client, if it is not the app. */
  readonly client?: string | undefined;
  readonly reference?: string | undefined;
  /** The event. A store does not read its content. */
  readonly text: string;
}

/** An entry that was found. */
export interface FoundEntry {
  /** Its position, in a form of the store, for `before` and `changes`. At most 100 characters. */
  readonly position: string;
  readonly siteId: string;
  readonly id: string;
  readonly text: string;
}

/**
 * Replaces the text of an entry, or removes the entry without a text. Readers compare the text, so the store need not change its indexes.
 */
export interface LogChange {
  readonly siteId: string;
  readonly position: string;
  readonly text?: string | undefined;
}

/** The entries that a store may drop at any time: older ones, and the oldest of a kind and school above the bound. */
export interface LogKeeping {
  readonly days: number;
  /** @default as many as the store has room for */
  readonly events: { readonly [K in LogBound]?: number | undefined };
}

/** The entries and changes of one call. */
export interface LogWrite {
  /** Entries of any schools. If the call rejects, some may have been written. */
  readonly entries?: readonly LogEntry[] | undefined;
  /** Changes. Missing entries are ignored. */
  readonly changes?: readonly LogChange[] | undefined;
  /** Whether the same call was made before and may have succeeded. The store must not duplicate entries. */
  readonly again?: boolean | undefined;
  readonly keep: LogKeeping;
}

/** Asks for entries of one school, the newest first. */
export interface SchoolEntries {
  readonly siteId: string;
  readonly kinds: readonly LogBound[];
  /** An index and its value. A store with digests of values may return other entries too, so the caller compares. */
  readonly by?: { readonly index: LogIndex; readonly value: string } | undefined;
  /** The first moment, in milliseconds. A store may return entries from up to a minute outside. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The position before which the entries are. Any other text returns an arbitrary page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Asks for entries of all schools in the order of writing, without copies. Every entry is returned, and some may be returned twice. */
export interface WrittenEntries {
  /** `next` of the previous page, or `''` for the oldest. */
  readonly after: string;
  /** The approximate time of the first entry, in milliseconds, with `after: ''`. */
  readonly from?: number | undefined;
  readonly limit: number;
}

/** Some entries. */
export interface LogPage {
  /** There can be fewer than the limit, or none. */
  readonly entries: readonly FoundEntry[];
  /** The position of the next page. Absent at the end of a school, but always present in the order of writing. */
  readonly next?: string | undefined;
}

/** The methods of a store that keeps a log. A store without a log has neither of the two. */
export interface LogStore {
  /** Tells the observer of failures without a call of the log, such as a failed purge. @default none */
  observe?(observer: StoreObserver): void;
  /** Writes entries and changes, and drops entries that need not be kept, now or later. */
  writeLog(write: LogWrite): Promise<void>;
  /** @throws TypeError for `after` in a store without an order of writing, and for a cursor that is not one of this store */
  readLog(question: SchoolEntries | WrittenEntries): Promise<LogPage>;
}
