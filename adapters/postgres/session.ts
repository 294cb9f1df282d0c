import type { StoreObserver } from '../../lib/records/store-observer.ts';
import { withTimeout } from '../../lib/kernel/timeout.ts';
import { timeLeft } from '../../lib/kernel/request-time.ts';
import { Server } from '../shared/database-server.ts';
import { notMigrated } from '../sql/migrate.ts';
import type { Row, Sql, Statement } from '../sql/sql.ts';
import { codeOf, isReply, rowsOf, withClient } from './connection.ts';
import type { PostgresPool, PostgresQuery, PostgresSettings } from './options.ts';

/** Does one call of the store. Rejects with the error of PostgreSQL, or after the deadline. */
export type CallPostgres = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

/** Makes the calls, and tells when they are refused. */
export interface PostgresCalls {
  readonly call: CallPostgres;
  /** Makes any number of calls, each within the time that is left now. */
  readonly series: () => CallPostgres;
  readonly observe: (observer: StoreObserver) => void;
  readonly report: StoreObserver;
}

/** How often a statement may be sent again, because another one was in its way or the clock was not known. */
const maxAttempts = 20;

/** Milliseconds. A timer of Node may fire so much earlier than it was set for, by a clock with fractions. */
const timerPrecision = 1;

/** What another transaction caused: a serialization failure, a deadlock, and a counter that passed its limit meanwhile. */
const inTheWay = new Set(['40001', '40P01', '22012']);

/** The square root of a negative number: see `inTime`. */
const arrivedLate = '2201F';

/** A pooler gave this connection another server: what was prepared is unknown there, or its name is taken. Nothing was done. */
const notPrepared = new Set(['26000', '42P05', '08P01']);

/** A table or a column is missing. */
const missing = new Set(['42P01', '42703']);

/** The role of the pool may not do this; the message names the table, but no privilege. */
const notPermitted = '42501';

/** Without a name: a pooler may lose it. */
const clock: PostgresQuery = { text: `select date_part('epoch', clock_timestamp()) as now` };

/** Says `no` with an error where a condition would be a verdict. */
export function inTime(parameter: number): string {
  return `and sqrt($${parameter} - date_part('epoch', now())) >= 0`;
}

export function postgresCalls(pool: PostgresPool, settings: PostgresSettings): PostgresCalls {
  const observers: StoreObserver[] = [];
  const report: StoreObserver = (...event) => {
    for (const observer of observers) observer(...event);
  };
  const probe = (): Promise<unknown> => withClient(pool, (client) => client.query({ text: 'select 1' }));
  const server = new Server({ ...settings, name: 'PostgreSQL', probe, isReply, report });
  const connection = { pool, server, deadline: settings.deadline, isPreparing: true };
  const series = (): CallPostgres => {
    const deadline = Math.min(settings.deadline, (timeLeft() ?? Infinity) * 1000);
    return (work) => {
      const session = new Session(connection, deadline);
      return withTimeout(work(session), deadline, () => session.late());
    };
  };
  return { call: (work) => series()(work), series, observe: (observer) => void observers.push(observer), report };
}

function withAdvice(error: unknown, code: string): unknown {
  if (missing.has(code)) return notMigrated(error);
  if (code !== notPermitted || !(error instanceof Error)) return error;
  return new Error(`${error.message}; campus.diagnose() has the statement that grants it`, { cause: error });
}

interface Connection {
  readonly pool: PostgresPool;
  readonly server: Server;
  readonly deadline: number;
  /** Whether statements are prepared: not behind a pooler that gives each transaction another server. */
  isPreparing: boolean;
}

/** What one call of the store may do with PostgreSQL within its deadline. */
export class Session implements Sql {
  readonly #connection: Connection;
  readonly #deadline: number;
  readonly #start = performance.now();
  /** Closes the connection that a statement waits on. */
  #abandon: ((why: Error) => void) | undefined;

  constructor(connection: Connection, deadline: number) {
    this.#connection = connection;
    this.#deadline = deadline;
  }

  /** The error when the deadline has passed. What was sent may still be done, so its connection is not used again. */
  late(): Error {
    const { server, deadline } = this.#connection;
    const error = server.late(this.#start, this.#deadline === deadline);
    this.#abandon?.(error);
    return error;
  }

  run({ name, text }: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#attempt(() => ({ name, text, values: [...values] }));
  }

  async write({ name, text }: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    await this.#knowClock();
    return this.#attempt(() => ({ name, text, values: [...values, this.#notAfter()] }));
  }

  /** Sends several statements as one transaction and message. The text has no values of others, only keys. */
  async transaction(textUntil: (notAfter: number) => string): Promise<readonly Row[]> {
    await this.#knowClock();
    return this.#attempt(() => ({ text: textUntil(this.#notAfter()) }));
  }

  async #attempt(query: () => PostgresQuery): Promise<readonly Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      const { isPreparing } = this.#connection;
      const { name, ...rest } = query();
      try {
        return await this.#send(isPreparing && name !== undefined ? { name, ...rest } : rest);
      } catch (error) {
        const code = codeOf(error);
        // `pg` may be the first to say that the time is up.
        if (this.#left < timerPrecision) throw isReply(error) ? error : this.late();
        if (attempt === maxAttempts) throw error;
        if (code === arrivedLate) await this.#askClock();
        else if (isPreparing && notPrepared.has(code)) this.#connection.isPreparing = false;
        else if (!inTheWay.has(code)) throw withAdvice(error, code);
      }
    }
  }

  #notAfter(): number {
    return this.#connection.server.notAfter(this.#left) / 1000;
  }

  async #knowClock(): Promise<void> {
    if (this.#notAfter() === 0) await this.#askClock();
  }

  async #askClock(): Promise<void> {
    const [row] = await this.#send(clock);
    this.#connection.server.setClock(Number(row?.['now']) * 1000);
  }

  /** Sends a statement once a connection is free, if the caller still waits. */
  async #send(query: PostgresQuery): Promise<readonly Row[]> {
    const { server, pool } = this.#connection;
    server.enter();
    try {
      return await withClient(pool, async (client, close) => {
        if (this.#left === 0) throw new Error('the deadline passed before a connection to PostgreSQL was free');
        this.#abandon = close;
        return rowsOf(await client.query(query));
      });
    } finally {
      this.#abandon = undefined;
      server.leave();
    }
  }

  get isPreparing(): boolean {
    return this.#connection.isPreparing;
  }

  /** Milliseconds until the deadline. */
  get #left(): number {
    return Math.max(0, this.#start + this.#deadline - performance.now());
  }
}
