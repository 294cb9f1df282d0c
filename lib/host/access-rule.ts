import type { ClientAudience } from '../contracts/client.ts';
import type { Member } from '../contracts/platform.ts';

export type AccessRule = (member: Member | undefined, audience: ClientAudience) => 'permitted' | keyof typeof denial;

/**
 * Who may use a client: anyone with a role at the site for a member client, an operator of the site for an operator
 * client. Checked at consent, at every exchange and at every use of a token. Specification: Registration rules 4 and 5.
 */
export function accessRule(operatorRoles: ReadonlySet<string>): AccessRule {
  return (member, audience) => {
    if (!member || member.roles.length === 0) return 'no-role';
    return audience === 'member' || member.roles.some((role) => operatorRoles.has(role)) ? 'permitted' : 'no-operator';
  };
}

export const denial = {
  'no-role': 'the signed-in person has no access at this school',
  'no-operator': 'this application acts for an operator of the school, and the signed-in person is not one',
} as const;
