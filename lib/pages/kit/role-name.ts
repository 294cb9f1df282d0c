import type { SchoolRoles } from '../../core/access/school-roles.ts';
import { shortName } from './markup.ts';

/** For people. Where two roles have one name, it has what the platform calls them. */
export function roleName({ roles }: SchoolRoles, role: string): string {
  const name = roles.find((each) => each.role === role)?.name ?? role;
  const isShared = roles.filter((each) => each.name === name).length > 1;
  return isShared ? `${shortName(name)} (${role})` : shortName(name);
}
