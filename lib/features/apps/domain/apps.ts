import type { SchoolAppIds } from '../../../core/access/school-apps.ts';
import type { SchoolRolesFinder } from '../../../core/access/school-roles.ts';
import { oneByOne, pageOf } from '../../../core/clients/paging.ts';
import { describeClient } from '../../../core/clients/client-metadata.ts';
import { decidedIn } from '../../../core/access/decision-version.ts';
import {
  personDecisionId,
  personDecisionVersion,
  removePersonDecision,
} from '../../../core/access/person-decisions.ts';
import type { ExpectedVersion } from '../../../core/clients/expected-version.ts';
import {
  decisionTarget,
  keepsApproval,
  ruleId,
  ruleOf,
  takesAway,
  targetName,
} from '../../../core/access/app-rules.ts';
import type { ClientBlocks, Apps, AppTarget } from '../../../core/access/app-rule.ts';
import { type DecisionNote } from '../../../core/clients/client-status.ts';
import { type AppRule, type RuleWord, ruleWord } from '../../../core/access/rule.ts';
import type { Site } from '../../../host/school-platform.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import { InvalidRequest } from '../../../kernel/errors.ts';
import { grantIdOf, serializeRecord } from '../../../records/codec.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import {
  clientsOf,
  fallbackRule,
  findApp,
  type AppDecisions,
  appDecisions,
  appSource,
  type AppsOptions,
  stored,
} from './listed-apps.ts';
import type { RuleCheck, RuleChecks } from './rule-check.ts';
import { type AppFinder, appFinder } from './all-apps.ts';
import { type UsedAppFinder, usedAppFinder } from './used-apps.ts';
import type { Settings } from '../../../options/options.ts';
import type { Core } from '../../../core/core.ts';
import {
  changeDecision,
  checkVersion,
  markEnded,
  type NewDecision,
  readDecision,
  type StoredDecision,
} from './stored-decision.ts';

/** The host has authenticated them. */
const actor = { kind: 'administrator' } as const;

const maxIdLength = 2048;

/** What a school has decided about apps and clients. */
export interface AppManager {
  readonly apps: Apps;
  readonly blocks: ClientBlocks;
  readonly appDecisions: AppDecisions;
  readonly schoolRoles: SchoolRolesFinder;
  readonly schoolAppIds: SchoolAppIds;
  readonly allApps: AppFinder;
  readonly usedApps: UsedAppFinder;
}

declare module '../../parts.ts' {
  interface School {
    readonly apps: AppManager;
  }
}

export function createApps(
  { operatorRoles }: Settings,
  { records, clients, limits, audit, rules }: Core,
  checks: RuleChecks,
): AppManager {
  const options: AppsOptions = {
    store: records.store,
    lifetimes: limits.lifetimes,
    clients: clients.findStored,
    connected: clients.connected,
    rules,
    onAudit: audit.onAudit,
  };
  const apps = rulesOfSchool(options, checks.checkRule);
  return {
    apps,
    blocks: clientBlocks(options, apps),
    appDecisions: appDecisions(options),
    schoolRoles: checks.schoolRoles,
    schoolAppIds: rules.apps,
    allApps: appFinder({ ...options, operatorRoles }),
    usedApps: usedAppFinder(options),
  };
}

function rulesOfSchool(options: AppsOptions, checkRule: RuleCheck): Apps {
  const { store, onAudit } = options;
  return {
    list: async (site, query) => pageOf(await appSource(options, site), query),
    async find(site, target) {
      const found = await findApp(options, site, target);
      if ('app' in target && !found.decided) await options.rules.apps.check(site.id, target.app);
      return found;
    },
    async set(site, target, rule, note) {
      await checkTarget(options, site, target);
      await checkRule(site, target, rule);
      const reason = isBlock(target, rule) ? undefined : ruleWord(rule);
      const audit = { action: reason ? 'app.rule_set' : 'client.blocked', reason } as const;
      const { version, ...said } = note ?? {};
      const { connections } = await apply(options, site, target, { rule, note: said, version }, (app) =>
        onAudit({ ...audit, siteId: site.id, actor, app, limited: rule.limited, ...target }),
      );
      return { connections };
    },
    async reset(site, target, { version } = {}) {
      const { record } = await readDecision(store, site.id, target);
      if (!record) return { connections: 0 };
      const { rule, app } = await fallbackRule(options, site, target);
      const { connections, text } = await apply(options, site, target, { rule, isReset: true, version });
      // What somebody else has decided meanwhile stays.
      if (text !== undefined) await store.remove(site.id, 'AppRule', ruleId(target), text);
      const wasBlock = isBlock(target, record);
      const action = wasBlock ? 'client.unblocked' : 'app.rule_reset';
      onAudit({ action, siteId: site.id, actor, app, ...target });
      return { connections };
    },
    async allowPerson(site, target, memberId, note) {
      await checkTarget(options, site, target);
      const { app } = await fallbackRule(options, site, target);
      const seen = { target, app, version: note?.version };
      await checkVersion(store, site.id, seen, await readDecision(store, site.id, target));
      const of = 'clientId' in target ? { client_id: target.clientId } : { app: target.app };
      const content = { ...of, member_id: memberId, at: epochSeconds(), by: note?.by, reason: note?.reason };
      const record = serializeRecord('PersonDecision', content);
      await store.save(site.id, {
        kind: 'PersonDecision',
        id: personDecisionId(target, memberId),
        record,
        listed: true,
      });
      onAudit({ action: 'app.person_allowed', siteId: site.id, actor, memberId, app, ...target });
    },
    async resetPerson(site, target, memberId, expected = {}) {
      if (!(await removePersonDecision(store, site.id, { target, memberId, ...expected }))) return { connections: 0 };
      const { app } = await fallbackRule(options, site, target);
      onAudit({ action: 'app.person_reset', siteId: site.id, actor, memberId, app, ...target });
      const details = { actor, reason: 'rule_changed', memberId, app } as const;
      let connections = 0;
      // Clients with a rule of their own are among them: what was decided on the app let the person connect these as well.
      const { connected } = await stored(options, site);
      for (const clientId of clientsOf(options, { connected, rules: [] }, [target]).flat()) {
        const filter = { memberId, grantId: grantIdOf(memberId, clientId) };
        connections += await endGrants(options, site.id, filter, { ...details, clientId });
      }
      return { connections };
    },
    async listPeople(site, target) {
      const all = await store.list(site.id, 'PersonDecision');
      const ofTarget = all.filter((each) => targetName(decisionTarget(each)) === targetName(target));
      if ('app' in target && ofTarget.length === 0) await options.rules.apps.check(site.id, target.app);
      return ofTarget
        .map((each) => ({ memberId: each.member_id, version: personDecisionVersion(each), ...decidedIn(each) }))
        .sort((a, b) => b.at - a.at || a.memberId.localeCompare(b.memberId));
    },
  };
}

