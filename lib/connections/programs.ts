import type { ClientFinder } from '../clients/finder.ts';
import { pageOf } from '../clients/listing.ts';
import { clientUse } from '../clients/allowance.ts';
import { describeClient } from '../clients/metadata.ts';
import {
  isStricter,
  noRule,
  type PlatformRuleFinder,
  ruleId,
  ruleInForce,
  ruleOf,
  type SchoolRuleFinder,
} from '../clients/program-rules.ts';
import type { Connections } from '../contracts/connection.ts';
import type { ListedProgram, ProgramRule, Programs, ProgramTarget } from '../contracts/program.ts';
import type { Site } from '../contracts/platform.ts';
import type { RecordOf } from '../contracts/record.ts';
import { endGrants } from '../grants/changes.ts';
import { InvalidRequest } from '../protocol/errors.ts';
import { isProgramId, knownProgram, knownPrograms } from '../protocol/known-programs.ts';
import { type ConnectedClientRecord, serializeRecord } from '../records/codec.ts';
import type { Core } from '../records/core.ts';
import { epochSeconds } from '../runtime/timeout.ts';

export interface ProgramsOptions extends Pick<Core, 'store' | 'catalogue' | 'onAudit'> {
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
  /** The id of the program of a client whose id alone tells it. */
  readonly programIdOf: (clientId: string) => string | undefined;
  readonly schoolRule: SchoolRuleFinder;
  readonly platformRule: PlatformRuleFinder | undefined;
}

type Blocks = Pick<Connections, 'block' | 'unblock' | 'listBlocked'>;

/** The host has authenticated them. */
const actor = { kind: 'operator' } as const;

const maxIdLength = 2048;

/** Each lost attempt is another operator's decision that came first. */
const maxAttempts = 20;

/** A school's rules: a rule is written first, and then the connections go that it no longer allows. */
export function createPrograms(options: ProgramsOptions): Blocks & { readonly programs: Programs } {
  const { store, clients, onAudit } = options;
  const find = async ({ id }: Site, target: ProgramTarget) => store.find(id, 'ProgramRule', ruleId(target));

  const blocks: Blocks = {
    block: (site, clientId) => programs.set(site, { clientId }, { access: 'blocked' }),
    async unblock(site, clientId) {
      const isBlocked = (await find(site, { clientId }))?.record.access === 'blocked';
      if (isBlocked) await programs.reset(site, { clientId });
      return isBlocked;
    },
    async listBlocked({ id: siteId }, query) {
      const rules = await store.list(siteId, 'ProgramRule');
      const blocked = rules.filter(({ access }) => access === 'blocked').sort((a, b) => b.at - a.at);
      const ids = blocked.flatMap(({ client_id: clientId, at }) => (clientId === undefined ? [] : [{ clientId, at }]));
      // A document whose host is no longer permitted is not found, and is still blocked.
      const describe = async ({ clientId, at }: (typeof ids)[number]) => ({
        ...describeClient(clientId, await clients(siteId, clientId, 'identify')),
        blockedAt: at,
      });
      return pageOf(
        ids.sort((a, b) => b.at - a.at || a.clientId.localeCompare(b.clientId)),
        describe,
        query,
      );
    },
  };

  const programs: Programs = {
    async list(site, query) {
      const known = await stored(options, site);
      return pageOf(listedTargets(options, known), (target) => describeTarget(options, site, known, target), query);
    },
    find: async (site, target) => describeTarget(options, site, await stored(options, site), target),
    async set(site, target, rule) {
      checkTarget(target);
      const unknown = rule.scopes?.find((scope) => !options.catalogue.has(scope));
      if (unknown !== undefined) throw new InvalidRequest(`${unknown} is not a scope here; campus.scopes lists them`);
      const fallback = await fallbackRule(options, site, target);
      const written = await write(options, site, target, (before) => {
        const ending = before?.ending === true || isStricter(rule, before ? ruleOf(before) : fallback);
        return { ...rule, ...(ending && { ending }) };
      });
      const isBlock = rule.access === 'blocked' && 'clientId' in target;
      onAudit({
        action: isBlock ? 'client.blocked' : 'program.rule_set',
        reason: isBlock ? undefined : rule.access,
        ...event(site, target),
      });
      if (!written.rule.ending) return { connections: 0 };
      const connections = await endAll(options, site, target, rule);
      await save(options, site, target, rule, written.text);
      return { connections };
    },
    async reset(site, target) {
      const fallback = await fallbackRule(options, site, target);
      const before = (await find(site, target))?.record;
      if (!before) return { connections: 0 };
      const ending = before.ending === true || isStricter(fallback, ruleOf(before));
      if (ending) await write(options, site, target, () => ({ ...fallback, ending }));
      const connections = ending ? await endAll(options, site, target, fallback) : 0;
      await store.remove(site.id, 'ProgramRule', ruleId(target));
      const isBlock = before.access === 'blocked' && 'clientId' in target;
      onAudit({ action: isBlock ? 'client.unblocked' : 'program.rule_reset', ...event(site, target) });
      return { connections };
    },
  };
  return { ...blocks, programs };
}

function event({ id: siteId }: Site, target: ProgramTarget) {
  const of = 'clientId' in target ? { clientId: target.clientId } : { program: target.program };
  return { siteId, actor, ...of };
}

function checkTarget(target: ProgramTarget): void {
  const [name, id] = 'clientId' in target ? ['client_id', target.clientId] : ['program', target.program];
  if (id === '' || id.length > maxIdLength)
    throw new InvalidRequest(`a ${name} is a string of 1 to ${maxIdLength} characters`);
}

