import type { SchoolPrograms } from '../../../core/decisions/school-programs.ts';
import type { SchoolRolesFinder } from '../../../core/decisions/school-roles.ts';
import type { PlatformRuleFinder } from '../../../core/decisions/program-rules.ts';
import { oneByOne, pageOf } from '../../../core/clients/paging.ts';
import { describeClient } from '../../../core/clients/client-metadata.ts';
import { decidedIn } from '../../../core/decisions/decision-version.ts';
import {
  personDecisionId,
  personDecisionVersion,
  removePersonDecision,
} from '../../../core/decisions/person-decisions.ts';
import type { ExpectedVersion } from '../../../core/clients/expected-version.ts';
import {
  decisionTarget,
  keepsApproval,
  ruleId,
  ruleOf,
  takesAway,
  targetName,
} from '../../../core/decisions/program-rules.ts';
import type { ClientBlocks, Programs, ProgramTarget } from '../../../core/decisions/program-rule.ts';
import { type DecisionNote, type ProgramRule, type RuleWord, ruleWord } from '../../../core/clients/client-status.ts';
import type { Site } from '../../../host/school-platform.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import { InvalidRequest } from '../../../kernel/errors.ts';
import { grantIdOf, serializeRecord } from '../../../records/codec.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import {
  clientsOf,
  fallbackRule,
  findProgram,
  type ProgramDecisions,
  programDecisions,
  programSource,
  type ProgramsOptions,
  stored,
} from './listed-programs.ts';
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

/** What a school has decided about programs and clients. */
export interface ProgramManager {
  readonly programs: Programs;
  readonly blocks: ClientBlocks;
  readonly programDecisions: ProgramDecisions;
  /** Absent without a rule of the platform. */
  readonly platformRule: PlatformRuleFinder | undefined;
  readonly schoolRoles: SchoolRolesFinder;
  readonly schoolPrograms: SchoolPrograms;
  readonly allApps: AppFinder;
  readonly usedApps: UsedAppFinder;
}

declare module '../../parts.ts' {
  interface School {
    readonly programs: ProgramManager;
  }
}

export function createPrograms(
  { operatorRoles }: Settings,
  { records, clients, limits, audit, rules }: Core,
  checks: RuleChecks,
): ProgramManager {
  const options: ProgramsOptions = {
    store: records.store,
    lifetimes: limits.lifetimes,
    clients: clients.findStored,
    connected: clients.connected,
    rules,
    onAudit: audit.onAudit,
  };
  const programs = rulesOfSchool(options, checks.checkRule);
  return {
    programs,
    blocks: clientBlocks(options, programs),
    programDecisions: programDecisions(options),
    platformRule: rules.sources.platformRule,
    schoolRoles: checks.schoolRoles,
    schoolPrograms: rules.programs,
    allApps: appFinder({ ...options, operatorRoles }),
    usedApps: usedAppFinder(options),
  };
}

function rulesOfSchool(options: ProgramsOptions, checkRule: RuleCheck): Programs {
  const { store, onAudit } = options;
  return {
    list: async (site, query) => pageOf(await programSource(options, site), query),
    async find(site, target) {
      const found = await findProgram(options, site, target);
      if ('program' in target && !found.decided) await options.rules.programs.check(site.id, target.program);
      return found;
    },
    async set(site, target, rule, note) {
      await checkTarget(options, site, target);
      await checkRule(site, target, rule);
      const reason = isBlock(target, rule) ? undefined : ruleWord(rule);
      const audit = { action: reason ? 'program.rule_set' : 'client.blocked', reason } as const;
      const { version, ...said } = note ?? {};
      const { connections } = await apply(options, site, target, { rule, note: said, version }, (program) =>
        onAudit({ ...audit, siteId: site.id, actor, program, limited: rule.limited, ...target }),
      );
      return { connections };
    },
    async reset(site, target, { version } = {}) {
      const { record } = await readDecision(store, site.id, target);
      if (!record) return { connections: 0 };
      const { rule, program } = await fallbackRule(options, site, target);
      const { connections, text } = await apply(options, site, target, { rule, isReset: true, version });
      // What somebody else has decided meanwhile stays.
      if (text !== undefined) await store.remove(site.id, 'ProgramRule', ruleId(target), text);
      const wasBlock = isBlock(target, record);
      const action = wasBlock ? 'client.unblocked' : 'program.rule_reset';
      onAudit({ action, siteId: site.id, actor, program, ...target });
      return { connections };
    },
    async allowPerson(site, target, memberId, note) {
      await checkTarget(options, site, target);
      const { program } = await fallbackRule(options, site, target);
      const seen = { target, program, version: note?.version };
      await checkVersion(store, site.id, seen, await readDecision(store, site.id, target));
      const of = 'clientId' in target ? { client_id: target.clientId } : { program: target.program };
      const content = { ...of, member_id: memberId, at: epochSeconds(), by: note?.by, reason: note?.reason };
      const record = serializeRecord('PersonDecision', content);
      await store.save(site.id, {
        kind: 'PersonDecision',
        id: personDecisionId(target, memberId),
        record,
        listed: true,
      });
      onAudit({ action: 'program.person_allowed', siteId: site.id, actor, memberId, program, ...target });
    },
    async resetPerson(site, target, memberId, expected = {}) {
      if (!(await removePersonDecision(store, site.id, { target, memberId, ...expected }))) return { connections: 0 };
      const { program } = await fallbackRule(options, site, target);
      onAudit({ action: 'program.person_reset', siteId: site.id, actor, memberId, program, ...target });
      const details = { actor, reason: 'rule_changed', memberId, program } as const;
      let connections = 0;
      // Clients with a rule of their own are among them: what was decided on the program let the person connect these as well.
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
      if ('program' in target && ofTarget.length === 0) await options.rules.programs.check(site.id, target.program);
      return ofTarget
        .map((each) => ({ memberId: each.member_id, version: personDecisionVersion(each), ...decidedIn(each) }))
        .sort((a, b) => b.at - a.at || a.memberId.localeCompare(b.memberId));
    },
  };
}

