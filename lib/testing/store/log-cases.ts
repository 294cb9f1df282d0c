import assert from 'node:assert/strict';
import { forget } from '../../core/log/forget.ts';
import { eventIn } from '../../core/log/entry-text.ts';
import { entriesOf } from '../../core/log/entries.ts';
import { findEvents } from '../../core/log/reader.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import { type EventQuestion, isAnswer } from '../../observe/event-question.ts';
import { logKinds } from '../../observe/log-kind.ts';
import { type FoundEntry, logBounds, type LogEntry, type LogStore } from '../../records/log.ts';
import type { Bench, Checks } from './case.ts';
import { eventsOf, pick, randomFrom } from './log-events.ts';

const keep = { days: 90, events: {} };

/** Combinations of filters that are compared with a filter over all events. */
const combinations = 80;

/** That of a store; without its two methods it keeps no log, and passes. */
function logOf({ store: { writeLog, readLog } }: Bench): LogStore | undefined {
  return writeLog && readLog && { writeLog, readLog };
}

async function write(log: LogStore, events: readonly AuditEvent[]): Promise<readonly LogEntry[]> {
  const entries = events.flatMap(entriesOf);
  for (let i = 0; i < entries.length; i += 100) await log.writeLog({ entries: entries.slice(i, i + 100), keep });
  return entries;
}

async function all(log: LogStore, siteId: string, kinds = logBounds): Promise<readonly FoundEntry[]> {
  const found: FoundEntry[] = [];
  for (let before: string | undefined = ''; before !== undefined;) {
    const page = await log.readLog({ siteId, kinds, limit: 40, ...(before !== '' && { before }) });
    found.push(...page.entries);
    before = page.next;
  }
  return found;
}

/** All pages. */
async function find(log: LogStore, siteId: string, question: EventQuestion): Promise<readonly AuditEvent[]> {
  const events: AuditEvent[] = [];
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string';) {
    const asked: EventQuestion = { ...question, limit: 20, ...(cursor !== '' && { cursor }) };
    const page = await findEvents(log, siteId, asked, 0);
    events.push(...page.events);
    cursor = page.next;
  }
  return events;
}

const idOf = ({ eventId }: AuditEvent): string => eventId;

function questionFrom(random: () => number, { eventId: _id, ...event }: AuditEvent, number: number): EventQuestion {
  const maybe = <T>(value: T): T | undefined => (random() < 0.4 ? value : undefined);
  const time = Date.parse(event.time);
  const day = 86_400_000;
  return {
    member: number % 9 === 0 ? 'olivia' : maybe(event.memberId ?? event.actor.id),
    app: maybe(event.app ?? event.clientId),
    client: maybe(event.clientId),
    kinds: random() < 0.2 ? [pick(random, ['school', 'people', 'use', 'strangers'])] : undefined,
    actions: maybe(number % 2 === 0 ? [event.action] : [event.action, 'tool.called']),
    reference:
      random() < 0.1 && event.action !== 'tool.called' && event.action !== 'token.issued' ? event.requestId : undefined,
    from: maybe(new Date(time - 3 * day)),
    to: maybe(new Date(time + day)),
  };
}

