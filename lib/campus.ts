import { createBearer } from './core/bearer/verify.ts';
import { createClients } from './core/clients/client-manager.ts';
import { createDecisions, createRules } from './core/decisions/decisions.ts';
import { createGrants } from './core/grants/grants.ts';
import { createKeyRing } from './core/keys/key-ring.ts';
import { createLimits } from './core/limits/limit-manager.ts';
import { createOutbound } from './core/outbound/outbound.ts';
import { createEngine } from './engine/engine.ts';
import { featuresOn } from './features/features.ts';
import {
  createApplications,
  createChoices,
  createConnections,
  createPrograms,
  createReviews,
  createRuleChecks,
  createSignOuts,
  createSource,
  createSubjects,
  createVersions,
} from './features/managers.ts';
import { createHost } from './host/host.ts';
import type { Member, PersonOf, SchoolOf, Site } from './host/school-platform.ts';
import { createHooks } from './hooks/hook-caller.ts';
import { createInteractions } from './interaction/interactions.ts';
import { createAudit, createFaults } from './observe/audit.ts';
import { type CampusOptions, resolveOptions, type Settings } from './options/options.ts';
import { createPolicies } from './options/policies.ts';
import { createPages } from './pages/kit/pages.ts';
import { type Campus, campusMethods } from './public/campus.ts';
import { createRecords } from './records/records.ts';

/**
 * Creates a campus from what only the platform knows.
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
  return campusOf(resolveOptions(options));
}

/** Creates a campus from options that have been checked. A part uses those above it. @internal */
export function campusOf(settings: Settings): Campus {
  const faults = createFaults();
  const policies = createPolicies(settings, faults);
  const audit = createAudit(settings, { faults, policies });
  const host = createHost(settings, audit);
  const records = createRecords(settings.store, audit);
  const limits = createLimits(settings, { records, audit });
  const keys = createKeyRing(settings, audit.onFault);
  const pages = createPages(settings.pages, settings.catalogue, audit.onFault);
  const outbound = createOutbound(settings, audit);

  const subjects = createSubjects(settings);
  const rules = createRules(settings, { policies, records, subjects });
  const choices = createChoices({ policies, records });
  const versions = createVersions({ policies, records, outbound });
  const checks = createRuleChecks(settings, { host, records, choices });
  const reviews = createReviews(settings, { versions, records, rules, limits, checks, audit });
  const source = createSource(settings, { policies, records, outbound, rules, reviews, limits, audit });
  const clients = createClients(settings, { records, source, outbound, limits });
  const decisions = createDecisions(settings, { policies, host, records, rules, source, reviews, clients });
  const signOuts = createSignOuts(settings, { host, records, clients, keys, outbound, audit });

  // What follows is made from the core and what it names beside it; its own type says what it needs of the core.
  const core = { settings, policies, audit, host, records, limits, keys, pages, clients, decisions, signOuts };
  const bearer = createBearer(core);
  const applications = createApplications(core, { rules });
  const programs = createPrograms(core, { rules, checks });
  const connections = createConnections(core, { choices, rules, programs });
  const hooks = createHooks(core, { applications });
  const grants = createGrants(core, { reviews, connections, choices, subjects });
  const features = featuresOn(core);
  const engineOf = createEngine(core, { interactions: createInteractions(core, { grants }), features });

  const close = async (): Promise<void> => {
    await signOuts.close();
    outbound.close();
    await Promise.all([source.close(), hooks.close()]);
  };
  const school = { applications, programs, connections, reviews };
  return campusMethods({ core, school, grants, subjects, bearer, features, engineOf, close });
}
