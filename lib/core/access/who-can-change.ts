import type { Decider } from './rule.ts';
import { shownRoles } from './school-roles.ts';

/** Why a client may not be used, as audit events say it, and for the client's developer. */
export const refusals = {
  client_not_permitted: 'this school does not permit this application; ask an administrator of the school',
  client_blocked: 'this school has blocked the client; ask an administrator of the school',
  client_role: 'this school lets only people with certain roles connect the client; ask an administrator of the school',
  needs_approval: 'this school has not approved the client for this person; ask an administrator of the school',
  no_access: 'this service has no access at this school; ask an administrator of the school',
  secret_ended:
    'the secret with which this access token was requested is no longer valid; request one with the current secret',
} as const;

export type Refusal = keyof typeof refusals;

export const deciders: Readonly<Record<Decider, string>> = {
  school: 'an administrator of the school',
  platform: 'the platform',
};

/** A policy is code: the platform changes the option. */
export const changes: Readonly<Record<Refusal, (decider: string | undefined) => string>> = {
  client_not_permitted: () =>
    'the platform lists the school in the row of the client, or permits the host of the document',
  client_blocked: (decider) => (decider ? `${decider} allows it` : 'the platform changes this policy (option access)'),
  client_role: (decider) =>
    decider
      ? `${decider} adds a role of the person to the rule`
      : 'the platform adds a role of the person to this policy (option access)',
  needs_approval: () => 'an administrator of the school allows it for the person',
  no_access: () => 'the platform returns the service from findService',
  secret_ended: () => 'the service requests a token with its current secret',
};

/** For support, which may know what the client's developer may not. */
export function refusalText(code: Refusal, by: Decider, roles: readonly string[]): string {
  const isOfPlatform = by === 'platform';
  if (code === 'client_blocked' && isOfPlatform) return 'the platform has blocked the client at this school';
  if (code !== 'client_role') return refusals[code];
  if (roles.length === 0)
    return 'no role can connect the client: the rules of the school and of the platform have no role in common';
  const whose = 'only people with one of these roles connect the client';
  return `${isOfPlatform ? `the platform lets ${whose} at this school` : `this school lets ${whose}`}: ${shownRoles(roles)}`;
}
