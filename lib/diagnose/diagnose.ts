import type { DiagnoseOptions, Finding } from '../kernel/finding.ts';
import type { ToolDescription } from '../plugin-contract/plugin.ts';
import type { Settings } from '../options/options.ts';
import {
  type CheckedKeys,
  idTokenAlgorithms,
  type KeyRing,
  type KeySite,
  publicText,
  signedWith,
} from '../core/keys/keys.ts';
import type { Site } from '../host/school-platform.ts';
import { brief } from '../host/check-returns.ts';
import type { UnknownOrigins } from '../http/unknown-origins.ts';
import { optionError } from '../kernel/validate.ts';
import type { CampusParts } from '../campus-parts.ts';
import type { Records } from '../records/records.ts';
import { clientFindings, toolFindings } from './clients.ts';
import { found } from './findings.ts';
import { appFindings } from './apps.ts';
import { roleFindings } from './roles.ts';
import { reasonOf } from './health.ts';
import type { ProcessKeys } from './process-keys.ts';
import { findSites, siteNone, unknownFindings } from './sites.ts';

interface Diagnosed {
  readonly parts: CampusParts;
  readonly tools: readonly ToolDescription[];
  readonly unusedScopes: readonly string[];
  readonly processKeys: ProcessKeys;
  /** Requests that came through a proxy which is not trusted. */
  readonly forgottenProxy: () => string | undefined;
  readonly unknownOrigins: UnknownOrigins;
}

const order = { error: 0, warning: 1, info: 2 } as const;

/** Looks at everything, and changes nothing. The worst findings come first. */
export async function diagnose(campus: Diagnosed, { origins }: DiagnoseOptions = {}): Promise<readonly Finding[]> {
  const { settings, core } = campus.parts;
  const { host, records, access, keys } = core;
  const { findSite } = host;
  const asked = (origins ?? findSite.lastOrigins()).map((origin, i) => originOf(origin, i));
  const unknown = campus.unknownOrigins.list();
  const [store, differing, { sites, findings }] = await Promise.all([
    storeFindings(records, settings),
    // A store that fails is a finding of its own.
    campus.processKeys.findings().catch(() => []),
    findSites(findSite, asked),
  ]);
  const [site] = sites;
  const proxy = campus.forgottenProxy();
  const all = [
    ...store,
    ...differing,
    ...keysOf(keys, sites),
    ...findings,
    ...siteNone(asked, unknown),
    ...unknownFindings(unknown),
    ...(proxy === undefined ? [] : [found('proxy-forgotten', proxy)]),
    ...(site ? await featureFindingsAt(campus.parts, site) : []),
    ...access.rights
      .misspeltRoles()
      .map(({ role, meant, option }) =>
        found('role-spelling', `findMember returned the role ${brief(role)}; ${option} has ${brief(meant)}`),
      ),
    ...(await roleFindings(campus.parts, sites)),
    ...(await appFindings(campus.parts, sites)),
    ...toolFindings(campus.tools, campus.parts),
    ...campus.unusedScopes.map((scope) => found('scope-unused', `no field of memberApi and no tool requires ${scope}`)),
    // A store that fails is a finding of its own.
    ...(await Promise.all(sites.map((each) => clientFindings(campus.parts, each).catch(() => [])))).flat(),
  ];
  return all.sort((a, b) => order[a.severity] - order[b.severity]);
}

async function featureFindingsAt(parts: CampusParts, site: Site): Promise<readonly Finding[]> {
  const all = await Promise.all(parts.features.map(async ({ feature }) => feature.diagnose?.(parts, site) ?? []));
  return all.flat();
}

function originOf(given: string, i: number): string {
  const url = URL.parse(given);
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw optionError(`diagnose.origins[${i}]`, 'be an origin, for example "https://harbour.example"');
  }
  return url.origin;
}

async function storeFindings({ store }: Records, { store: given }: Settings): Promise<readonly Finding[]> {
  try {
    if (given.diagnose) return await given.diagnose();
    await store.ping();
    return [];
  } catch (error) {
    return [found('store-failing', `the store does not respond: ${reasonOf(error)}`)];
  }
}

/** Each set of keys once, however many schools have it. */
function keysOf(keys: KeyRing, sites: readonly KeySite[]): Finding[] {
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

/** The keys of a school, and the secrets of all. */
function* keyFindings(ring: KeyRing, keys: CheckedKeys): Generator<Finding> {
  for (const failure of ring.failures()) yield found('keys-failing', failure);
  const { signing, published, cookies } = keys;
  const all = [...signing, ...published];
  const kids = all.map(({ kid }) => kid).join(', ');
  if (signing.length === 0) yield found('keys-none-signing', `no key signs; published: ${kids}`);
  for (const alg of signedWith(keys)) {
    const [only, ...others] = all.filter((key) => key.alg === alg);
    const what = alg === idTokenAlgorithms[0] ? 'the only key' : `the only ${alg} key`;
    if (only && others.length === 0) yield found('keys-no-next', `${what} is ${only.kid}`);
  }
  const pairs = new Map<string, string>();
  for (const key of all) {
    const { kid } = key;
    const other = pairs.get(publicText(key));
    if (other !== undefined) yield found('keys-repeated', `${other} and ${kid} are the same key`);
    pairs.set(publicText(key), kid);
  }
  yield* cookieFindings(cookies);
}

/** Counted from 1, as people do; a secret is not shown. */
function* cookieFindings(cookies: readonly string[]): Generator<Finding> {
  for (const [i, secret] of cookies.entries()) {
    const name = `cookie secret ${i + 1} of ${cookies.length}`;
    const kinds = new Set(secret).size;
    if (secret.length < 32 || kinds < 10) {
      yield found('cookies-weak', `${name} has ${secret.length} characters, ${kinds} of them different`);
    }
    if (cookies.indexOf(secret) < i) yield found('cookies-repeated', `${name} is duplicated`);
  }
  if (cookies.length > 3) yield found('cookies-many', `${cookies.length} secrets can sign cookies`);
}
