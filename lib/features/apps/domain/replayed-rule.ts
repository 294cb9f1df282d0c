import type { AppTarget } from '../../../core/access/app-rule.ts';
import { allowedPersonId } from '../../../core/access/allowed-people.ts';
import { keepsApproval } from '../../../core/access/ended-by-rule.ts';
import { type AppRule, isSameRule } from '../../../core/access/rule.ts';
import { ruleId, ruleOf } from '../../../core/access/school-rules.ts';
import type { AuditEvent } from '../../../observe/audit-event.ts';
import { serializeRecord } from '../../../records/codec.ts';
import { heldWith, isBlocked, restoreTarget } from './incidents.ts';
import { type AppsOptions, fallbackRule } from './listed-apps.ts';
import { tell } from './rule-change.ts';
import { type NewRule, readRule, saveRule, type StoredRule } from './stored-rule.ts';

/** Makes the decision of an event again, unless a later one is stored. Returns whether it did. */
export type RuleReplay = (event: AuditEvent) => Promise<boolean>;

export function ruleReplay(options: AppsOptions): RuleReplay {
  return async (event) => {
    const target = targetIn(event);
    if (!target) return false;
    const { memberId, reason } = event;
    return memberId !== undefined && reason !== undefined
      ? replayPerson(options, event, target, memberId)
      : replayRule(options, event, target);
  };
}

function targetIn({ clientId, app }: AuditEvent): AppTarget | undefined {
  if (clientId !== undefined) return { clientId };
  return app === undefined ? undefined : { app };
}

/** To the second, as rules are stored. */
function secondOf({ time }: AuditEvent): number {
  return Math.floor(Date.parse(time) / 1000);
}

async function replayPerson(
  { store }: AppsOptions,
  event: AuditEvent,
  target: AppTarget,
  memberId: string,
): Promise<boolean> {
  const id = allowedPersonId(target, memberId);
  const found = await store.find(event.siteId, 'AllowedPerson', id);
  const at = secondOf(event);
  if (found && found.record.at > at) return false;
  if (event.reason === 'person_reset')
    return found ? store.remove(event.siteId, 'AllowedPerson', id, found.text) : false;
  const of = 'clientId' in target ? { client_id: target.clientId } : { app: target.app };
  const record = serializeRecord('AllowedPerson', { ...of, member_id: memberId, at, by: event.actor.id });
  const entry = { kind: 'AllowedPerson', id, record, listed: true, replaces: found?.text ?? null } as const;
  return store.save(event.siteId, entry);
}

async function replayRule(options: AppsOptions, event: AuditEvent, target: AppTarget): Promise<boolean> {
  const { store } = options;
  const { siteId, reason, incident = '', actor } = event;
  const site = { id: siteId };
  const before = await readRule(store, siteId, target);
  const { record, text } = before;
  if (record && record.at > secondOf(event)) return false;
  if (reason === 'incident_over') {
    if (!isBlocked(record, { id: incident })) return false;
    return (await restoreTarget(options, site, target, { id: incident, by: actor.id })) === 'restored';
  }
  if (reason === 'reset') {
    if (text === null || !(await store.remove(siteId, 'AppRule', ruleId(target), text))) return false;
    tell(options, site, target, { reason, by: actor.id, app: event.app });
    return true;
  }
  if (!event.rule) return false;
  const { rule: fallback } = await fallbackRule(options, site, target);
  const decision = decisionIn(event, event.rule, before, fallback);
  if ((await saveRule(store, siteId, target, decision, text)) === undefined) return replayRule(options, event, target);
  const told = toldReasons.find((each) => each === reason) ?? 'set';
  tell(options, site, target, {
    reason: told,
    by: actor.id,
    app: event.app,
    rule: event.rule,
    incident: event.incident,
  });
  return true;
}

const toldReasons = ['set', 'incident'] as const;

function decisionIn(event: AuditEvent, rule: AppRule, before: StoredRule, fallback: AppRule): NewRule {
  const { approved, incident, actor } = event;
  const at = secondOf(event);
  const note = { by: actor.id };
  if (incident !== undefined) return { rule, note, at, held: heldWith(before, incident) };
  if (!approved) return { rule, note, at, approved: keepsApproval(rule) ? before.review?.version : undefined };
  const effect = fallback.access === 'view_only' ? { ...fallback, access: 'allowed' as const } : fallback;
  const own = before.record && ruleOf(before.record);
  const version = { ...approved, scopes: approved.scopes?.join(' ') };
  return { rule: !own && isSameRule(rule, effect) ? undefined : rule, note, at, approved: version };
}
