import type { StoreObserver } from './store-observer.ts';
import type { LogKind } from '../observe/log-kind.ts';

/** Which bound an entry counts in. `named` is a copy for each of several people whom one event is about; no list of a school shows it. */
export type LogBound = LogKind | 'named';

export const logBounds: readonly LogBound[] = ['school', 'people', 'use', 'strangers', 'named'];

/** What can be looked up of an entry. `member` is also that of `actor`, and `client` that of `app`. */
export type LogIndex = 'member' | 'app' | 'client' | 'reference';

/** An event as a store keeps it. */
export interface LogEntry {
  readonly siteId: string;
  /** A UUID of version 7: unique, and in the order of the events. What is stored under an id stays. */
  readonly id: string;
  readonly kind: LogBound;
  readonly member?: string | undefined;
  /** A person who acted, if that is another one. */
  readonly actor?: string | undefined;
  readonly app?: string | undefined;
  /** Where it is not the app. */
  readonly client?: string | undefined;
  readonly reference?: string | undefined;
  /** The event. A store does not look into it. */
  readonly text: string;
}

/** An entry as it was found. */
export interface FoundEntry {
  /** Where it is, in the words of the store: for `before` and for `changes`. At most 100 characters. */
  readonly position: string;
  readonly siteId: string;
  readonly id: string;
  readonly text: string;
}

/** Replaces the text of an entry, or without one removes the entry. A reader compares what it finds, so no index has to change. */
export interface LogChange {
  readonly siteId: string;
  readonly position: string;
  readonly text?: string | undefined;
}

/** What may be dropped, whenever a store likes: what is older, and above its bound the oldest of a kind of a school. */
export interface LogKeeping {
  readonly days: number;
  /** @default as many as the store has room for */
  readonly events: { readonly [K in LogBound]?: number | undefined };
}

/** What is written in one call. */
export interface LogWrite {
  /** Entries of any schools. All are written, or the call rejects, and some may be. */
  readonly entries?: readonly LogEntry[] | undefined;
  /** What is not there is left out. */
  readonly changes?: readonly LogChange[] | undefined;
  /** Whether the same call was made before and may have been carried out: no entry comes twice. */
  readonly again?: boolean | undefined;
  readonly keep: LogKeeping;
}

/** Asks for entries of one school, the newest first. */
export interface SchoolEntries {
  readonly siteId: string;
  readonly kinds: readonly LogBound[];
  /** Entries of an index. A store may find others too, where it has a digest of the value: the caller compares. */
  readonly by?: { readonly index: LogIndex; readonly value: string } | undefined;
  /** Milliseconds. A store may find entries from up to a minute outside. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The position before which they are; any other text gives some page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Asks for entries of all schools in the order of writing, without copies. None is left out; some may come twice. */
export interface WrittenEntries {
  /** `next` of the page before; `''` for the oldest. */
  readonly after: string;
  /** With `after: ''`: begins with entries of about this time. Milliseconds. */
  readonly from?: number | undefined;
  readonly limit: number;
}

/** Some entries. */
export interface LogPage {
  /** There can be fewer than the limit, or none. */
  readonly entries: readonly FoundEntry[];
  /** The position with which to go on: absent at the end of a school, and always there in the order of writing. */
  readonly next?: string | undefined;
}

/** The two methods with which a store keeps a log. A store has both, or neither and then no log. */
export interface LogStore {
  /** Tells the observer of failures that no call of the log shows, such as those of a purge. @default none */
  observe?(observer: StoreObserver): void;
  /** Writes entries and changes, and drops what need not be kept, now or later. */
  writeLog(write: LogWrite): Promise<void>;
  /** @throws TypeError for `after` in a store without an order of writing, and for a cursor that is not one of this store */
  readLog(question: SchoolEntries | WrittenEntries): Promise<LogPage>;
}
