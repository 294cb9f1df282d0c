import { decideByRules, type DecisionByRules, statusIn } from '../../../core/decisions/decision-by-rules.ts';
import { decidedIn, decisionVersion } from '../../../core/decisions/decision-version.ts';
import type { PersonDecisionFinder } from '../../../core/decisions/person-decisions.ts';
import { clientUse } from '../../../core/decisions/allowance.ts';
import type { ListSource } from '../../../core/clients/paging.ts';
import { describeClient } from '../../../core/clients/client-metadata.ts';
import {
  decisionTarget,
  isStricter,
  noRule,
  type ProgramRuleFinders,
  ruleOf,
  schoolDecisions,
  targetName,
} from '../../../core/decisions/program-rules.ts';
import type { DescribedClient } from '../../../core/clients/listed-client.ts';
import { clientRecords, schoolRecords, type VersionStates } from '../../../core/decisions/school-records.ts';
import type { ProgramRule } from '../../../core/clients/client-status.ts';
import type { ListedProgram, ProgramTarget } from '../../../core/decisions/program-rule.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import type { RecordOf } from '../../../records/record.ts';
import { isProgramId, knownProgram, knownPrograms } from '../../../core/known-programs/known-programs.ts';
import type { ConnectedClientRecord } from '../../../records/codec.ts';
import { type ClientListOptions, describer } from '../../../core/decisions/client-rows.ts';
import type { OnAudit } from '../../../observe/audit-event.ts';

export interface ProgramsOptions extends ClientListOptions {
  readonly onAudit: OnAudit;
  readonly rules: ProgramRuleFinders;
}

type RuleRecord = RecordOf<'ProgramRule'>;

/** What is stored of programs at a school. */
export interface Stored {
  readonly connected: readonly ConnectedClientRecord[];
  readonly rules: readonly RuleRecord[];
  /** What is decided about the versions of clients. Absent where only programs are described. */
  readonly versionOf?: VersionStates;
}

export async function stored(options: ProgramsOptions, site: Site): Promise<Stored> {
  const connected = options.store.list(site.id, 'ConnectedClient');
  const [noted, rules] = await Promise.all([connected, options.store.list(site.id, 'ProgramRule')]);
  return { connected: noted, rules: latestFirst(rules) };
}

export function latestFirst(rules: readonly RuleRecord[]): RuleRecord[] {
  return [...rules].sort((a, b) => b.at - a.at);
}

/** The clients of each target. A client is noted before its first consent is written. */
export function clientsOf(
  options: ProgramsOptions,
  known: Stored,
  targets: readonly ProgramTarget[],
): (readonly string[])[] {
  return targets.map(clientsByTarget(options, known));
}

export function clientsByTarget(
  { rules: { programIdOf } }: ProgramsOptions,
  { connected, rules }: Stored,
): (target: ProgramTarget) => readonly string[] {
  const ruled = new Set(rules.filter((rule) => ruleOf(rule)).map(({ client_id: clientId }) => clientId));
  const others = connected.filter(({ client_id: clientId }) => !ruled.has(clientId));
  const byProgram = Map.groupBy(others, ({ client_id: clientId, program = programIdOf(clientId) }) => program);
  return (target) =>
    'clientId' in target
      ? [target.clientId]
      : (byProgram.get(target.program) ?? []).map(({ client_id: clientId }) => clientId);
}

/** Those with a rule first, the latest before the others; then clients in use that are no known program, then the programs. */
export function listedTargets(
  { rules: { programIdOf } }: ProgramsOptions,
  { connected, rules }: Stored,
): ProgramTarget[] {
  const used = connected.map(({ client_id: clientId, program = programIdOf(clientId) }) =>
    program === undefined ? { clientId } : { program },
  );
  const all = [...rules.map(decisionTarget), ...used, ...knownPrograms.map(({ id: program }) => ({ program }))];
  return [...new Map(all.map((target) => [targetName(target), target])).values()];
}

/** Reads lists only, however many clients the programs have. */
export async function programSource(
  options: ProgramsOptions,
  site: Site,
): Promise<ListSource<ProgramTarget, ListedProgram>> {
  const records = await schoolRecords(options, site);
  const known = {
    connected: [...records.active.values()],
    rules: latestFirst(records.rules),
    versionOf: records.versionOf,
  };
  const describe = await describer(options, site, records);
  const read = (targets: readonly ProgramTarget[]) => describeTargets({ ...options, describe }, site, known, targets);
  return {
    keys: listedTargets(options, known),
    read,
  };
}

/** Reads no list for a client. */
export async function findProgram(options: ProgramsOptions, site: Site, target: ProgramTarget): Promise<ListedProgram> {
  const client = 'clientId' in target ? await options.clients(site.id, target.clientId, 'identify') : undefined;
  const describing = { ...options, describe: async (clientId: string) => describeClient(clientId, client) };
  const known = 'clientId' in target ? await storedOf(describing, site, target.clientId) : await stored(options, site);
  const [found] = await describeTargets(describing, site, known, [target]);
  if (!found) throw new Error('a target was not described');
  return found;
}

