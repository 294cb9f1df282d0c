import type { Facts, Permission } from './permission.ts';
import { denial } from './operator-and-admin-roles.ts';
import { shownRoles } from './school-roles.ts';
import { end } from './taking.ts';

/** The person may use such a client at all. The platform has named the service before. */
export function actorMayUseClient(p: Permission, { right, operatorRoles }: Facts): Permission {
  if (right === 'permitted') return p;
  const [code, change] =
    right === 'no-role'
      ? ['no_access', 'the platform gives the person a role at the school']
      : ['no_operator', `the platform gives the person one of operatorRoles: ${shownRoles(operatorRoles)}`];
  return end(p, { outcome: 'impossible', by: 'platform' }, actorMayUseClient, { code, text: denial[right], change });
}
