import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Redis } from 'ioredis';
import { postgresDialect } from '../../adapters/postgres/statements.ts';
import { logStatements } from '../../adapters/sql/log-statements.ts';
import { dialect as sqliteDialect } from '../../adapters/sqlite/session.ts';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import { entriesOf } from '../../lib/core/log/entries.ts';
import { findEvents } from '../../lib/core/log/reader.ts';
import type { AuditEvent } from '../../lib/observe/audit-event.ts';
import type { EventQuestion } from '../../lib/observe/event-question.ts';
import type { LogKeeping, LogStore, SchoolEntries, WrittenEntries } from '../../lib/records/log.ts';
import type { Store } from '../../lib/store.ts';
import { databases } from '../support/databases.ts';
import { day, largest, modelEvents, span } from '../support/log-events.ts';
import type { Given } from './arguments.ts';

/** What the events of a platform are computed for. */
const target = { events: 50_000_000, ofLargest: 5_000_000 };

/** Events of one write: a busy process fills it within half a second. */
const batch = 500;

const many = 1_000_000_000;
const keep: LogKeeping = {
  days: 3650,
  events: { school: many, people: many, use: many, strangers: many, named: many },
};

/** A log on a database of its own, with what it costs there. */
interface MeasuredLog {
  readonly log: LogStore;
  readonly version: string;
  readonly bytes: () => Promise<number>;
  /** What has been done so far that is counted for each event: commands, or bytes that go to the disk. */
  readonly written: Readonly<Record<string, () => Promise<number>>>;
  /** What a read takes: commands, or pages of the database, and by which index. */
  readonly costOf: (question: SchoolEntries | WrittenEntries) => Promise<Readonly<Record<string, number | string>>>;
  readonly cpu?: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

function logOf({ writeLog, readLog }: Store): LogStore {
  if (!writeLog || !readLog) throw new Error('a store without a log');
  return { writeLog, readLog };
}

async function onRedis(): Promise<MeasuredLog> {
  const database = await databases.redis();
  if (!('port' in database.place)) throw new Error('a Redis without a port');
  const admin = new Redis(database.place.port);
  const commands = async (): Promise<number> => {
    const stats = await admin.info('commandstats');
    const calls = [...stats.matchAll(/^cmdstat_(?!info:)[^:]+:calls=(\d+)/gm)];
    return calls.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const log = logOf(database.store);
  return {
    log,
    version: database.version,
    bytes: () => database.bytes(),
    written: { commands, 'bytes of append-only file': () => database.logged() },
    cpu: () => database.cpu(),
    costOf: async (question) => {
      const before = await commands();
      await log.readLog(question);
      return { commands: (await commands()) - before };
    },
    stop: async () => {
      admin.disconnect();
      await database.stop();
    },
  };
}

interface Plan {
  readonly [name: string]: unknown;
  readonly Plans?: readonly Plan[];
}

function indexesIn(plan: Plan): string[] {
  const own = plan['Index Name'] ?? (plan['Node Type'] === 'Seq Scan' ? 'the whole table' : undefined);
  return [...(typeof own === 'string' ? [own] : []), ...(plan.Plans ?? []).flatMap(indexesIn)];
}

/** The statement of a read. */
function statementOf(its: ReturnType<typeof logStatements>, question: SchoolEntries | WrittenEntries) {
  if (!('after' in question)) return its.read(question);
  const [place, id] = question.after.split(' ');
  return [its.order.page, [place, id, '00000000-0000-0000-0000-000000000000', question.limit]] as const;
}

const named = (indexes: readonly string[]): string => [...new Set(indexes)].join(', ').replaceAll('campus_log_', '');

async function onPostgres(): Promise<MeasuredLog> {
  const database = await databases.postgres();
  if (!('postgres' in database.place)) throw new Error('a PostgreSQL without a URL');
  const { Pool } = await import('pg');
  const admin = new Pool({ connectionString: database.place.postgres, max: 1 });
  const its = logStatements(postgresDialect('public'));
  return {
    log: logOf(database.store),
    version: database.version,
    bytes: () => database.bytes(),
    written: { 'bytes of WAL': () => database.logged() },
    cpu: () => database.cpu(),
    costOf: async (question) => {
      const [{ text }, values] = statementOf(its, question);
      const { rows } = await admin.query(`explain (analyze, buffers, format json) ${text}`, [...values]);
      const plan: Plan = rows[0]['QUERY PLAN'][0].Plan;
      return {
        buffers: Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']),
        index: named(indexesIn(plan)),
      };
    },
    stop: async () => {
      await admin.end();
      await database.stop();
    },
  };
}

async function onSqlite(): Promise<MeasuredLog> {
  const dir = mkdtempSync(join(tmpdir(), 'campus-bench-log-'));
  const file = join(dir, 'campus.db');
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal');
  const store = sqliteStore(database);
  await store.migrate();
  const its = logStatements(sqliteDialect);
  return {
    log: logOf(store),
    version: `sqlite:${String(database.prepare('select sqlite_version() as version').get()?.['version'])}`,
    bytes: async () => {
      database.exec('pragma wal_checkpoint(truncate)');
      return statSync(file).size;
    },
    written: {},
    costOf: async (question) => {
      const [{ text }, values] = statementOf(its, question);
      const given = Object.fromEntries(values.map((value, i) => [`$${i + 1}`, String(value)]));
      const plan = database.prepare(`explain query plan ${text}`).all(given);
      const steps = plan.map(({ detail }) => String(detail));
      const indexes = steps.flatMap((step) => {
        const [, index] =
          /^SEARCH .* USING (?:COVERING )?(?:INDEX (?:sqlite_)?)?(autoindex|campus_\w+|INTEGER PRIMARY KEY)/.exec(
            step,
          ) ?? [];
        return index ?? (/^SCAN \S*campus_log/.test(step) ? `all of ${step}` : []);
      });
      return { index: named(indexes) };
    },
    stop: async () => {
      database.close();
      rmSync(dir, { recursive: true });
    },
  };
}

const logs = { redis: onRedis, postgres: onPostgres, sqlite: onSqlite } as const;

/** The questions of a page at the largest school, about the person and the app of its last consent, and the week in the middle of the log. */
function questionsAbout({ time, memberId, app, clientId }: AuditEvent, reference: string) {
  const middle = (Date.now() - span + Date.parse(time)) / 2;
  const week = { from: new Date(middle - 3.5 * day), to: new Date(middle + 3.5 * day) };
  return {
    newest: {},
    'a week in the middle': week,
    'one kind': { kinds: ['school'] },
    'a person': { member: memberId },
    'a person, a week': { member: memberId, ...week },
    'an app': { app },
    'an app, a week': { app, ...week },
    'a client': { client: clientId },
    'an app and an action': { app, actions: ['connection.ended'] },
    'a reference': { reference },
  } satisfies Readonly<Record<string, EventQuestion>>;
}

/** What a page costs: the reads that it makes, each measured alone. */
async function pageCost({ log, costOf }: MeasuredLog, question: EventQuestion) {
  const reads: SchoolEntries[] = [];
  const watched: LogStore = {
    ...log,
    async readLog(asked) {
      if (!('after' in asked)) reads.push(asked);
      return log.readLog(asked);
    },
  };
  const { events } = await findEvents(watched, largest, question, 0);
  const costs: Readonly<Record<string, number | string>>[] = [];
  for (const read of reads) costs.push(await costOf(read));
  const sum = (name: string): number => costs.reduce((total, cost) => total + Number(cost[name]), 0);
  const [first] = costs;
  const counted = Object.fromEntries(
    Object.entries(first ?? {}).map(([name, value]) => [name, typeof value === 'number' ? sum(name) : value]),
  );
  return { events: events.length, reads: reads.length, ...counted };
}

function nextOf(source: Iterator<AuditEvent>, count: number): AuditEvent[] {
  return Array.from({ length: count }, () => {
    const { value, done } = source.next();
    if (done === true) throw new Error('the model has no more events');
    return value;
  });
}

export async function run({ on, events: sizes, schools }: Given<'log'>): Promise<void> {
  const measured = await logs[on]();
  const { log, version, written, cpu } = measured;
  try {
    const empty = await measured.bytes();
    const source = modelEvents(Math.max(...sizes), schools);
    let [done, ofLargest] = [0, 0];
    let asked: AuditEvent | undefined;
    let reference = '';
    for (const size of sizes.toSorted((a, b) => a - b)) {
      const before = await Promise.all(Object.values(written).map((count) => count()));
      const cpuBefore = await cpu?.();
      const begun = done;
      while (done < size) {
        const some = nextOf(source, Math.min(batch, size - done));
        await log.writeLog({ entries: some.flatMap(entriesOf), keep });
        done += some.length;
        for (const event of some.filter(({ siteId }) => siteId === largest)) {
          ofLargest += 1;
          if (event.action === 'consent.given') asked = event;
          if (event.action === 'token.refused') reference = event.requestId ?? reference;
        }
      }
      const each = (total: number): string => (total / (done - begun)).toFixed(2);
      const after = await Promise.all(Object.values(written).map((count) => count()));
      const bytes = ((await measured.bytes()) - empty) / done;
      console.log(`\n${done} events at ${schools} schools, ${ofLargest} of them at the largest, ${version}`);
      console.table({
        'bytes of an event': Math.round(bytes),
        'GB of 50 million, computed': ((bytes * target.events) / 1e9).toFixed(1),
        'calls of the store for each event': (1 / batch).toFixed(3),
        ...Object.fromEntries(
          Object.keys(written).map((name, i) => [`${name} for each event`, each((after[i] ?? 0) - (before[i] ?? 0))]),
        ),
        ...(cpu && { 'database CPU µs for each event': each((await cpu()) - (cpuBefore ?? 0)) }),
      });
      if (!asked) throw new Error('too few events for a question');
      const rows: Record<string, object> = {};
      for (const [name, question] of Object.entries(questionsAbout(asked, reference)))
        rows[name] = await pageCost(measured, question);
      if (on !== 'redis') {
        const { next = '' } = await log.readLog({ after: '', limit: 500 });
        rows['500 of the outbox'] = { events: 500, reads: 1, ...(await measured.costOf({ after: next, limit: 500 })) };
      }
      console.table(rows);
    }
    console.log(
      `the largest school of 50 million would have ${(target.ofLargest / ofLargest).toFixed(0)} times as many events`,
    );
  } finally {
    await measured.stop();
  }
}
