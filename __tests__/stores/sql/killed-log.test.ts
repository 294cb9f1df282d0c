import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from '@jest/globals';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import type { AuditEvent } from '../../../lib/index.ts';
import { storedLog } from '../../../lib/log.ts';
import { timeOfEvent } from '../../../lib/observe/event-id.ts';
import type { OpenLog } from '../../../lib/records/stored-log.ts';
import { randomFrom } from '../../../lib/testing/store/log-events.ts';

const dir = mkdtempSync(join(tmpdir(), 'campus-killed-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Files at once, with a process each, and how often each of these is killed. */
const [files, kills] = [5, 10];

/** Milliseconds of events that a killed process may lose. */
const mayBeLost = 1000;

const program = new URL('./killed-log-process.ts', import.meta.url);

/** Starts the process on a database and kills it after so many events, or a little later. Returns the ids of all events that it had. */
async function toldUntilKilled(database: string, start: number, count: number): Promise<readonly string[]> {
  const told = `${database}.told`;
  const execArgv = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  const child = fork(program, [database, told, String(start), String(count)], { execArgv });
  const gone = once(child, 'exit');
  const messages: unknown[] = [];
  child.on('message', (message) => {
    messages.push(message);
    child.kill('SIGKILL');
  });
  expect(await gone).toEqual([null, 'SIGKILL']);
  expect(messages).toEqual(['kill me']);
  return readFileSync(told, 'utf8').trimEnd().split('\n');
}

/** The events of the school since a moment, the oldest first. */
async function listed(log: OpenLog, from: Date): Promise<readonly AuditEvent[]> {
  const found: AuditEvent[] = [];
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string';) {
    const page = await log.list('harbour', { from, limit: 500, ...(cursor !== '' && { cursor }) });
    found.push(...page.events);
    cursor = page.next;
  }
  return found.toReversed();
}

/** What a reader of the outbox gets that goes on where it was. */
async function readOn(
  log: OpenLog,
  after: string,
): Promise<{ readonly ids: readonly string[]; readonly next: string }> {
  const ids: string[] = [];
  for (let place = after; ;) {
    const { events, next } = await log.read({ after: place, limit: 500 });
    if (next === place) return { ids, next };
    ids.push(...events.map(({ eventId }) => eventId));
    place = next;
  }
}

test('a process that is killed loses events of the last second at most, and what it has written is whole and comes in order', async () => {
  const losses: number[] = [];
  const killOften = async (name: string, random: () => number): Promise<void> => {
    const file = join(dir, name);
    const database = new DatabaseSync(file);
    database.exec('pragma journal_mode = wal');
    const store = sqliteStore(database);
    await store.migrate();
    const log = storedLog().open({ store, onFault: () => {} });
    let [place, start] = ['', Date.now()];
    for (let i = 0; i < kills; i += 1) {
      // Up to five seconds of events.
      const told = await toldUntilKilled(file, start, 1 + Math.floor(random() * 1000));
      expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      const read = await readOn(log, place);
      place = read.next;
      // What is there is what came first, to the last event that was written.
      expect(read.ids).toEqual(told.slice(0, read.ids.length));
      const [firstLost, last] = [told[read.ids.length], told.at(-1)].map((id) => timeOfEvent(id ?? ''));
      losses.push(read.ids.length < told.length ? Number(last) - Number(firstLost) : 0);
      const found = await listed(log, new Date(start));
      expect(found.map(({ eventId }) => eventId)).toEqual(read.ids);
      for (const { action, memberId, clientId } of found)
        expect([action, memberId, clientId]).toEqual(['consent.given', 'sam', 'app']);
      start = Number(last) + 1000;
    }
    expect((await listed(log, new Date(0))).length).toBe((await readOn(log, '')).ids.length);
    database.close();
  };
  await Promise.all(Array.from({ length: files }, (_, i) => killOften(`${i}.db`, randomFrom(i + 1))));
  expect(losses).toHaveLength(files * kills);
  expect(Math.max(...losses)).toBeLessThanOrEqual(mayBeLost);
  // Something was lost, so it was killed while events waited.
  expect(Math.max(...losses)).toBeGreaterThan(0);
});
