import type { DiagnoseOptions, Finding } from '../contracts/finding.ts';
import type { ToolDescription } from '../contracts/plugin.ts';
import type { Settings } from '../options/options.ts';
import type { CheckedKeys, KeySite } from '../protocol/keys.ts';
import { optionError } from '../protocol/validate.ts';
import type { Services } from '../services.ts';
import { registrationFindings, toolFindings } from './clients.ts';
import { found } from './findings.ts';
import { keyFindings } from './keys.ts';
import type { ProcessKeys } from './process-keys.ts';
import { findSites } from './sites.ts';

interface Diagnosed {
  readonly settings: Settings;
  readonly services: Services;
  readonly tools: readonly ToolDescription[];
  readonly processKeys: Pick<ProcessKeys, 'findings'>;
  /** Requests that came through a proxy which is not trusted. */
  readonly forgottenProxy: () => string | undefined;
}

const order = { error: 0, warning: 1, info: 2 } as const;

/** Looks at everything, and changes nothing. The worst findings come first. */
export async function diagnose(campus: Diagnosed, { origins }: DiagnoseOptions = {}): Promise<readonly Finding[]> {
  const { settings, services } = campus;
  const asked = (origins ?? services.findSite.lastOrigins()).map((origin, i) => originOf(origin, i));
  const [store, differing, { sites, findings }] = await Promise.all([
    storeFindings(services, settings),
    // A store that fails is a finding of its own.
    campus.processKeys.findings().catch(() => []),
    findSites(services.findSite, asked),
  ]);
  const [site] = sites;
  const proxy = campus.forgottenProxy();
  const all = [
    ...store,
    ...differing,
    ...keysOf(campus, sites),
    ...findings,
    ...(proxy === undefined ? [] : [found('proxy-forgotten', proxy)]),
    ...(site ? await registrationFindings(services.registrationPolicies, settings, site) : []),
    ...toolFindings(campus.tools, settings),
  ];
  return all.sort((a, b) => order[a.severity] - order[b.severity]);
}

function originOf(given: string, i: number): string {
  const url = URL.parse(given);
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw optionError(`diagnose.origins[${i}]`, 'be an origin, for example "https://harbour.example"');
  }
  return url.origin;
}

async function storeFindings({ store }: Services, { store: given }: Settings): Promise<readonly Finding[]> {
  try {
    if (given.diagnose) return await given.diagnose();
    await store.ping();
    return [];
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return [found('store-failing', `the store does not respond: ${String(cause)}`)];
  }
}

/** Each set of keys once, however many sites have it. */
function keysOf({ services: { keys } }: Diagnosed, sites: readonly KeySite[]): Finding[] {
  const sets = new Set<CheckedKeys>();
  for (const site of sites) {
    try {
      sets.add(keys.of(site));
    } catch {
      // It is among the failures.
    }
  }
  if (sets.size === 0) sets.add(keys.shared());
  const all = [...sets].flatMap((set) => [...keyFindings(keys, set)]);
  return [...new Map(all.map((finding) => [`${finding.id} ${finding.text}`, finding])).values()];
}
