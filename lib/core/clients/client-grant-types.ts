import type { JsonMembers } from '../../kernel/json.ts';
import type { StaticClient } from './client.ts';
import type { FeatureClientFields } from '../../features/options.ts';
import { grantsByField, grantsOfServices, type GrantType } from '../offered/grant-type-table.ts';

/** Those that a client has. */
export function grantTypesOf(
  client: FeatureClientFields & Pick<StaticClient, 'audience' | 'redirectUris'>,
): readonly GrantType[] {
  if (client.audience === 'service') return grantsOfServices.map(({ name }) => name);
  const ways: readonly GrantType[] = [
    ...(client.redirectUris.length > 0 ? (['authorization_code'] as const) : []),
    ...grantsByField.flatMap(({ clientField, name }) => (client[clientField] === true ? [name] : [])),
  ];
  return ways.length > 0 ? [...ways, 'refresh_token'] : [];
}

/** The members that gave a stored client its grant types. */
export function storedFields({ grant_types: granted }: JsonMembers): FeatureClientFields {
  const has = grantsByField.filter(({ name }) => Array.isArray(granted) && granted.includes(name));
  return Object.fromEntries(has.map(({ clientField }) => [clientField, true]));
}

/** Without the grant types that are off; a service has all of its kind that are on, also those that came after it. */
export function grantTypesLeft(client: JsonMembers, isOn: (name: GrantType) => boolean): object {
  const { grant_types: granted, campus_audience: audience } = client;
  if (!Array.isArray(granted)) return {};
  if (audience === 'service') return { grant_types: grantsOfServices.map(({ name }) => name).filter(isOn) };
  const off: readonly string[] = grantsByField.flatMap(({ name }) =>
    granted.includes(name) && !isOn(name) ? [name] : [],
  );
  if (off.length === 0) return {};
  const left = granted.filter((name) => !off.includes(name));
  return { grant_types: left.some((name) => name !== 'refresh_token') ? left : [] };
}
