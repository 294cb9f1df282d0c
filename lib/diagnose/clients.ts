import { type ClientAudience, personAudiences, type StaticClient } from '../core/clients/client.ts';
import type { Application } from '../core/applications/application.ts';
import type { Finding } from '../kernel/finding.ts';
import type { ToolDescription } from '../plugin-contract/plugin.ts';
import type { Site } from '../host/school-platform.ts';
import { letsAppsIn } from '../features/features.ts';
import { propertiesGiven } from '../core/enabled/client-property.ts';
import { ruleTarget, targetName } from '../core/access/school-rules.ts';
import { signedWith } from '../core/keys/keys.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import type { Parts } from '../features/parts.ts';
import type { CampusParts } from '../campus-parts.ts';
import { found, foundOff } from './findings.ts';

/** Tools with scopes that no client can have, as far as the options tell, and tools that apps drop. */
export function* toolFindings(tools: readonly ToolDescription[], parts: CampusParts): Generator<Finding> {
  for (const { name, access, portability } of tools) {
    for (const problem of portability) yield found('tool-schema', `the inputSchema of the tool ${name} has ${problem}`);
    if (access === 'public') continue;
    const actions = Object.entries(access.actions?.scopes ?? {});
    const needs = actions.length > 0 ? actions.map(([value, more]) => ({ value, more })) : [{ value: '', more: [] }];
    for (const { value, more } of needs) {
      const scopes = [...new Set([...access.scopes, ...more])];
      if (canHave(scopes, access.audience ?? personAudiences, parts)) continue;
      const what = value === '' ? name : `${name} (${value})`;
      yield found('tool-unreachable', `no client can have the scopes of the tool ${what}: ${scopes.join(' ')}`);
    }
  }
}

function canHave(
  scopes: readonly string[],
  takers: readonly ClientAudience[],
  { settings, features }: CampusParts,
): boolean {
  const { clients, pages, catalogue, enabled } = settings;
  const has = ({ audience, scopes: own }: StaticClient): boolean =>
    takers.includes(audience) && scopes.every((scope) => own.includes(scope));
  if (clients.some(has)) return true;
  // What an administrator creates or approves, and what registers, is an operator client with whatever its audience can have.
  const isOpen = pages.developers !== undefined || letsAppsIn(features);
  const made = isOpen && scopes.every((scope) => catalogue.mayHave('operator', scope));
  const services = pages.developers !== undefined && enabled.hasServices;
  const served = services && scopes.every((scope) => catalogue.mayHave('service', scope));
  return (made && takers.includes('operator')) || (served && takers.includes('service'));
}

/** What clients of a school have, and do not get. */
export async function clientFindings(parts: Parts, site: Site): Promise<readonly Finding[]> {
  const { applications } = parts.school.applications;
  const own = await applications.list(site);
  return [
    ...applicationFindings(parts, site, own),
    ...algorithmFindings(parts, site, own),
    ...(await ruleFindings(parts, site)),
  ];
}

/** Applications that get no tokens, or less than they say, because what they need is off. */
function applicationFindings({ settings }: Parts, site: Site, own: readonly Application[]): Finding[] {
  const { known, hasGrant, hasServices, takesKeys } = settings.enabled;
  const rows = [
    // One of these grants is enough: where all are off, there is one finding.
    ...known.ofServices.slice(0, 1).map(({ whenOff }) => {
      return [hasServices, whenOff, ({ audience }: Application) => audience === 'service'] as const;
    }),
    ...known.byMember.map(({ name, clientMember, whenOff }) => {
      return [hasGrant(name), whenOff, (application: Application) => application[clientMember] === true] as const;
    }),
    ...known.authentication.map(({ isSigned, whenOff }) => {
      const isOn = takesKeys || isSigned !== true;
      return [isOn, whenOff, ({ publicKeys }: Application) => publicKeys !== undefined] as const;
    }),
    ...propertyRows(settings.enabled),
  ];
  return rows.flatMap(([isOn, whenOff, needsIt]) => {
    const ids = isOn ? [] : own.filter(needsIt).map(({ clientId }) => clientId);
    return ids.length === 0 || !whenOff ? [] : [foundOff(whenOff, `applications of ${site.id}: ${ids.join(', ')}`)];
  });
}

/** Properties that belong to options of features, each option once. */
function propertyRows({ known: { properties }, hasOption }: Enabled) {
  const options = new Map(properties.map(({ option, whenOff }) => [option, whenOff]));
  return [...options].map(([name, whenOff]) => {
    const needsIt = (application: Application): boolean =>
      propertiesGiven(properties, application).some(({ option }) => option === name);
    return [hasOption(name), whenOff, needsIt] as const;
  });
}

/** Clients that expect RS256 where only ES256 keys sign. */
function algorithmFindings({ settings, core }: Parts, site: Site, own: readonly Application[]): Finding[] {
  let signing: readonly string[];
  try {
    signing = signedWith(core.keys.of(site));
  } catch {
    // It is among the failures.
    return [];
  }
  // That nothing is signed is a finding of its own.
  if (signing.length === 0 || signing.includes('RS256')) return [];
  const inCode = settings.clients.filter(({ sites }) => sites?.includes(site.id) !== false);
  const ids = [...inCode, ...own].flatMap(({ clientId, signIn }) =>
    signIn?.idTokenAlgorithm === 'RS256' ? [clientId] : [],
  );
  return ids.length === 0 ? [] : [found('keys-no-rs256', `at ${site.id} these get ES256 for RS256: ${ids.join(', ')}`)];
}

/** Rules that give pseudonyms, where there are none. */
async function ruleFindings({ settings, core }: Parts, { id }: Site): Promise<Finding[]> {
  const { known, hasOption } = settings.enabled;
  const whenOff = known.properties.find(({ option }) => option === 'pseudonyms')?.whenOff;
  if (!whenOff || hasOption('pseudonyms')) return [];
  const rules = await core.records.store.list(id, 'AppRule');
  const names = rules.flatMap((rule) => (rule.pseudonym === true ? [targetName(ruleTarget(rule))] : []));
  return names.length === 0 ? [] : [foundOff(whenOff, `rules of ${id}: ${names.join(', ')}`)];
}
