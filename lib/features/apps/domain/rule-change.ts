import type { ChangeDetails, DecisionEffect } from '../../../core/apps/apps.ts';
import type { ChangeNote } from '../../../core/clients/client-status.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import type { ExpectedVersion } from '../../../core/clients/expected-version.ts';
import type { UnfinishedDecision } from '../../../core/access/app-review.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { ruleId, ruleOf } from '../../../core/access/school-rules.ts';
import { keepsApproval, refusesAll, takesAway } from '../../../core/access/ended-by-rule.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import type { Site } from '../../../host/school-platform.ts';
import { InvalidRequest } from '../../../kernel/errors.ts';
import type { EventDetails } from '../../../observe/audit-event.ts';
import { type AppsOptions, clientsOf, fallbackRule, stored } from './listed-apps.ts';
import type { RuleReach } from './rule-reach.ts';
import { decisionIn } from './seen-version.ts';
import { administrator, changeRule, markEnded, type NewRule, readRule, type StoredRule } from './stored-rule.ts';

const maxIdLength = 2048;

/** With what decisions are made. */
export interface DecidingOptions extends AppsOptions {
  readonly reach: RuleReach;
}

export const noEffect: DecisionEffect = Object.freeze({ ended: 0, atRefresh: 0 });

/** What the event of a decision says, whichever method it was. */
interface Told extends Pick<EventDetails, 'app' | 'memberId' | 'rule' | 'incident'> {
  readonly reason: 'set' | 'reset' | 'person_allowed' | 'person_reset' | 'incident' | 'incident_over';
  readonly by: string | undefined;
}

export function tell(
  { onAudit }: AppsOptions,
  { id: siteId }: Pick<Site, 'id'>,
  target: AppTarget,
  { by, ...told }: Told,
): void {
  const outcome = told.rule?.access === 'blocked' ? 'refused' : undefined;
  onAudit({ action: 'app.decided', siteId, actor: administrator(by), outcome, ...told, ...target });
}

/** Takes a decision back. */
export async function resetRule(
  options: DecidingOptions,
  site: Site,
  target: AppTarget,
  { version, by }: ChangeDetails = {},
): Promise<DecisionEffect> {
  const { store } = options;
  const { record } = await readRule(store, site.id, target);
  if (!record) return noEffect;
  const { rule, app } = await fallbackRule(options, site, target);
  const change = { rule, isReset: true, note: { by }, version: decisionIn(version) };
  const { effect, text } = await apply(options, site, target, change);
  // What somebody else has decided meanwhile stays.
  if (text !== undefined) await store.remove(site.id, 'AppRule', ruleId(target), text);
  tell(options, site, target, { reason: 'reset', by, app });
  return effect;
}

/** Those with a rule of their own as well: what was decided on the app let people connect these too. */
export async function allClients(
  options: AppsOptions,
  site: Pick<Site, 'id'>,
  target: AppTarget,
): Promise<readonly string[]> {
  if ('clientId' in target) return [target.clientId];
  const { connected } = await stored(options, site);
  return clientsOf(options, { connected, rules: [] }, [target]).flat();
}

/** A client that nobody knows can be named: what is blocked may not be there yet. */
export async function checkTarget({ rules }: AppsOptions, site: Site, target: AppTarget): Promise<void> {
  const [name, id] = 'clientId' in target ? ['client_id', target.clientId] : ['app', target.app];
  if (id === '' || id.length > maxIdLength)
    throw new InvalidRequest(`${name} must be a string of 1 to ${maxIdLength} characters`);
  if ('app' in target) await rules.apps.check(site.id, target.app);
}

interface RuleChange extends ExpectedVersion {
  readonly note?: ChangeNote | undefined;
  readonly rule: AppRule;
  /** The decision goes: `rule` is what applies then. @default false */
  readonly isReset?: boolean;
}

/** Writes a decision, then ends what it takes away. What is left when that fails, the next call ends. */
export async function apply(
  options: DecidingOptions,
  site: Site,
  target: AppTarget,
  change: RuleChange,
  written: (app: string | undefined) => void = () => undefined,
): Promise<{ readonly effect: DecisionEffect; readonly text: string | undefined }> {
  const { rule: fallback, app } = await fallbackRule(options, site, target);
  const { version, rule, note } = change;
  let was = fallback;
  const changed = await changeRule(options.store, site.id, { target, app, version }, (before) => {
    was = (before.record && ruleOf(before.record)) ?? fallback;
    return ruleAfter(before, target, change, { was, isReviewRead: options.rules.access.countAt('use') });
  });
  written(app);
  if (!changed.decision.ending) return { effect: noEffect, text: changed.text };
  const reason = rule.access === 'blocked' ? 'client_blocked' : 'rule_changed';
  const details = { reason, actor: administrator(note?.by), app };
  const effect = await options.reach.end(site, { target, refusesAll: refusesAll(was, rule), details });
  return { effect, text: await markEnded(options.store, site.id, target, changed) };
}

function ruleAfter(
  { record, review }: StoredRule,
  target: AppTarget,
  { rule, note, isReset = false }: RuleChange,
  { was, isReviewRead }: { readonly was: AppRule; readonly isReviewRead: boolean },
): NewRule {
  const now = isReset ? undefined : rule;
  const approved = keepsApproval(now) ? review?.version : undefined;
  const before = { rule: was, hasApproval: review?.version !== undefined };
  const clientId = 'clientId' in target ? target.clientId : undefined;
  const ending = record?.ending === true || takesAway(before, { rule: now, fallback: rule, clientId, isReviewRead });
  // A decision that goes follows that of the app from now on, also if its record could not be removed.
  const followsApp = isReset && clientId !== undefined;
  return { rule: followsApp ? undefined : rule, approved, ending, note };
}

/** Ends what an approval takes away that was decided together with a stricter rule. */
export async function finish(
  { reach }: DecidingOptions,
  site: Site,
  target: AppTarget,
  { refusesAll: isForAll, by, app, finished }: UnfinishedDecision,
): Promise<DecisionEffect> {
  const details = { reason: 'rule_changed', actor: administrator(by), app } as const;
  const effect = await reach.end(site, { target, refusesAll: isForAll, details });
  await finished();
  return effect;
}

export async function endOf(
  options: AppsOptions,
  { id: siteId }: Site,
  clientIds: readonly string[],
  details: EventDetails,
): Promise<number> {
  let connections = 0;
  for (const clientId of clientIds)
    connections += await endGrants(options, siteId, { clientId }, { ...details, clientId });
  return connections;
}