/** A store without `writeLog` and `readLog` passes these cases. */
export const logCases: Checks = {
  async 'log: any combination of filters finds, page by page, what a filter over all events finds'(bench) {
    const [log, { siteId }] = [logOf(bench), bench];
    if (!log) return;
    const random = randomFrom(57);
    const events = eventsOf(siteId, 240, random);
    await write(log, events);
    await write(log, eventsOf(bench.elsewhere().siteId, 20, random));
    const [first, ...others] = events;
    if (!first) return;
    for (let i = 0; i < combinations; i += 1) {
      const question = questionFrom(random, pick(random, [first, ...others]), i);
      // An event without a request that was refused has no reference in an index.
      const expected = events.filter(
        (event) => isAnswer(event, question) && (!question.reference || hasReference(event)),
      );
      const found = await find(log, siteId, question);
      assert.deepEqual(found.map(idOf), expected.map(idOf).toReversed(), JSON.stringify(question));
    }
  },
  async 'log: what is read is what was written, whatever its characters'(bench) {
    const [log, { siteId }] = [logOf(bench), bench];
    if (!log) return;
    const events = eventsOf(siteId, 60, randomFrom(1));
    await write(log, events);
    const found = (await all(log, siteId, logKinds)).map(eventIn);
    assert.deepEqual(found, events.map(({ memberIds: _several, ...shown }) => shown).toReversed());
  },
  async 'log: a write that comes again adds nothing'(bench) {
    const [log, { siteId }] = [logOf(bench), bench];
    if (!log) return;
    const events = eventsOf(siteId, 20, randomFrom(2));
    const entries = await write(log, events);
    await log.writeLog({ entries, again: true, keep });
    assert.deepEqual((await all(log, siteId)).map(({ id }) => id).sort(), entries.map(({ id }) => id).sort());
  },
  async 'log: who is forgotten is in no entry, and what they decided for others stays'(bench) {
    const [log, { siteId }] = [logOf(bench), bench];
    if (!log) return;
    const events = eventsOf(siteId, 120, randomFrom(3)).filter(({ action }) => action !== 'registration.refused');
    await write(log, events);
    for (let from: string | undefined = ''; from !== undefined;)
      from = await forget(log, { siteId, memberId: 'olivia' }, from, keep);
    assert.deepEqual(await find(log, siteId, { member: 'olivia' }), []);
    const left = await all(log, siteId);
    assert.deepEqual(
      left.filter(({ text }) => text.includes('olivia')),
      [],
    );
    const kept = events.filter((event) => !isOnlyOf('olivia', event));
    assert.deepEqual(
      left.filter(isShown).map(({ id }) => id),
      kept.map(idOf).toReversed(),
    );
  },
  async 'log: all of a school can be removed, and another school keeps everything'(bench) {
    const [log, { siteId }] = [logOf(bench), bench];
    if (!log) return;
    const other = bench.elsewhere();
    await write(log, eventsOf(siteId, 30, randomFrom(4)));
    const kept = await write(log, eventsOf(other.siteId, 30, randomFrom(5)));
    for (let from: string | undefined = ''; from !== undefined;)
      from = await forget(log, { siteId, memberId: undefined }, from, keep);
    assert.deepEqual(await all(log, siteId), []);
    assert.equal((await all(log, other.siteId)).length, kept.length);
  },
  async 'log: a cursor that is none gives some page'(bench) {
    const [log, { siteId }] = [logOf(bench), bench];
    if (!log) return;
    await write(log, eventsOf(siteId, 5, randomFrom(6)));
    for (const cursor of ['', 'x', '0 0', '9'.repeat(100), "' or 1=1"])
      assert.ok(Array.isArray((await findEvents(log, siteId, { cursor }, 0)).events), cursor);
  },
  async 'log: all schools are read in the order of writing, from the start, a time or a cursor, or not at all'(bench) {
    const [log, { siteId }] = [logOf(bench), bench];
    if (!log) return;
    const events = eventsOf(siteId, 60, randomFrom(7));
    await write(log, events);
    const read = async (start: { readonly after: string; readonly from?: number }): Promise<Set<string>> => {
      const found = new Set<string>();
      for (let [after, next] = [start.after, undefined as string | undefined]; after !== next;) {
        if (next !== undefined) after = next;
        const page = await log.readLog({ ...(next === undefined ? start : { after }), limit: 25 });
        for (const entry of page.entries) if (entry.siteId === siteId) found.add(entry.id);
        next = page.next;
      }
      return found;
    };
    try {
      await log.readLog({ after: '', limit: 1 });
    } catch (error) {
      // A store can have no such order, and says so.
      assert.ok(error instanceof TypeError, String(error));
      return;
    }
    assert.deepEqual([...(await read({ after: '' }))].sort(), events.map(idOf).sort());
    const [, ...later] = events.slice(29);
    const recent = await read({ after: '', from: Date.parse(later[0]?.time ?? '') });
    for (const { eventId } of later) assert.ok(recent.has(eventId));
    await assert.rejects(log.readLog({ after: 'x', limit: 1 }), TypeError);
  },
};

function hasReference(event: AuditEvent): boolean {
  return entriesOf(event)[0]?.reference !== undefined;
}

/** Nobody else needs it: the person's own connection, or what they did for themselves. */
function isOnlyOf(person: string, { memberId, memberIds, actor, action }: AuditEvent): boolean {
  if (memberIds) return false;
  return memberId === person || (memberId === undefined && actor.id === person && action !== 'app.decided');
}

/** Copies have another number at their end. */
function isShown({ id }: FoundEntry): boolean {
  return id.endsWith('00');
}