function clientBlocks({ store, clients }: AppsOptions, apps: Apps): ClientBlocks {
  return {
    block: (site, clientId, note) => apps.set(site, { clientId }, { access: 'blocked' }, note),
    async unblock(site, clientId, expected) {
      const found = await store.find(site.id, 'AppRule', ruleId({ clientId }));
      const isBlocked = found?.record.access === 'blocked';
      if (isBlocked) await apps.reset(site, { clientId }, expected);
      return isBlocked;
    },
    async listBlocked({ id: siteId }, query) {
      const blocked = (await store.list(siteId, 'AppRule')).flatMap(({ access, client_id: clientId, at }) =>
        access === 'blocked' && clientId !== undefined ? [{ clientId, at }] : [],
      );
      blocked.sort((a, b) => b.at - a.at || a.clientId.localeCompare(b.clientId));
      // A document whose host is no longer permitted is not found, and is still blocked.
      const describe = async ({ clientId, at }: (typeof blocked)[number]) => ({
        ...describeClient(clientId, await clients(siteId, clientId, 'identify')),
        blockedAt: at,
      });
      return pageOf({ keys: blocked, read: oneByOne(describe) }, query);
    },
  };
}

function isBlock(target: AppTarget, { access }: { readonly access?: RuleWord | undefined }): boolean {
  return access === 'blocked' && 'clientId' in target;
}

/** A client that nobody knows can be named: what is blocked may not be there yet. */
async function checkTarget({ rules }: AppsOptions, site: Site, target: AppTarget): Promise<void> {
  const [name, id] = 'clientId' in target ? ['client_id', target.clientId] : ['app', target.app];
  if (id === '' || id.length > maxIdLength)
    throw new InvalidRequest(`${name} must be a string of 1 to ${maxIdLength} characters`);
  if ('app' in target) await rules.apps.check(site.id, target.app);
}

interface RuleChange extends ExpectedVersion {
  readonly note?: DecisionNote | undefined;
  readonly rule: AppRule;
  /** The decision goes: `rule` is what applies then. @default false */
  readonly isReset?: boolean;
}

/** Writes a decision, then ends the connections that it no longer allows. What is left when that fails, the next call ends. */
async function apply(
  options: AppsOptions,
  site: Site,
  target: AppTarget,
  change: RuleChange,
  written: (app: string | undefined) => void = () => undefined,
): Promise<{ readonly connections: number; readonly text: string | undefined }> {
  const { rule: fallback, app } = await fallbackRule(options, site, target);
  const { version } = change;
  const changed = await changeDecision(options.store, site.id, { target, app, version }, (before) =>
    decisionAfter(before, target, change, { fallback, isReviewRead: options.rules.access.countAt('use') }),
  );
  written(app);
  if (!changed.decision.ending) return { connections: 0, text: changed.text };
  const connections = await endAll(options, site, target, change.rule, app);
  return { connections, text: await markEnded(options.store, site.id, target, changed) };
}

function decisionAfter(
  { record, review }: StoredDecision,
  target: AppTarget,
  { rule, note, isReset = false }: RuleChange,
  { fallback, isReviewRead }: { readonly fallback: AppRule; readonly isReviewRead: boolean },
): NewDecision {
  const now = isReset ? undefined : rule;
  const approved = keepsApproval(now) ? review?.version : undefined;
  const was = { rule: (record && ruleOf(record)) ?? fallback, hasApproval: review?.version !== undefined };
  const clientId = 'clientId' in target ? target.clientId : undefined;
  const ending = record?.ending === true || takesAway(was, { rule: now, fallback: rule, clientId, isReviewRead });
  // A decision that goes follows that of the app from now on, also if its record could not be removed.
  const followsApp = isReset && clientId !== undefined;
  return { rule: followsApp ? undefined : rule, approved, ending, note };
}

/** Ends the connections of a client, or of all clients of an app that have no rule of their own. */
async function endAll(
  options: AppsOptions,
  site: Site,
  target: AppTarget,
  { access }: AppRule,
  app: string | undefined,
): Promise<number> {
  const reason = access === 'blocked' ? 'client_blocked' : 'rule_changed';
  let connections = 0;
  for (const clientId of clientsOf(options, await stored(options, site), [target]).flat()) {
    connections += await endGrants(options, site.id, { clientId }, { reason, actor, clientId, app });
  }
  return connections;
}