/** What is stored for a client, with the rule of its program. */
async function storedOf(options: Describing, site: Site, clientId: string): Promise<Stored> {
  const { program } = await partiesOf(options, { clientId });
  const records = await clientRecords(options, site, clientId, program);
  return { connected: [], rules: records.rules, versionOf: records.versionOf };
}

export interface Describing extends ProgramsOptions {
  readonly describe: (clientId: string) => Promise<DescribedClient>;
  /** How many people each target has. @default all whom a decision on it reaches */
  readonly countPeople?: ((targets: readonly ProgramTarget[]) => Promise<readonly number[]>) | undefined;
}

export async function describeTargets(
  options: Describing,
  site: Site,
  known: Stored,
  targets: readonly ProgramTarget[],
): Promise<ListedProgram[]> {
  const { recordOf, schoolRule } = schoolDecisions(known.rules);
  const { countPeople = (all) => peopleReached(options, site, clientsOf(options, known, all)) } = options;
  const people = await countPeople(targets);
  return Promise.all(
    targets.map(async (target, i) => {
      const record = recordOf(target);
      const own = record && ruleOf(record);
      const { program, client } = await partiesOf(options, target);
      const school = schoolRule({ clientId: client?.clientId, program });
      const version = client && (await known.versionOf?.(client.clientId));
      const decision = await decideByRules(options.rules.sources, { site, program, client, version, school });
      const inForce = { rule: decision.rule, from: decision.from };
      const shared = {
        ...(own && { own }),
        ...(record && { decided: decidedIn(record) }),
        version: decisionVersion({
          own: record,
          ofProgram: client && program ? recordOf({ program: program.id }) : undefined,
        }),
        status: statusIn(decision),
        people: people[i] ?? 0,
      };
      if ('program' in target) {
        const { program: id } = target;
        return { program: id, clientName: isProgramId(id) ? knownProgram(id).name : id, ...inForce, ...shared };
      }
      const { clientId } = target;
      return { clientId, clientName: client?.clientName ?? clientId, program: program?.id, ...inForce, ...shared };
    }),
  );
}

async function peopleReached(
  { store }: ProgramsOptions,
  { id: siteId }: Site,
  ofTargets: readonly (readonly string[])[],
): Promise<number[]> {
  const clients = ofTargets.flat().map((clientId) => ({ clientId }));
  const counts = (await store.countGrants(siteId, clients)).values();
  return ofTargets.map((ids) => ids.reduce((sum) => sum + (counts.next().value ?? 0), 0));
}

async function partiesOf({ describe, rules: { programIdOf } }: Describing, target: ProgramTarget) {
  if ('program' in target) return { program: { id: target.program, verified: true }, client: undefined };
  const client = await describe(target.clientId);
  const id = programIdOf(target.clientId);
  return { program: client.program ?? (id === undefined ? undefined : { id, verified: true }), client };
}

/** What is decided about the known programs at a school, without those of which nothing is taken away. */
export type ProgramDecisions = (site: Site, member?: Member) => Promise<ReadonlyMap<string, DecisionByRules>>;

/** Reads lists only: what `campus.explain` says of each program. */
export function programDecisions({ store, rules: { sources } }: ProgramsOptions): ProgramDecisions {
  return async (site, member) => {
    const [rules, people] = await Promise.all([
      store.list(site.id, 'ProgramRule'),
      member ? store.list(site.id, 'PersonDecision') : [],
    ]);
    const { schoolRule } = schoolDecisions(rules);
    const allowed = new Set(people.flatMap((each) => (each.member_id === member?.id ? [each.program] : [])));
    const personDecided: PersonDecisionFinder = async (_site, { program }) => allowed.has(program?.id);
    // Whether it will act for an operator is up to the client, so no role is missing yet.
    const person = member && { member, access: 'permitted' as const, personDecided };
    const found = knownPrograms.map(async ({ id }) => {
      const program = { id, verified: true };
      const question = { site, program, school: schoolRule({ program }), person };
      const decision = await decideByRules(sources, question);
      return isStricter(decision.rule, noRule) ? [[id, decision] as const] : [];
    });
    return new Map((await Promise.all(found)).flat());
  };
}

/** What applies to a client without a rule of its own, and the program of that client. */
export async function fallbackRule(
  { clients, rules: { programIdOf, schoolRule } }: ProgramsOptions,
  { id: siteId }: Site,
  target: ProgramTarget,
): Promise<{ readonly rule: ProgramRule; readonly program: string | undefined }> {
  if ('program' in target) return { rule: noRule, program: undefined };
  const id = programIdOf(target.clientId);
  // A document whose host is no longer permitted is not found, and can still have a rule.
  const use = clientUse(await clients(siteId, target.clientId, 'identify'));
  const program = use?.program ?? (id === undefined ? undefined : { id, verified: true });
  return { rule: (await schoolRule(siteId, { program })) ?? noRule, program: program?.id };
}
