import { clientUse } from '../clients/allowance.ts';
import type { ClientFinder } from '../clients/finder.ts';
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
import type { ListedProgram, ProgramRule, ProgramTarget } from '../contracts/program.ts';
import type { Site } from '../contracts/platform.ts';
import type { RecordOf } from '../contracts/record.ts';
import { isProgramId, knownProgram, knownPrograms } from '../protocol/known-programs.ts';
import type { ConnectedClientRecord } from '../records/codec.ts';
import type { Core } from '../records/core.ts';

export interface ProgramsOptions extends Pick<Core, 'store' | 'catalogue' | 'onAudit'> {
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
  /** The id of the program of a client whose id alone tells it. */
  readonly programIdOf: (clientId: string) => string | undefined;
  readonly schoolRule: SchoolRuleFinder;
  readonly platformRule: PlatformRuleFinder | undefined;
}

export type RuleRecord = RecordOf<'ProgramRule'>;

/** What is stored of programs at a school. */
interface Stored {
  readonly connected: readonly ConnectedClientRecord[];
  readonly rules: readonly RuleRecord[];
}

export async function stored({ store }: ProgramsOptions, { id }: Site): Promise<Stored> {
  const [connected, rules] = await Promise.all([store.list(id, 'ConnectedClient'), store.list(id, 'ProgramRule')]);
  return { connected, rules: rules.sort((a, b) => b.at - a.at) };
}

/** A client is noted before its first consent is written. */
export function clientsOf(
  { programIdOf }: ProgramsOptions,
  { connected, rules }: Stored,
  target: ProgramTarget,
): string[] {
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
export function listedTargets({ programIdOf }: ProgramsOptions, { connected, rules }: Stored): ProgramTarget[] {
  const used = connected.map(({ client_id: clientId, program = programIdOf(clientId) }) =>
    program === undefined ? { clientId } : { program },
  );
  const all = [...rules.map(targetOf), ...used, ...knownPrograms.map(({ id: program }) => ({ program }))];
  return [...new Map(all.map((target) => [ruleId(target), target])).values()];
}

export async function describeTarget(
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

/** The rules that are in force for known programs at a school, without those that take nothing away. */
export type ProgramRules = (site: Site) => Promise<ReadonlyMap<string, ProgramRule>>;

export function programRules({ store, platformRule }: Pick<ProgramsOptions, 'store' | 'platformRule'>): ProgramRules {
  return async (site) => {
    const own = new Map((await store.list(site.id, 'ProgramRule')).map((rule) => [rule.program, ruleOf(rule)]));
    const found = knownPrograms.map(async ({ id }) => {
      const { rule } = await ruleInForce(own.get(id), platformRule, { site, program: { id, verified: true } });
      return isStricter(rule, noRule) ? [[id, rule] as const] : [];
    });
    return new Map((await Promise.all(found)).flat());
  };
}

/** A document whose host is no longer permitted is not found, and can still have a rule. */
async function findClient({ clients, programIdOf }: ProgramsOptions, { id: siteId }: Site, clientId: string) {
  const client = await clients(siteId, clientId, 'identify');
  const id = programIdOf(clientId);
  const { program = id === undefined ? undefined : { id, verified: true } } = clientUse(client) ?? {};
  return { client, program };
}

/** What applies to a client without a rule of its own. */
export async function fallbackRule(options: ProgramsOptions, site: Site, target: ProgramTarget): Promise<ProgramRule> {
  if ('program' in target) return noRule;
  const { program } = await findClient(options, site, target.clientId);
  return (await options.schoolRule(site.id, { program })) ?? noRule;
}
