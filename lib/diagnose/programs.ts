import { isProgramId, knownPrograms } from '../core/known-programs/known-programs.ts';
import { brief } from '../host/check-returns.ts';
import { didYouMean } from '../host/did-you-mean.ts';
import type { Site } from '../host/school-platform.ts';
import type { Finding } from '../kernel/finding.ts';
import type { Parts } from '../features/parts.ts';
import { found } from './findings.ts';

/** More of one school say nothing new. */
const maxRules = 20;

/** Programs in the rules of schools that neither this release, nor the options, nor a client of the school has. */
export async function programFindings(parts: Parts, sites: readonly Site[]): Promise<Finding[]> {
  // A store that fails is a finding of its own.
  return (await Promise.all(sites.map((site) => ofSchool(parts, site).catch(() => [])))).flat();
}

async function ofSchool({ core, school }: Parts, site: Site): Promise<Finding[]> {
  const { store } = core.records;
  const rules = await store.list(site.id, 'ProgramRule');
  const ruled = rules.flatMap(({ program }) => (program === undefined || isProgramId(program) ? [] : program));
  if (ruled.length === 0) return [];
  const own = await school.programs.schoolPrograms.own(site.id);
  const known = [...own, ...knownPrograms.map(({ id }) => id)];
  return ruled
    .filter((program) => !own.has(program))
    .slice(0, maxRules)
    .map((program) => found('program-unknown', `a rule of ${site.id} is for the program ${unknown(program, known)}`));
}

function unknown(program: string, known: readonly string[]): string {
  return `${brief(program)}, which no client has${didYouMean(program, known)}`;
}
