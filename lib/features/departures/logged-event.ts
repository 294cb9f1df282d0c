import * as z from 'zod';
import { appAccesses } from '../../core/access/rule.ts';
import { siteId } from '../../host/checked-platform.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/validate.ts';
import { illFormedAt } from '../../kernel/well-formed.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';

/** As far as the clocks of two machines may differ, in milliseconds. */
const maxAhead = 5 * 60 * 1000;

const word = z.string().min(1).max(2048).optional();
const texts = z.array(z.string());

/** What a replay uses of an event. It becomes part of records, so a log that somebody has edited must not make records that cannot be read. */
const replayed = z.object({
  siteId: z.string().regex(siteId),
  actor: z.object({ kind: z.string(), id: word }),
  reason: word,
  clientId: word,
  app: word,
  memberId: word,
  memberDigest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  connectionId: word,
  familyId: word,
  scopes: z.object({ before: texts, after: texts }).optional(),
  only: z.record(z.string(), texts).optional(),
  incident: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .optional(),
  rule: z
    .object({
      access: z.enum(appAccesses),
      ask: z.boolean().optional(),
      roles: texts.optional(),
      scopes: texts.optional(),
      pseudonym: z.boolean().optional(),
      limited: texts.optional(),
    })
    .optional(),
  approved: z
    .object({
      digest: z.string(),
      clientName: z.string().optional(),
      redirectUris: texts,
      logoUri: z.string().optional(),
      logoDigest: z.string().optional(),
      scopes: texts.optional(),
    })
    .optional(),
});

/**
 * Returns when an event of a log happened, in milliseconds.
 *
 * @param number - its place in the log, from 1
 * @throws InvalidRequest for one without a time, or in the future: what it says would count for more than later decisions
 */
export function timeOf({ time }: AuditEvent, number: number): number {
  const at = Date.parse(time);
  if (Number.isNaN(at))
    throw new InvalidRequest(`event ${number} of the log must have a time, not ${JSON.stringify(time)}`);
  if (at > Date.now() + maxAhead)
    throw new InvalidRequest(`event ${number} of the log is from ${time}, in the future; check the log and the clock`);
  return at;
}

/** @throws InvalidRequest for an event that no campus has written */
export function checkLogged(event: AuditEvent, number: number): void {
  const { error } = replayed.safeParse(event);
  const path = error?.issues[0]?.path ?? illFormedAt(event);
  if (path)
    throw new InvalidRequest(`event ${number} of the log has a wrong ${pathText(path)}; check who can write the log`);
}
