import type { ClientAudience } from './client.ts';
import type { Member } from '../../host/school-platform.ts';

export type AccessRule = (member: Member | undefined, audience: ClientAudience) => 'permitted' | keyof typeof denial;

/** A rule that remembers roles which differ from one of `operatorRoles` in upper and lower case alone. */
export interface AccessRegister extends AccessRule {
  /** The roles of people who were refused as operators, each with the one that is probably meant. */
  misspeltRoles(): readonly (readonly [role: string, meant: string])[];
}

/**
 * Who may use a client: anyone with a role at the site for a member client, an operator of the site for an operator
 * client; for a service, nobody. Checked at consent, at every exchange and at every use of a token. Specification: Registration
 * rules 4 and 5.
 */
export function accessRule(operatorRoles: ReadonlySet<string>): AccessRegister {
  const meant = new Map([...operatorRoles].map((role) => [role.toLowerCase(), role]));
  const misspelt = new Map<string, string>();
  const access: AccessRule = (member, audience) => {
    if (!member || member.roles.length === 0 || audience === 'service') return 'no-role';
    if (audience === 'member' || member.roles.some((role) => operatorRoles.has(role))) return 'permitted';
    for (const role of member.roles) {
      const operatorRole = meant.get(role.toLowerCase());
      if (operatorRole !== undefined && misspelt.size < maxMisspelt) misspelt.set(role, operatorRole);
    }
    return 'no-operator';
  };
  return Object.assign(access, { misspeltRoles: () => [...misspelt] });
}

/** For `campus.diagnose()`. */
const maxMisspelt = 20;

export const denial = {
  'no-role': 'the signed-in person has no access at this school',
  'no-operator': 'this application acts for an operator of the school, and the signed-in person is not one',
} as const;
