import { noKeyProofs } from './core/bearer/key-proof.ts';
import { createBearer } from './core/bearer/verify.ts';
import { createClients } from './core/clients/client-manager.ts';
import { createAccess, createRules } from './core/access/access.ts';
import { createGrants } from './core/grants/grants.ts';
import { createKeyRing } from './core/keys/key-ring.ts';
import { createNews } from './core/news/news.ts';
import { createLimits } from './core/limits/limit-manager.ts';
import { createOutbound } from './core/outbound/outbound.ts';
import { createEngine } from './engine/engine.ts';
import { features, featuresOn, fromFeatures } from './features/features.ts';
import { createApplications } from './features/applications/domain/applications.ts';
import { createConnections } from './features/your-apps/domain/connections.ts';
import { createApps } from './features/apps/domain/apps.ts';
import { createReviews } from './features/apps/domain/reviews.ts';
import { createPeople } from './features/people/people.ts';
import { createRuleChecks } from './features/apps/domain/rule-check.ts';
import { noLimitChoices } from './core/boundaries/limit-choices.ts';
import { noSource } from './core/clients/client-source.ts';
import { noSubjects } from './core/clients/subjects.ts';
import { noSignOuts } from './core/connections/sign-outs.ts';
import { type Log, noLog } from './core/log/log.ts';
import { noVersions } from './core/access/client-versions.ts';
import { createHost } from './host/host.ts';
import type { Parts } from './features/parts.ts';
import type { Member, PersonOf, SchoolOf, Site } from './host/school-platform.ts';
import { createHooks } from './hooks/hook-caller.ts';
import { createInteractions } from './interaction/interactions.ts';
import { createAudit, createFaults } from './observe/audit.ts';
import { type CampusOptions, resolveOptions, type Settings } from './options/options.ts';
import { createPolicies } from './options/policies.ts';
import { createPages } from './pages/kit/pages.ts';
import type { CampusParts } from './campus-parts.ts';
import { type Campus, campusMethods } from './public/campus.ts';
import { createRecords } from './records/records.ts';

/**
 * Creates a campus from the functions of your platform.
 *
 * @throws TypeError that names a wrong option by its path, for example `keys.signing[0].alg must be "ES256"`
 */
export function createCampus<
  School extends Site = Site,
  Person extends Member = Member,
  Own extends string = never,
  Asked extends string = string,
>(options: CampusOptions<School, Person, Own, Asked>): Campus<SchoolOf<School>, PersonOf<Person>>;
// Inside, a school is a `Site` and a person a `Member`: whatever has a type of its own gets what `platform` has returned.
export function createCampus(options: CampusOptions): Campus {
  return campusOf(settingsOf(options));
}

/** The options as read once, with all features. @internal */
export function settingsOf(options: CampusOptions): Settings {
  return resolveOptions(options, features);
}

/** Creates a campus from options that have been checked, with the log of another campus if one is given. @internal */
export function campusOf(settings: Settings, log?: Log): Campus {
  return campusMethods(createParts(settings, log));
}

/** Makes the parts of a campus. A part uses those above it. */
function createParts(settings: Settings, given?: Log): CampusParts {
  const faults = createFaults();
  const policies = createPolicies(settings, features, faults);
  const log = given ?? fromFeatures(noLog, (each) => each.log?.(settings, faults));
  const audit = createAudit(settings, { faults, policies, keepEvent: log.add });
  const host = createHost(settings, audit);
  const records = createRecords(settings.store, audit);
  const limits = createLimits(settings, { features, records, audit });
  const keys = createKeyRing(settings, audit.onFault);
  const pages = createPages(settings.pages, settings, {
    fields: features.flatMap(({ fields = [] }) => fields),
    onFault: audit.onFault,
  });
  const outbound = createOutbound(settings, audit);

  // What features make of the core: first what stands without them.
  const subjects = fromFeatures(noSubjects, (each) => each.subjects?.(settings));
  const rules = createRules(settings, { policies, records, subjects });
  const choices = fromFeatures(noLimitChoices, (each) => each.limitChoices?.(policies));
  const ofVersions = { policies, records, outbound };
  const versions = fromFeatures(noVersions, (each) => each.clientVersions?.(ofVersions));
  const checks = createRuleChecks(settings, { host, records, choices });
  const reviews = createReviews(settings, { versions, records, rules, limits, checks, audit });
  const ofSource = { policies, records, outbound, rules, reviews, limits, audit };
  const source = fromFeatures(noSource, (each) => each.clientSource?.(settings, ofSource));
  const clients = createClients(settings, { records, source, outbound, limits });
  const access = createAccess(settings, {
    host,
    records,
    subjects,
    rules,
    source,
    reviews,
    clients,
  });
  const news = createNews({ records, clients, audit });
  const core = {
    host,
    records,
    audit,
    limits,
    keys,
    outbound,
    subjects,
    choices,
    rules,
    source,
    clients,
    access,
    news,
  };

  // What follows is made from the core.
  const signOuts = fromFeatures(noSignOuts, (each) => each.signOuts?.(settings, core));
  const proofs = fromFeatures(noKeyProofs, (each) => each.keyProofs?.(settings, core));
  const bearer = createBearer(settings, core, proofs);
  const applications = createApplications(settings, core);
  const apps = createApps(settings, core, checks, reviews);
  const connections = createConnections(settings, core, apps, applications.requests);
  const hooks = createHooks(settings.hooks, core, applications.requests);
  const people = createPeople({ store: records.store, platform: host.platform, rules, ...connections });
  const school = { applications, apps, connections, people, reviews };
  const grants = createGrants(settings, core, connections);
  const parts: Parts = { settings, policies, log, core, pages, signOuts, school, grants, bearer };
  const on = featuresOn(parts);
  const added = on.map(({ engine }) => engine);
  const engineOf = createEngine(settings, core, createInteractions(settings, core, pages, grants), added);

  const close = async (): Promise<void> => {
    await signOuts.close();
    outbound.close();
    await Promise.all([source.close(), hooks.close()]);
    // What they have caused is written too.
    await log.close();
  };
  return { ...parts, features: on, engineOf, close, createParts };
}
