import type { ClientAudience } from '../clients/client.ts';
import type { Member } from '../../host/school-platform.ts';

/** Who may do what at a school. */
export interface RoleRights {
  /**
   * Who may use a client: anyone with a role at the school for a member client, an operator of the school for an operator
   * client; for a service, nobody. Checked at consent, at every exchange and at every use of a token. Specification: Registration
   * rules 4 and 5.
   */
  (member: Member | undefined, audience: ClientAudience): 'permitted' | keyof typeof denial;
  /** The roles that make an operator. */
  readonly operatorRoles: readonly string[];
  /** Whether a person decides for the school: approvals, rules, requests, applications and the connections of others. */
  readonly mayDecide: (member: Member | undefined) => boolean;
}

/** One of the options that name roles. */
export type RoleOption = 'operatorRoles' | 'adminRoles';

export interface MisspeltRole {
  readonly role: string;
  readonly meant: string;
  readonly option: RoleOption;
}

/** A rule that remembers roles which differ from one of the options in upper and lower case alone. */
export interface RoleRegister extends RoleRights {
  /** The roles of people who were refused, each with the one that is probably meant. */
  misspeltRoles(): readonly MisspeltRole[];
}

export function roleRights(roles: Readonly<Record<RoleOption, ReadonlySet<string>>>): RoleRegister {
  const operators = roleCheck('operatorRoles', roles.operatorRoles);
  // Without the option they are the same people.
  const isSame = roles.adminRoles === roles.operatorRoles;
  const administrators = isSame ? operators : roleCheck('adminRoles', roles.adminRoles);
  const access = (member: Member | undefined, audience: ClientAudience): ReturnType<RoleRights> => {
    if (!member || member.roles.length === 0 || audience === 'service') return 'no-role';
    return audience === 'member' || operators.has(member) ? 'permitted' : 'no-operator';
  };
  return Object.assign(access, {
    operatorRoles: [...roles.operatorRoles],
    mayDecide: (member: Member | undefined) => member !== undefined && administrators.has(member),
    misspeltRoles: () => [...operators.misspelt(), ...(isSame ? [] : administrators.misspelt())],
  });
}

/** For `campus.diagnose()`. */
const maxMisspelt = 20;

/** Whether a member has one of the roles. */
function roleCheck(option: RoleOption, roles: ReadonlySet<string>) {
  const spelt = new Map([...roles].map((role) => [role.toLowerCase(), role]));
  const misspelt = new Map<string, string>();
  return {
    has(member: Member): boolean {
      if (member.roles.some((role) => roles.has(role))) return true;
      for (const role of member.roles) {
        const meant = spelt.get(role.toLowerCase());
        if (meant !== undefined && misspelt.size < maxMisspelt) misspelt.set(role, meant);
      }
      return false;
    },
    misspelt: (): MisspeltRole[] => [...misspelt].map(([role, meant]) => ({ role, meant, option })),
  };
}

export const denial = {
  'no-role': 'the signed-in person has no access at this school',
  'no-operator': 'the signed-in person must be an operator of the school to connect this application',
} as const;