function clientBlocks({ store, clients }: ProgramsOptions, programs: Programs): ClientBlocks {
  return {
    block: (site, clientId, note) => programs.set(site, { clientId }, { access: 'blocked' }, note),
    async unblock(site, clientId, expected) {
      const found = await store.find(site.id, 'ProgramRule', ruleId({ clientId }));
      const isBlocked = found?.record.access === 'blocked';
      if (isBlocked) await programs.reset(site, { clientId }, expected);
      return isBlocked;
    },
    async listBlocked({ id: siteId }, query) {
      const blocked = (await store.list(siteId, 'ProgramRule')).flatMap(({ access, client_id: clientId, at }) =>
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

function isBlock(target: ProgramTarget, { access }: { readonly access?: RuleWord | undefined }): boolean {
  return access === 'blocked' && 'clientId' in target;
}

/** A client that nobody knows can be named: what is blocked may not be there yet. */
async function checkTarget({ rules }: ProgramsOptions, site: Site, target: ProgramTarget): Promise<void> {
  const [name, id] = 'clientId' in target ? ['client_id', target.clientId] : ['program', target.program];
  if (id === '' || id.length > maxIdLength)
    throw new InvalidRequest(`a ${name} is a string of 1 to ${maxIdLength} characters`);
  if ('program' in target) await rules.programs.check(site.id, target.program);
}

interface RuleChange extends ExpectedVersion {
  readonly note?: DecisionNote | undefined;
  readonly rule: ProgramRule;
  /** The decision goes: `rule` is what applies then. @default false */
  readonly isReset?: boolean;
}

/** Writes a decision, then ends the connections that it no longer allows. What is left when that fails, the next call ends. */
async function apply(
  options: ProgramsOptions,
  site: Site,
  target: ProgramTarget,
  change: RuleChange,
  written: (program: string | undefined) => void = () => undefined,
): Promise<{ readonly connections: number; readonly text: string | undefined }> {
  const { rule: fallback, program } = await fallbackRule(options, site, target);
  const { version } = change;
  const changed = await changeDecision(options.store, site.id, { target, program, version }, (before) =>
    decisionAfter(before, target, change, fallback),
  );
  written(program);
  if (!changed.decision.ending) return { connections: 0, text: changed.text };
  const connections = await endAll(options, site, target, change.rule, program);
  return { connections, text: await markEnded(options.store, site.id, target, changed) };
}

function decisionAfter(
  { record, review }: StoredDecision,
  target: ProgramTarget,
  { rule, note, isReset = false }: RuleChange,
  fallback: ProgramRule,
): NewDecision {
  const now = isReset ? undefined : rule;
  const approved = keepsApproval(now) ? review?.version : undefined;
  const was = { rule: (record && ruleOf(record)) ?? fallback, hasApproval: review?.version !== undefined };
  const clientId = 'clientId' in target ? target.clientId : undefined;
  const ending = record?.ending === true || takesAway(was, { rule: now, fallback: rule, clientId });
  // A decision that goes follows that of the program from now on, also if its record could not be removed.
  const followsProgram = isReset && clientId !== undefined;
  return { rule: followsProgram ? undefined : rule, approved, ending, note };
}

/** Ends the connections of a client, or of all clients of a program that have no rule of their own. */
async function endAll(
  options: ProgramsOptions,
  site: Site,
  target: ProgramTarget,
  { access }: ProgramRule,
  program: string | undefined,
): Promise<number> {
  const reason = access === 'blocked' ? 'client_blocked' : 'rule_changed';
  let connections = 0;
  for (const clientId of clientsOf(options, await stored(options, site), [target]).flat()) {
    connections += await endGrants(options, site.id, { clientId }, { reason, actor, clientId, program });
  }
  return connections;
}
