import * as z from 'zod';
import { auditOutcomes } from '../../observe/audit-event.ts';
import type { EventPage, EventQuestion } from '../../observe/event-question.ts';
import { logKinds } from '../../observe/log-kind.ts';
import type { Site } from '../../host/school-platform.ts';
import { schoolArgument } from '../../host/site-argument.ts';
import type { Arguments } from '../../kernel/arguments.ts';
import { group, list as listOf, type Shape, text, whole } from '../../kernel/option-schemas.ts';
import type { EventsSince, WrittenEvents } from '../../records/stored-log.ts';
import type { Checks } from '../method-checks.ts';
import type { Parts } from '../parts.ts';
import type { CampusLog, LogMethods } from './method-types.ts';

export function logMethods({ log }: Parts, { methods, ofSchools }: Checks): LogMethods {
  const list = async (site: Site, question: EventQuestion = {}): Promise<EventPage> => {
    if (!log.list) throw missing('list');
    return log.list(site, question);
  };
  const read = async (since: EventsSince = {}): Promise<WrittenEvents> => {
    if (log.stored) return log.stored.read(since);
    throw log.list
      ? new TypeError('log.read needs a log that the campus writes; set the option log to storedLog()')
      : missing('read');
  };
  return {
    log: { ...ofSchools('log', { list }, { list: listed }), ...methods('log', { read }, { read: wasRead }) },
  };
}

function missing(method: keyof CampusLog): TypeError {
  return new TypeError(`log.${method} needs the option log; set it, or remove the call`);
}

const actions = Object.keys(auditOutcomes);
const moment = z.date('be a Date');
const limit = whole('whole number', 1, 500).optional();
const cursor = z.string('be a cursor of the previous page').max(100).optional();

const listed: Arguments = {
  site: schoolArgument,
  question: group({
    member: text().optional(),
    app: text().optional(),
    client: text().optional(),
    kinds: listOf(z.enum(logKinds), 'be an array of kinds').optional(),
    actions: listOf(z.enum(actions), 'be an array of actions').optional(),
    reference: text().optional(),
    from: moment.optional(),
    to: moment.optional(),
    cursor,
    limit,
  } satisfies Shape<EventQuestion>).optional(),
};

const wasRead: Arguments = {
  since: group({ after: cursor, from: moment.optional(), limit } satisfies Shape<EventsSince>).optional(),
};
