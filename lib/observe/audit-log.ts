import { type FileHandle, open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { AuditEvent } from './audit-event.ts';
import { withTimeout } from '../kernel/timeout.ts';

/** A listener for `campus.events` `audit` that writes each event as a line of JSON. */
export interface AuditLog {
  /**
   * Returns a promise. It rejects once when writing begins to fail, and once when it works again and events were lost; as a
   * listener of `campus.events` that is a fault.
   */
  (event: AuditEvent): unknown;
  /** Opens the file again, for example after it was renamed. Does nothing for a stream. Never rejects. */
  reopen(): Promise<void>;
  /** Writes what is left, for at most 5 seconds, and closes the file. A stream stays open. Never rejects. */
  close(): Promise<void>;
}

/** Bytes that may wait to be written. Events above that are lost, and counted. */
const maxWaiting = 16 * 1024 * 1024;

/** Bytes that are written together, if no line is longer: an attempt that fails copies no more than that. */
const maxBatch = 256 * 1024;

const closeMilliseconds = 5000;

/**
 * Appends audit events as JSON lines to a file, or writes them to a stream: `campus.events.on('audit', auditLog('audit.jsonl'))`. Requests
 * do not wait for it or fail because of it. A failed write is repeated with the next event.
 *
 * @throws TypeError if the target is neither a path nor a stream
 */
export function auditLog(target: string | Writable): AuditLog {
  const sink = typeof target === 'string' ? fileSink(target) : streamSink(target);
  const queue = new LineQueue(sink);
  return Object.assign((event: AuditEvent) => queue.add(`${JSON.stringify(event)}\n`), {
    reopen: () => queue.whenIdle(() => sink.release()),
    close: async () => {
      const closed = queue.whenIdle(() => sink.release());
      await withTimeout(closed, closeMilliseconds, () => new Error('the audit log does not respond')).catch(() => {});
    },
  });
}

interface Sink {
  /** Returns how many bytes were written. */
  write(bytes: Buffer): Promise<number>;
  release(): Promise<void>;
}

function fileSink(path: string): Sink {
  if (path === '') throw new TypeError('auditLog must be given the path of a file, or a stream');
  let file: FileHandle | undefined;
  const release = async (): Promise<void> => {
    const closing = file;
    file = undefined;
    await closing?.close();
  };
  return {
    release,
    async write(bytes) {
      try {
        file ??= await open(path, 'a', 0o640);
        return (await file.write(bytes)).bytesWritten;
      } catch (error) {
        await release().catch(() => {});
        throw error;
      }
    },
  };
}

function streamSink(stream: Writable): Sink {
  if (typeof stream?.write !== 'function')
    throw new TypeError('auditLog must be given the path of a file, or a stream');
  // An error that nothing listens to would end the process; the write that failed reports it.
  stream.on('error', () => {});
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(error) : resolve(bytes.length)));
      }),
    release: async () => {},
  };
}

/** Lines that wait for one write at a time. What a write did not take goes on where it stopped. */
class LineQueue {
  readonly #sink: Sink;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #running: Promise<void> | undefined;
  #isFailing = false;
  #lost = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  async add(text: string): Promise<void> {
    const line = Buffer.from(text);
    if (this.#bytes + line.length > maxWaiting) {
      this.#lost += 1;
      if (this.#lost === 1 && !this.#isFailing) throw new Error('the audit log is too slow; events are being lost');
      // Nothing more waits for a write that hangs.
      if (this.#running) return;
    } else {
      this.#waiting.push(line);
      this.#bytes += line.length;
    }
    await this.#start();
  }

  /** Does something between two writes, after what waits has been written, if it can be. */
  async whenIdle(run: () => Promise<void>): Promise<void> {
    await this.#start().catch(() => {});
    await run().catch(() => {});
  }

  /** Only the first caller learns of an error. */
  #start(): Promise<void> {
    if (this.#running) return this.#running.catch(() => {});
    this.#running = this.#writeAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#bytes > 0) await this.#writeSome();
    } catch (error) {
      if (this.#isFailing) return;
      this.#isFailing = true;
      throw error;
    }
    this.#isFailing = false;
    const lost = this.#lost;
    this.#lost = 0;
    if (lost > 0) throw new Error(`the audit log works again; ${lost} events were lost`);
  }

  async #writeSome(): Promise<void> {
    const batch = this.#joinFirst();
    const written = await this.#sink.write(batch);
    this.#bytes -= written;
    if (written < batch.length) this.#waiting[0] = batch.subarray(written);
    else this.#waiting.shift();
  }

  #joinFirst(): Buffer {
    let bytes = 0;
    const end = this.#waiting.findIndex((line) => (bytes += line.length) > maxBatch);
    const lines = end === -1 ? this.#waiting.length : Math.max(end, 1);
    const [first = Buffer.alloc(0)] = this.#waiting;
    if (lines <= 1) return first;
    const batch = Buffer.concat(this.#waiting.slice(0, lines));
    this.#waiting.splice(0, lines, batch);
    return batch;
  }
}
