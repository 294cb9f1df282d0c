import * as z from 'zod';
import { brief, checkReturn, wrongReturn } from '../../host/check-returns.ts';
import type { EventLog } from '../../host/event-log.ts';
import type { Site } from '../../host/school-platform.ts';
import { appAccesses } from '../../core/access/rule.ts';
import type { OnFault } from '../../observe/events.ts';
import { type EventPage, type EventQuestion, isAnswer } from '../../observe/event-question.ts';
import { faultWrapper } from '../../observe/faults-to-503.ts';

const words = z.string().nullish();
const texts = z.array(z.string()).nullish();

const eventSchema = z.object({
  time: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'be a time in ISO 8601'),
  action: z.string(),
  outcome: z.enum(['allowed', 'refused']),
  actor: z.object({ kind: z.enum(['member', 'operator', 'administrator', 'client', 'anonymous']), id: words }),
  reason: words,
  clientId: words,
  clientName: words,
  claimed: z.object({ clientId: words, name: words, redirectUris: texts, audiences: texts }).nullish(),
  app: words,
  memberId: words,
  connectionId: words,
  familyId: words,
  address: words,
  requestId: words,
  connections: z.number().nullish(),
  memberIds: z.array(z.string()).nullish(),
  only: z.record(z.string(), z.array(z.string())).nullish(),
  rule: z.object({ access: z.enum(appAccesses), ask: z.boolean().nullish() }).nullish(),
  tool: z.object({ name: z.string(), outcome: z.string(), about: words }).nullish(),
});

const pageSchema = z.object(
  {
    events: z.array(eventSchema, 'be an array of audit events'),
    next: words,
    lookedBackTo: z.date('be a Date').optional(),
  },
  'be an object with events',
);

/** A log that cannot be read, or that returns something else than events of the school, is a fault. What does not answer is left out. */
export function ownLog(log: EventLog, onFault: OnFault): (site: Site, question: EventQuestion) => Promise<EventPage> {
  const what = 'log.list';
  return faultWrapper(onFault)(what, async (site: Site, question: EventQuestion) => {
    const page = checkReturn(`${what}()`, pageSchema, readPart(await log.list(site, question), question));
    const wrong = page.events.findIndex(({ siteId }) => siteId !== site.id);
    if (wrong >= 0) {
      const rule = `be the id of the requested school, ${brief(site.id)}`;
      throw wrongReturn(`${what}()`, `events[${wrong}].siteId`, page.events[wrong]?.siteId, rule);
    }
    return { ...page, events: page.events.filter((event) => isAnswer(event, question)) };
  });
}

/** The others that the host returned are not read. */
function readPart(page: EventPage, { limit = 50 }: EventQuestion): EventPage {
  return Array.isArray(page?.events) ? { ...page, events: page.events.slice(0, limit) } : page;
}
