import { type ClientAudience, personAudiences, type StaticClient } from '../core/clients/client.ts';
import type { Application } from '../core/applications/application.ts';
import type { Finding } from '../kernel/finding.ts';
import type { ToolDescription } from '../plugin-contract/plugin.ts';
import type { Site } from '../host/school-platform.ts';
import { letsProgramsIn } from '../features/features.ts';
import { methodsByField } from '../core/offered/client-authentication.ts';
import { grantsByField, grantsOfServices } from '../core/offered/grant-type-table.ts';
import type { Parts } from '../parts-interface.ts';
import { found } from './findings.ts';

/** Tools with scopes that no client can have, as far as the options tell. */
export function* toolFindings(tools: readonly ToolDescription[], parts: Parts): Generator<Finding> {
  for (const { name, access } of tools) {
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

function canHave(scopes: readonly string[], takers: readonly ClientAudience[], { settings, features }: Parts): boolean {
  const { clients, pages, catalogue, offered } = settings;
  const has = ({ audience, scopes: own }: StaticClient): boolean =>
    takers.includes(audience) && scopes.every((scope) => own.includes(scope));
  if (clients.some(has)) return true;
  // What an administrator creates or approves, and what registers, is an operator client with whatever its audience can have.
  const isOpen = pages.applications !== undefined || letsProgramsIn(features);
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
  const { hasGrant, hasMethod, hasServices } = settings.offered;
  const rows = [
    ...grantsOfServices.map(({ finding }) => {
      // One of them is enough.
      return [hasServices, finding, ({ audience }: Application) => audience === 'service'] as const;
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
