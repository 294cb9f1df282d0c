import { entriesOf } from '../../../lib/core/log/entries.ts';
import { forget } from '../../../lib/core/log/forget.ts';
import { findEvents } from '../../../lib/core/log/reader.ts';
import type { AuditEvent } from '../../../lib/index.ts';
import { newEventId } from '../../../lib/observe/event-id.ts';
import { logBounds, type LogStore } from '../../../lib/records/log.ts';
import type { Store } from '../../../lib/store.ts';
import { eventsOf, randomFrom } from '../../../lib/testing/store/log-events.ts';

const keep = { days: 90, events: {} };

export const logSites = ['school', 'école / 7'] as const;

export function logOf({ writeLog, readLog }: Store): LogStore {
  if (!writeLog || !readLog) throw new Error('a store without a log');
  return { writeLog, readLog };
}

/** Writes events of ten days at two schools: more than a page, of every kind, with copies for people. */
export async function fillLog(store: Store): Promise<void> {
  for (const siteId of logSites) await writeEvents(store, eventsOf(siteId, 300, randomFrom(siteId.length)));
}

/** Writes events as a campus does. */
export async function writeEvents(store: Store, events: readonly AuditEvent[]): Promise<void> {
  const entries = events.flatMap(entriesOf);
  for (let i = 0; i < entries.length; i += 100)
    await logOf(store).writeLog({ entries: entries.slice(i, i + 100), keep: { ...keep, days: 365 } });
}

/** An event of a person at the first school, some days ago. */
export function eventOf(memberId: string, daysAgo = 0): AuditEvent {
  const time = Date.now() - daysAgo * 24 * 60 * 60 * 1000;
  return {
    version: 1,
    time: new Date(time).toISOString(),
    eventId: newEventId(time),
    siteId: logSites[0],
    action: 'consent.given',
    outcome: 'allowed',
    actor: { kind: 'member', id: memberId },
    memberId,
    clientId: 'app-1',
  };
}

/** Does to the log what `campus.members.erase` does. */
export async function forgetPerson(store: Store, memberId: string): Promise<void> {
  for (let from: string | undefined = ''; from !== undefined;)
    from = await forget(logOf(store), { siteId: logSites[0], memberId }, from, keep);
}

/** All entries, and what a campus finds by each index, in the order in which it finds them. */
export async function seenLog(store: Store): Promise<unknown> {
  const log = logOf(store);
  const questions = [
    { member: 'olivia' },
    { member: '學生 7' },
    { app: 'claude' },
    { client: 'v_claude_2' },
    { kinds: ['school', 'people'] },
    { reference: 'r-7' },
    { from: new Date(Date.now() - 2 * 24 * 60 * 60 * 1000) },
  ] as const;
  const ofSite = async (siteId: string) => {
    const found: string[] = [];
    for (let before: string | undefined = ''; before !== undefined;) {
      const page: Awaited<ReturnType<LogStore['readLog']>> = await log.readLog({
        siteId,
        kinds: logBounds,
        limit: 250,
        ...(before !== '' && { before }),
      });
      found.push(...page.entries.map(({ id, text }) => `${id} ${text}`));
      before = page.next;
    }
    const answers = await Promise.all(
      questions.map((question) => findEvents(log, siteId, { ...question, limit: 20 }, 0)),
    );
    return { found, answers: answers.map(({ events }) => events) };
  };
  return Promise.all(logSites.map(ofSite));
}
