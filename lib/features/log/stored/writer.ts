import { AsyncLocalStorage } from 'node:async_hooks';
import { SharedRoom } from '../../../kernel/shared-room.ts';
import type { AuditEvent } from '../../../observe/audit-event.ts';
import { kindOf, type LogKind, logKinds } from '../../../observe/log-kind.ts';
import type { OnFault } from '../../../observe/events.ts';
import type { LogEntry, LogKeeping, LogStore } from '../../../records/log.ts';
import { entriesOf } from '../../../core/log/entries.ts';

/** Events that may wait in all: some 16 MiB. */
export const roomOfLog = 16_000;

/** Sixteenths of the room: strangers, and apps that try for ever, push out nothing of people. Within a share, schools share. */
const shares = { school: 6, people: 6, use: 3, strangers: 1 } as const satisfies Record<LogKind, number>;

/** Entries, and bytes of their texts, of one call; an event whose copies are more is in one call all the same. */
const maxBatch = { entries: 500, bytes: 1024 * 1024 };

/** Milliseconds. */
const pauses = { beforeWriting: 500, afterFailure: 2000, betweenLosses: 60_000, closing: 5000 };

interface Waiting {
  readonly event: AuditEvent;
  readonly leave: () => void;
}

/** Events that are written together. */
interface Batch {
  readonly events: readonly Waiting[];
  readonly entries: readonly LogEntry[];
}

/** Writes events without making anybody wait: what is not written yet waits in memory, up to a bound for each kind. */
export class LogWriter {
  readonly #store: LogStore;
  readonly #keep: LogKeeping;
  readonly #onFault: OnFault;
  /** Where no request is, whose time a call would share. */
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #rooms: Readonly<Record<LogKind, SharedRoom>>;
  readonly #waiting: Readonly<Record<LogKind, Waiting[]>> = { school: [], people: [], use: [], strangers: [] };
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** A batch that may have been written. */
  #again: Batch | undefined;
  readonly #lost = new Map<LogKind, number>();
  #toldLost = -Infinity;

  constructor(store: LogStore, keep: LogKeeping, onFault: OnFault, room: number = roomOfLog) {
    this.#store = store;
    this.#keep = keep;
    this.#onFault = onFault;
    const roomOf = (kind: LogKind): SharedRoom => new SharedRoom((room * shares[kind]) / 16);
    this.#rooms = {
      school: roomOf('school'),
      people: roomOf('people'),
      use: roomOf('use'),
      strangers: roomOf('strangers'),
    };
  }

  /** Takes an event. Its entries are made with those of others, when they are written: the request that it is of goes on. */
  add(event: AuditEvent): void {
    const kind = kindOf(event);
    const leave = this.#rooms[kind].enter(event.siteId);
    if (!leave) return this.#lose(kind);
    this.#waiting[kind].push({ event, leave });
    this.#count += 1;
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
      try {
        await this.#store.writeLog({ entries: batch.entries, keep: this.#keep, again: this.#again !== undefined });
      } catch (error) {
        if (!this.#again) this.#onFault('the log cannot be written; events wait', error);
        this.#again = batch;
        this.#timer ??= this.#after(pauses.afterFailure);
        return;
      }
      if (this.#again) this.#onFault('the log can be written again', new Error(this.#losses()));
      this.#again = undefined;
      for (const { leave } of batch.events) leave();
      this.#count -= batch.events.length;
    }
  }

  /** Takes the first ones out of their lists; they are in their rooms until they are written. */
  #nextBatch(): Batch {
    const [events, entries]: [Waiting[], LogEntry[]] = [[], []];
    let bytes = 0;
    for (const kind of logKinds) {
      const waiting = this.#waiting[kind];
      let taken = 0;
      for (const next of waiting) {
        if (entries.length >= maxBatch.entries || bytes >= maxBatch.bytes) break;
        for (const entry of entriesOf(next.event)) {
          entries.push(entry);
          bytes += entry.text.length;
        }
        events.push(next);
        taken += 1;
      }
      waiting.splice(0, taken);
    }
    return { events, entries };
  }

  /** Counts a lost event, and tells of it: at once, and then once a minute at most, each time how many since the last. */
  #lose(kind: LogKind): void {
    this.#lost.set(kind, (this.#lost.get(kind) ?? 0) + 1);
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
