import { isKnownAppId, knownApps } from '../core/known-apps/known-apps.ts';
import { brief } from '../host/check-returns.ts';
import { didYouMean } from '../host/did-you-mean.ts';
import type { Site } from '../host/school-platform.ts';
import type { Finding } from '../kernel/finding.ts';
import type { Parts } from '../features/parts.ts';
import { found } from './findings.ts';

/** More of one school say nothing new. */
const maxRules = 20;

/** Apps in the rules of schools that neither this release, nor the options, nor a client of the school has. */
export async function appFindings(parts: Parts, sites: readonly Site[]): Promise<Finding[]> {
  // A store that fails is a finding of its own.
  return (await Promise.all(sites.map((site) => ofSchool(parts, site).catch(() => [])))).flat();
}

async function ofSchool({ core, school }: Parts, site: Site): Promise<Finding[]> {
  const { store } = core.records;
  const rules = await store.list(site.id, 'AppRule');
  const ruled = rules.flatMap(({ app }) => (app === undefined || isKnownAppId(app) ? [] : app));
  if (ruled.length === 0) return [];
  const own = await school.apps.schoolAppIds.own(site.id);
  const known = [...own, ...knownApps.map(({ id }) => id)];
  return ruled
    .filter((app) => !own.has(app))
    .slice(0, maxRules)
    .map((app) => found('app-unknown', `a rule of ${site.id} is for the app ${unknown(app, known)}`));
}

function unknown(app: string, known: readonly string[]): string {
  return `${brief(app)}, which no client has${didYouMean(app, known)}`;
}
