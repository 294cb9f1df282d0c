import * as z from 'zod';
import { acrRule, isAcrValue } from '../host/checked-platform.ts';
import { platformMethods, type SchoolPlatform } from '../host/school-platform.ts';
import { func, list, membersOf, methods } from '../kernel/option-schemas.ts';
import { isObject } from '../kernel/validate.ts';

const roles = list(z.string(), 'be an array of strings');

/** @internal */
export const operatorRolesSchema = roles.prefault(['owner', 'admin']);

/** @internal */
export const adminRolesSchema = roles.optional();

const acrValuesSchema: z.ZodType<readonly string[] | undefined> = list(
  z.custom<string>(isAcrValue, acrRule).meta({ type: 'string' }),
  'be an array of strings',
).optional();

/** @internal */
export const platformMembers = {
  ...methods(platformMethods),
  findService: func().optional(),
  roles: func().optional(),
  searchMembers: func().optional(),
  operatorRoles: operatorRolesSchema,
  adminRoles: adminRolesSchema,
  acrValues: acrValuesSchema,
};

/** Without `roles`, which is near to many names that a class may have: `rules`, `files`, `rooms`. */
const namesWithHints = Object.keys(platformMembers).filter((name) => name !== 'roles');

export const platformSchema: z.ZodType<SchoolPlatform> = z
  .custom<SchoolPlatform>(isObject, 'be an object')
  .meta({ type: '`SchoolPlatform`' })
  .check(membersOf(platformMembers, namesWithHints));
