import { undeclaredIn } from '../../../core/boundaries/boundary.ts';
import type { LimitChoices } from '../../../core/boundaries/limit-choices.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import { sameSince } from '../../../core/clients/client-metadata.ts';
import { clientUse } from '../../../core/access/used-client.ts';
import type { Access } from '../../../core/access/access.ts';
import type { Scope } from '../../../core/scopes/scopes.ts';
import type { HostPlatform } from '../../../host/checked-platform.ts';
import type { Site } from '../../../host/school-platform.ts';

export interface GivableScopesOptions {
  readonly platform: HostPlatform;
  readonly access: Access;
  readonly choices: LimitChoices;
}

/**
 * What a person can still give to an app that they have connected: scopes that it asked for and was refused, and that rules, approvals and
 * policies leave it now. None if no refresh would bring them, or if it is limited by a
 * type that is no longer declared, so that no token of it counts.
 */
export async function givableScopes(
  { platform, access, choices }: GivableScopesOptions,
  site: Site,
  memberId: string,
  { clientId, scopes, only, refused, devices = [], allowedAt, pseudonym }: Connection,
): Promise<readonly Scope[]> {
  if (refused.length === 0 || devices.length === 0 || undeclaredIn(choices.declared, only) !== undefined) return [];
  const [member, client] = await Promise.all([
    platform.findMember(site, memberId),
    access.storedClient(site, clientId),
  ]);
  if (!member || !client || client.isRejected) return [];
  const { metadata } = client;
  const requested = [...scopes, ...refused];
  const parties = { site, client: clientUse(metadata), member };
  const permission = await access.permit({ ...parties, scopes: requested, at: 'connect', chosen: { only } });
  // Its refreshes are refused until the person allows it again.
  const isOther = allowedAt < sameSince(metadata) || permission.pseudonym !== (pseudonym !== undefined);
  if (isOther) return [];
  // Without a limit that a rule demands, a scope would be given and not be there.
  return refused.filter((scope) => permission.scopes.includes(scope));
}
