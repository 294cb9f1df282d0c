import { AsyncLocalStorage } from 'node:async_hooks';
import { SharedRoom } from '../../../kernel/shared-room.ts';
import type { AuditEvent } from '../../../observe/audit-event.ts';
import type { OnFault } from '../../../observe/events.ts';
import type { LogBound, LogEntry, LogKeeping, LogStore } from '../../../records/log.ts';
import { entriesOf } from '../../../core/log/entries.ts';

/** Bytes that may wait in all. */
export const roomOfLog = 16 * 1024 * 1024;

/** Sixteenths of the room: strangers, and apps that try for ever, push out nothing of people. Within a share, schools share. */
const shares = { school: 4, people: 4, named: 4, use: 3, strangers: 1 } as const satisfies Record<LogBound, number>;

/** What an entry takes beside its text. */
const perEntry = 200;

/** Entries, and bytes, of one call. */
const maxBatch = { entries: 500, bytes: 1024 * 1024 };

/** Milliseconds. */
const pauses = { beforeWriting: 500, afterFailure: 2000, betweenLosses: 60_000, closing: 5000 };

/** What people and schools did goes first. */
const order: readonly LogBound[] = ['school', 'people', 'named', 'use', 'strangers'];

interface Waiting {
  readonly entry: LogEntry;
  readonly bytes: number;
  readonly leave: () => void;
}

/** Writes events without making anybody wait: what is not written yet waits in memory, up to a bound for each kind. */
export class LogWriter {
  readonly #store: LogStore;
  readonly #keep: LogKeeping;
  readonly #onFault: OnFault;
  /** Where no request is, whose time a call would share. */
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #rooms: Readonly<Record<LogBound, SharedRoom>>;
  readonly #waiting: Record<LogBound, Waiting[]> = { school: [], people: [], named: [], use: [], strangers: [] };
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** A batch that may have been written. */
  #again: readonly Waiting[] | undefined;
  readonly #lost = new Map<LogBound, number>();
  #toldLost = -Infinity;

  constructor(store: LogStore, keep: LogKeeping, onFault: OnFault, room: number = roomOfLog) {
    this.#store = store;
    this.#keep = keep;
    this.#onFault = onFault;
    const roomOf = (kind: LogBound): SharedRoom => new SharedRoom((room * shares[kind]) / 16);
    this.#rooms = {
      school: roomOf('school'),
      people: roomOf('people'),
      named: roomOf('named'),
      use: roomOf('use'),
      strangers: roomOf('strangers'),
    };
  }

  add(event: AuditEvent): void {
    for (const entry of entriesOf(event)) {
      const bytes = entry.text.length + perEntry;
      const leave = this.#rooms[entry.kind].enter(entry.siteId, { places: bytes });
      if (leave) {
        this.#waiting[entry.kind].push({ entry, bytes, leave });
        this.#count += 1;
      } else {
        this.#lost.set(entry.kind, (this.#lost.get(entry.kind) ?? 0) + 1);
        this.#tellLost();
      }
    }
    if (this.#again) return;
    if (this.#count >= maxBatch.entries) void this.write();
    else this.#timer ??= this.#after(pauses.beforeWriting);
  }

  /** Writes what waits; nothing more after a call that fails. Never rejects. */
  write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#outside(() => this.#writeAll()).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Writes what waits, for a few seconds at most. */
  async close(): Promise<void> {
    const end = performance.now() + pauses.closing;
    do await this.write();
    while (this.#count > 0 && !this.#again && performance.now() < end);
  }

  #after(milliseconds: number): NodeJS.Timeout {
    return this.#outside(() => setTimeout(() => void this.write(), milliseconds).unref());
  }

  async #writeAll(): Promise<void> {
    while (this.#count > 0) {
      const batch = this.#again ?? this.#nextBatch();
      const entries = batch.map(({ entry }) => entry);
      try {
        await this.#store.writeLog({ entries, keep: this.#keep, again: this.#again !== undefined });
      } catch (error) {
        if (!this.#again) this.#onFault('the log cannot be written; events wait', error);
        this.#again = batch;
        this.#timer ??= this.#after(pauses.afterFailure);
        return;
      }
      if (this.#again) this.#onFault('the log can be written again', new Error(this.#losses()));
      this.#again = undefined;
      for (const { leave } of batch) leave();
      this.#count -= batch.length;
    }
  }

  /** Takes the first ones out of their lists; they are in their rooms until they are written. */
  #nextBatch(): readonly Waiting[] {
    const batch: Waiting[] = [];
    let bytes = 0;
    for (const kind of order) {
      const waiting = this.#waiting[kind];
      let taken = 0;
      for (const next of waiting) {
        if (batch.length === maxBatch.entries || (batch.length > 0 && bytes + next.bytes > maxBatch.bytes)) break;
        batch.push(next);
        bytes += next.bytes;
        taken += 1;
      }
      waiting.splice(0, taken);
    }
    return batch;
  }

  /** Tells that events are lost: at once, and then once a minute at most, each time how many since the last. */
  #tellLost(): void {
    if (performance.now() - this.#toldLost < pauses.betweenLosses) return;
    this.#toldLost = performance.now();
    this.#onFault('the log is too slow, and events are lost', new Error(this.#losses()));
  }

  #losses(): string {
    const counts = [...this.#lost].map(([kind, count]) => `${count} of ${kind}`);
    this.#lost.clear();
    return counts.length > 0 ? `lost: ${counts.join(', ')}` : 'no event was lost';
  }
}
