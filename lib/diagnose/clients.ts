import { type ClientAudience, personAudiences, type StaticClient } from '../core/clients/client.ts';
import type { Application } from '../applications/application.ts';
import type { Finding } from '../kernel/finding.ts';
import type { ToolDescription } from '../plugin-contract/plugin.ts';
import type { Site } from '../host/school-platform.ts';
import type { RegistrationPolicy } from '../features/registration/domain/registration-policy.ts';
import type { RegistrationMetadata } from '../core/clients/registered-metadata.ts';
import { clientPrograms } from '../simulated-clients/client-programs.ts';
import type { Settings } from '../options/options.ts';
import { methodsByField } from '../core/offered/client-authentication.ts';
import { grantsByField, grantsOfServices } from '../core/offered/grant-type-table.ts';
import { OAuthError } from '../kernel/errors.ts';
import type { Parts } from '../parts.ts';
import { found } from './findings.ts';

/** Tools with scopes that no client can have, as far as the options tell. */
export function* toolFindings(tools: readonly ToolDescription[], settings: Settings): Generator<Finding> {
  for (const { name, access } of tools) {
    if (access === 'public') continue;
    const actions = Object.entries(access.actions?.scopes ?? {});
    const needs = actions.length > 0 ? actions.map(([value, more]) => ({ value, more })) : [{ value: '', more: [] }];
    for (const { value, more } of needs) {
      const scopes = [...new Set([...access.scopes, ...more])];
      if (canHave(scopes, access.audience ?? personAudiences, settings)) continue;
      const what = value === '' ? name : `${name} (${value})`;
      yield found('tool-unreachable', `no client can have the scopes of the tool ${what}: ${scopes.join(' ')}`);
    }
  }
}

function canHave(scopes: readonly string[], takers: readonly ClientAudience[], settings: Settings): boolean {
  const { clients, registration, metadataDocuments, pages, catalogue, offered } = settings;
  const has = ({ audience, scopes: own }: StaticClient): boolean =>
    takers.includes(audience) && scopes.every((scope) => own.includes(scope));
  if (clients.some(has)) return true;
  // What an operator creates or approves, and what registers, is an operator client with whatever its audience can have.
  const isOpen = pages.applications !== undefined || registration.length > 0 || metadataDocuments !== undefined;
  const made = isOpen && scopes.every((scope) => catalogue.mayHave('operator', scope));
  const services = pages.applications !== undefined && offered.hasServices;
  const served = services && scopes.every((scope) => catalogue.mayHave('service', scope));
  return (made && takers.includes('operator')) || (served && takers.includes('service'));
}

/** Applications that get no tokens, because what they need is off. */
export async function applicationFindings(
  { settings, applications: { applications } }: Parts,
  site: Site,
): Promise<Finding[]> {
  const { hasGrant, hasMethod } = settings.offered;
  const rows = [
    ...grantsOfServices.map(({ name, finding }) => {
      return [hasGrant(name), finding, ({ audience }: Application) => audience === 'service'] as const;
    }),
    ...grantsByField.map(({ name, clientField, finding }) => {
      return [hasGrant(name), finding, (application: Application) => application[clientField] === true] as const;
    }),
    ...methodsByField.map(({ name, clientField, finding }) => {
      return [hasMethod(name), finding, (application: Application) => application[clientField] !== undefined] as const;
    }),
  ] as const;
  const off = rows.filter(([isOn]) => !isOn);
  const all = off.length > 0 ? await applications.list(site) : [];
  return off.flatMap(([, id, needsIt]) => {
    const ids = all.filter(needsIt).map(({ clientId }) => clientId);
    return ids.length === 0 ? [] : [found(id, `applications of ${site.id}: ${ids.join(', ')}`)];
  });
}

/** What known programs post, and what a policy itself gives as an example. */
function probes(policies: readonly RegistrationPolicy[]): RegistrationMetadata[] {
  const programs = clientPrograms.flatMap(({ registration }) => registration ?? []);
  const clients = [...programs, ...policies.flatMap((policy) => policy.clients ?? [])];
  return [
    ...clients.map(({ clientName, redirectUris }) => ({ client_name: clientName, redirect_uris: redirectUris })),
    ...policies.flatMap(({ guide }) => guide?.example ?? []),
  ];
}

/** Policies that have a verdict only where an earlier one decides. */
export async function registrationFindings(
  policies: readonly RegistrationPolicy[],
  { catalogue }: Settings,
  site: Site,
): Promise<Finding[]> {
  const shadowedBy = policies.map(() => new Set<string>());
  const decides = policies.map(() => false);
  const failures = new Map<string, string>();
  for (const metadata of probes(policies)) {
    let first: number | undefined;
    for (const [i, policy] of policies.entries()) {
      // It would be a fault each time.
      if (failures.has(policy.name)) continue;
      const outcome = await verdictOf(policy, { site, metadata, scopes: catalogue.rows });
      if (outcome instanceof Error) failures.set(policy.name, outcome.message);
      if (outcome === 'none' || outcome instanceof Error) continue;
      first ??= i;
      const winner = policies[first];
      if (first === i) decides[i] = true;
      else if (winner && outcome === 'verdict') shadowedBy[i]?.add(winner.name);
    }
  }
  return [
    ...[...failures].map(([name, message]) => found('registration-failing', `${name} throws: ${message}`)),
    ...policies.flatMap(({ name }, i) => {
      const winners = [...(shadowedBy[i] ?? [])];
      if (decides[i] || winners.length === 0) return [];
      return [found('registration-shadowed', `${name} never decides, because ${winners.join(', ')} decides before it`)];
    }),
  ];
}

async function verdictOf(
  policy: RegistrationPolicy,
  request: Parameters<RegistrationPolicy['decide']>[0],
): Promise<'verdict' | 'refusal' | 'none' | Error> {
  try {
    return (await policy.decide(request)) ? 'verdict' : 'none';
  } catch (error) {
    if (error instanceof OAuthError && error.status < 500) return 'refusal';
    return error instanceof Error ? error : new Error(String(error));
  }
}