/** What applies to a client without a rule of its own. */
async function fallbackRule(options: ProgramsOptions, site: Site, target: ProgramTarget): Promise<ProgramRule> {
  if ('program' in target) return noRule;
  const { program } = await findClient(options, site, target.clientId);
  return (await options.schoolRule(site.id, { program })) ?? noRule;
}

type RuleRecord = RecordOf<'ProgramRule'>;
type NewRule = ProgramRule & { readonly ending?: boolean };

async function write(
  options: ProgramsOptions,
  site: Site,
  target: ProgramTarget,
  decide: (before: RuleRecord | undefined) => NewRule,
): Promise<{ readonly rule: NewRule; readonly text: string }> {
  for (let i = 0; i < maxAttempts; i += 1) {
    const before = await options.store.find(site.id, 'ProgramRule', ruleId(target));
    const rule = decide(before?.record);
    const text = await save(options, site, target, rule, before?.text ?? null);
    if (text !== undefined) return { rule, text };
  }
  throw new Error(`a rule was changed ${maxAttempts} times by others while one change was written`);
}

/** Returns what was written; nothing if something else than `replaces` is stored. */
async function save(
  { store }: ProgramsOptions,
  site: Site,
  target: ProgramTarget,
  { access, roles, scopes, ending }: NewRule,
  replaces: string | null,
): Promise<string | undefined> {
  const of = 'clientId' in target ? { client_id: target.clientId } : { program: target.program };
  const record = serializeRecord({ ...of, access, roles, scopes, ending, at: epochSeconds() });
  const entry = { kind: 'ProgramRule', id: ruleId(target), record, listed: true, replaces } as const;
  return (await store.save(site.id, entry)) ? record : undefined;
}

/** Ends the connections of a client, or of all clients of a program that have no rule of their own. */
async function endAll(
  options: ProgramsOptions,
  site: Site,
  target: ProgramTarget,
  { access }: ProgramRule,
): Promise<number> {
  const reason = access === 'blocked' ? 'client_blocked' : 'rule_changed';
  let connections = 0;
  for (const clientId of clientsOf(options, await stored(options, site), target)) {
    connections += await endGrants(options, site.id, { clientId }, { reason, actor, clientId });
  }
  return connections;
}

/** What is stored of programs at a school. */
interface Stored {
  readonly connected: readonly ConnectedClientRecord[];
  readonly rules: readonly RuleRecord[];
}

async function stored({ store }: ProgramsOptions, { id }: Site): Promise<Stored> {
  const [connected, rules] = await Promise.all([store.list(id, 'ConnectedClient'), store.list(id, 'ProgramRule')]);
  return { connected, rules: rules.sort((a, b) => b.at - a.at) };
}

/** A client is noted before its first consent is written. */
function clientsOf({ programIdOf }: ProgramsOptions, { connected, rules }: Stored, target: ProgramTarget): string[] {
  if ('clientId' in target) return [target.clientId];
  const ruled = new Set(rules.map(({ client_id: clientId }) => clientId));
  return connected.flatMap(({ client_id: clientId, program = programIdOf(clientId) }) =>
    program === target.program && !ruled.has(clientId) ? [clientId] : [],
  );
}

function targetOf({ client_id: clientId, program = '' }: RuleRecord): ProgramTarget {
  return clientId === undefined ? { program } : { clientId };
}

/** Those with a rule first, the latest before the others; then clients in use that are no known program, then the programs. */
function listedTargets({ programIdOf }: ProgramsOptions, { connected, rules }: Stored): ProgramTarget[] {
  const used = connected.map(({ client_id: clientId, program = programIdOf(clientId) }) =>
    program === undefined ? { clientId } : { program },
  );
  const all = [...rules.map(targetOf), ...used, ...knownPrograms.map(({ id: program }) => ({ program }))];
  return [...new Map(all.map((target) => [ruleId(target), target])).values()];
}

async function describeTarget(
  options: ProgramsOptions,
  site: Site,
  known: Stored,
  target: ProgramTarget,
): Promise<ListedProgram> {
  const { store, schoolRule, platformRule } = options;
  const record = known.rules.find((rule) => ruleId(targetOf(rule)) === ruleId(target));
  const own = record && ruleOf(record);
  const counts = clientsOf(options, known, target).map((clientId) => store.countGrants(site.id, { clientId }));
  const people = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  const shared = { ...(own && { own }), people };
  if ('program' in target) {
    const { program: id } = target;
    const inForce = await ruleInForce(own, platformRule, { site, program: { id, verified: true } });
    return { program: id, clientName: isProgramId(id) ? knownProgram(id).name : id, ...inForce, ...shared };
  }
  const { clientId } = target;
  const { program, client } = await findClient(options, site, clientId);
  const { clientName, audience } = describeClient(clientId, client);
  const school = own ?? (await schoolRule(site.id, { program }));
  const inForce = await ruleInForce(school, platformRule, { site, program, client: { clientId, audience } });
  return { clientId, clientName, program: program?.id, ...inForce, ...shared };
}

/** A document whose host is no longer permitted is not found, and can still have a rule. */
async function findClient({ clients, programIdOf }: ProgramsOptions, { id: siteId }: Site, clientId: string) {
  const client = await clients(siteId, clientId, 'identify');
  const id = programIdOf(clientId);
  const { program = id === undefined ? undefined : { id, verified: true } } = clientUse(client) ?? {};
  return { client, program };
}
