import type { JsonMembers } from '../../kernel/json.ts';
import type { GrantMembers } from '../enabled/client-member.ts';
import { grantMembersOf, type KnownToClients } from '../enabled/enabled.ts';
import type { ClientAudience } from './client.ts';

/** Those that a client has. */
export function grantTypesOf(
  known: KnownToClients,
  client: GrantMembers & { readonly audience: ClientAudience; readonly redirectUris: readonly string[] },
): readonly string[] {
  if (client.audience === 'service') return known.ofServices.map(({ name }) => name);
  const given = grantMembersOf(known, client);
  const ways = [
    ...(client.redirectUris.length > 0 ? ['authorization_code'] : []),
    ...known.byMember.flatMap(({ clientMember, name }) => (given.includes(clientMember) ? [name] : [])),
  ];
  return ways.length > 0 ? [...ways, 'refresh_token'] : [];
}

/** The members that gave a stored client its grant types. */
export function storedGrantMembers({ byMember }: KnownToClients, { grant_types: granted }: JsonMembers): GrantMembers {
  const has = byMember.filter(({ name }) => Array.isArray(granted) && granted.includes(name));
  return Object.fromEntries(has.map(({ clientMember }) => [clientMember, true]));
}

/** Without the grant types that are off; a service has all of its kind that are on, also those that came after it. */
export function grantTypesLeft(known: KnownToClients, client: JsonMembers, isOn: (name: string) => boolean): object {
  const { grant_types: granted, campus_audience: audience } = client;
  if (!Array.isArray(granted)) return {};
  if (audience === 'service') return { grant_types: known.ofServices.map(({ name }) => name).filter(isOn) };
  const off = known.byMember.flatMap(({ name }) => (granted.includes(name) && !isOn(name) ? [name] : []));
  if (off.length === 0) return {};
  const left = granted.filter((name) => !off.includes(name));
  return { grant_types: left.some((name) => name !== 'refresh_token') ? left : [] };
}
