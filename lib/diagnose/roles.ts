import { inAnotherCase, type SchoolRoles, unknownRoles } from '../core/access/school-roles.ts';
import { targetName } from '../core/access/school-rules.ts';
import { brief } from '../host/check-returns.ts';
import { didYouMean } from '../host/did-you-mean.ts';
import type { Site } from '../host/school-platform.ts';
import type { Finding } from '../kernel/finding.ts';
import type { Parts } from '../features/parts.ts';
import { found } from './findings.ts';
import { reasonOf } from './health.ts';

/** More of one school say nothing new. */
const maxRules = 20;

/** Roles in the options, in the rules of schools and of people that `platform.roles` does not list, or that are written in two ways. */
export async function roleFindings(parts: Parts, sites: readonly Site[]): Promise<Finding[]> {
  const all = await Promise.all(sites.map((site) => ofSchool(parts, site)));
  return [...optionFindings(parts, rolesOfAll(all)), ...all.flatMap(({ findings }) => findings)];
}

/** An option is for all schools, so it is enough if one of them has the role. */
function rolesOfAll(all: readonly OfSchool[]): SchoolRoles {
  const listed = all.flatMap(({ known }) => (known?.isComplete ? known.roles : []));
  if (listed.length > 0) return { roles: listed, isComplete: true };
  return { roles: all.flatMap(({ known }) => known?.roles ?? []), isComplete: false };
}

function optionFindings({ settings, policies }: Parts, known: SchoolRoles): Finding[] {
  const { operatorRoles, adminRoles } = settings;
  const options: readonly (readonly [string, Iterable<string>])[] = [
    ...Object.entries({ operatorRoles, ...(adminRoles !== operatorRoles && { adminRoles }) }),
    ...policies.access.roles.map(({ policy, roles }) => [policy, roles] as const),
  ];
  return options.flatMap(([option, named]) =>
    unknownRoles(known, [...named]).map((role) =>
      found('role-unknown', `${option} has ${brief(role)}, ${lacks(known)}${meant(known, role)}`),
    ),
  );
}

interface OfSchool {
  readonly known?: SchoolRoles;
  readonly findings: readonly Finding[];
}

async function ofSchool({ core, school }: Parts, site: Site): Promise<OfSchool> {
  let known: SchoolRoles;
  try {
    known = await school.apps.schoolRoles(site);
  } catch (error) {
    return { findings: [found('roles-failing', `platform.roles failed for ${site.id}: ${reasonOf(error)}`)] };
  }
  // A store that fails is a finding of its own.
  const rules = await core.records.store.list(site.id, 'AppRule').catch(() => []);
  const findings = rules.flatMap(({ client_id: clientId, app = '', roles = [] }) => {
    const target = targetName(clientId === undefined ? { app } : { clientId });
    return unknownRoles(known, roles).map((role) =>
      found(
        'role-unknown',
        `the rule of ${site.id} for ${brief(target)} has ${brief(role)}, ${lacks(known)}${meant(known, role)}`,
      ),
    );
  });
  const seen = core.host.platform.seenRoles(site);
  return { known, findings: [...spellingFindings(site, known, seen), ...findings.slice(0, maxRules)] };
}

/** Roles of people in another case than the school, or another person, has them. That of an option is found where somebody is refused. */
function spellingFindings(site: Site, known: SchoolRoles, seen: readonly string[]): Finding[] {
  const listed = known.roles.map(({ role }) => role);
  const where = known.isComplete ? 'platform.roles has' : 'others have';
  return seen.flatMap((role) => {
    // Each pair of two people's roles once.
    const others = known.isComplete ? listed : seen.filter((each) => each > role);
    const other = others.includes(role) ? undefined : inAnotherCase(role, others);
    if (other === undefined) return [];
    const text = `findMember returned the role ${brief(role)} at ${site.id}; ${where} ${brief(other)}`;
    return found('role-spelling', text);
  });
}

function lacks({ isComplete }: SchoolRoles): string {
  return isComplete ? 'which platform.roles does not list' : 'which nobody was seen with';
}

function meant({ roles }: SchoolRoles, wrong: string): string {
  return didYouMean(
    wrong,
    roles.map(({ role }) => role),
  );
}
