import { eachSchool } from '../../../core/apps/each-school.ts';
import type {
  Incident,
  IncidentOptions,
  IncidentOutcome,
  IncidentReport,
  Incidents,
  IncidentSchool,
  Schools,
} from '../../../core/apps/incidents.ts';
import { targetOf } from '../../../core/apps/named-app.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { ruleId, ruleOf, ruleTarget } from '../../../core/access/school-rules.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import { brief } from '../../../host/check-returns.ts';
import { schoolAt } from '../../../host/school-at.ts';
import type { SiteFinder } from '../../../host/site-finder.ts';
import type { Site } from '../../../host/school-platform.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { InvalidRequest } from '../../../kernel/errors.ts';
import { parseRecord, serializeRecord } from '../../../records/codec.ts';
import type { RecordOf } from '../../../records/record.ts';
import { type AppsOptions, fallbackRule, stored } from './listed-apps.ts';
import { allClients, checkTarget, type DecidingOptions, tell } from './rule-change.ts';
import { administrator, changeRule, markEnded, type NewRule, readRule, type StoredRule } from './stored-rule.ts';

const blocked = { access: 'blocked' } as const;

/** Failures, and apps, that are named. */
const maxNamed = 100;

/** How long the rule of a school is kept. */
const keptSeconds = 90 * 24 * 60 * 60;

type Done = Omit<IncidentSchool, 'school'>;

export function createIncidents(options: DecidingOptions, findSite: SiteFinder): Incidents {
  return {
    async block(schools, incident) {
      let unknown: unknown;
      const reported = await report(findSite, schools, incident, async (site) => {
        const done = await blockAt(options, site, incident);
        if (done.outcome === 'unknown') unknown = done.error;
        return done;
      });
      // A name that no school knows must not look like a block.
      if (unknown !== undefined && reported.outcomes.unknown === reported.schools) throw unknown;
      return reported;
    },
    restore: (schools, incident) => report(findSite, schools, incident, (site) => restoreAt(options, site, incident)),
  };
}

async function report(
  findSite: SiteFinder,
  schools: Schools,
  { onSchool }: IncidentOptions,
  act: (site: Site) => Promise<Done>,
): Promise<IncidentReport> {
  const outcomes: Partial<Record<IncidentOutcome, number>> = {};
  const failures: IncidentSchool[] = [];
  const apps = new Set<string>();
  let ended = 0;
  await eachSchool(schools, async (given) => {
    const school = typeof given === 'string' ? given : given.origin;
    const done = await schoolAt(findSite, given, 'schools')
      .then(act)
      .catch((error: unknown): Done => ({ outcome: 'failed', ended: 0, error }));
    outcomes[done.outcome] = (outcomes[done.outcome] ?? 0) + 1;
    ended += done.ended;
    for (const app of done.apps ?? []) if (apps.size < maxNamed) apps.add(app);
    const of = { school, ...done };
    if (done.outcome === 'failed' && failures.length < maxNamed) failures.push(of);
    onSchool?.(of);
  });
  const all = Object.values(outcomes).reduce((sum, each) => sum + each, 0);
  return { schools: all, outcomes, ended, failures, ...(apps.size > 0 && { apps: [...apps].sort() }) };
}

async function blockAt(options: DecidingOptions, site: Site, incident: Incident): Promise<Done> {
  const target = targetOf(incident.app);
  const error = await unknownTarget(options, site, target);
  if (error) return { outcome: 'unknown', ended: 0, error };
  await checkTarget(options, site, target);
  if (incident.dryRun) return wouldBlock(options, site, target, incident);
  let [outcome, ended]: [IncidentOutcome, number] = ['already', 0];
  for (const each of [target, ...(await ruledClients(options, site, target))]) {
    const { record } = await readRule(options.store, site.id, each);
    if (isBlocked(record, incident) && !record?.ending) continue;
    outcome = 'blocked';
    ended += await blockTarget(options, site, each, incident);
  }
  return { outcome, ended };
}

/** A client whose id is a URL can come later. Any other id belongs to one school, or to code, and most schools need no rule for it. */
async function unknownTarget(
  { rules, clients, store }: AppsOptions,
  { id: siteId }: Site,
  target: AppTarget,
): Promise<InvalidRequest | undefined> {
  if ('app' in target) return rules.apps.unknown(siteId, target.app);
  const { clientId } = target;
  if (isMetadataDocumentId(clientId) || (await clients(siteId, clientId, 'identify'))) return undefined;
  const [people = 0] = await store.countGrants(siteId, [target]);
  return people > 0 ? undefined : new InvalidRequest(`no client has the client_id ${brief(clientId)} here`);
}

async function wouldBlock(options: AppsOptions, site: Site, target: AppTarget, incident: Incident): Promise<Done> {
  const { record } = await readRule(options.store, site.id, target);
  const clients = (await allClients(options, site, target)).map((clientId) => ({ clientId }));
  const counts = await options.store.countGrants(site.id, clients);
  const ended = counts.reduce((sum, each) => sum + each, 0);
  return { outcome: isBlocked(record, incident) ? 'already' : 'blocked', ended };
}

/** The clients of an app that have a rule in place of its rule. */
async function ruledClients(options: AppsOptions, site: Site, target: AppTarget): Promise<AppTarget[]> {
  if ('clientId' in target) return [];
  const { connected, rules } = await stored(options, site);
  const appOf = new Map(connected.map(({ client_id: clientId, app }) => [clientId, app]));
  const found: AppTarget[] = [];
  for (const rule of rules) {
    const { client_id: clientId } = rule;
    if (clientId === undefined || !ruleOf(rule)) continue;
    const app = appOf.get(clientId) ?? (await fallbackRule(options, site, { clientId })).app;
    if (app === target.app) found.push({ clientId });
  }
  return found;
}

export function isBlocked(record: RecordOf<'AppRule'> | undefined, { id }: IncidentOptions): boolean {
  return record?.incidents?.includes(id) === true;
}

async function blockTarget(
  options: DecidingOptions,
  site: Site,
  target: AppTarget,
  incident: Incident,
): Promise<number> {
  const { id, by, note } = incident;
  const { app } = await fallbackRule(options, site, target);
  const changed = await changeRule(options.store, site.id, { target, app }, (before) => ({
    rule: blocked,
    ending: true,
    note: { by, note },
    held: heldWith(before, id),
  }));
  tell(options, site, target, { reason: 'incident', incident: id, by, app, rule: blocked });
  const details = { reason: 'client_blocked', actor: administrator(by), app } as const;
  const { ended } = await options.reach.end(site, { target, refusesAll: true, details });
  await markEnded(options.store, site.id, target, changed);
  return ended;
}

/** The rule of the school itself stays below the blocks of all incidents. */
export function heldWith({ record, text }: StoredRule, id: string): NewRule['held'] {
  if (!record?.incidents) return { incidents: [id], before: text ?? undefined };
  return { incidents: [...new Set([...record.incidents, id])], before: record.before };
}

async function restoreAt(options: AppsOptions, site: Site, incident: IncidentOptions): Promise<Done> {
  const rules = await options.store.list(site.id, 'AppRule');
  let outcome: IncidentOutcome = 'kept';
  const apps: string[] = [];
  for (const rule of rules.filter((each) => isBlocked(each, incident))) {
    const target = ruleTarget(rule);
    const done = await restoreTarget(options, site, target, incident);
    if (done === 'restored') apps.push('app' in target ? target.app : target.clientId);
    if (done !== 'kept') outcome = done;
  }
  return { outcome, ended: 0, apps };
}

/** Another change may come first. Then this reads the rule again, and one that the school has set stays. */
export async function restoreTarget(
  options: AppsOptions,
  site: Pick<Site, 'id'>,
  target: AppTarget,
  incident: IncidentOptions,
): Promise<IncidentOutcome> {
  const { record, text } = await readRule(options.store, site.id, target);
  if (!record || text === null || !isBlocked(record, incident)) return 'kept';
  const { incidents = [], before, at } = record;
  if (at + keptSeconds < epochSeconds()) return 'expired';
  if (incident.dryRun) return 'restored';
  const others = incidents.filter((each) => each !== incident.id);
  const next = others.length > 0 ? serializeRecord('AppRule', { ...record, incidents: others }) : before;
  if (!(await replaceRule(options, site, target, text, next))) return restoreTarget(options, site, target, incident);
  const { app } = await fallbackRule(options, site, target);
  const rule = next === undefined ? undefined : ruleOf(parseRecord('AppRule', next));
  tell(options, site, target, { reason: 'incident_over', incident: incident.id, by: incident.by, app, rule });
  return 'restored';
}

/** Returns whether the rule was still the text that was read. */
async function replaceRule(
  { store }: AppsOptions,
  { id: siteId }: Pick<Site, 'id'>,
  target: AppTarget,
  replaces: string,
  record: string | undefined,
): Promise<boolean> {
  const id = ruleId(target);
  if (record === undefined) return store.remove(siteId, 'AppRule', id, replaces);
  return store.save(siteId, { kind: 'AppRule', id, record, listed: true, replaces });
}
